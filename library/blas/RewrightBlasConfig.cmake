# find_package(RewrightBlas CONFIG) gives the targets RewrightBlas::blas and RewrightBlas::blas_static.
get_filename_component(_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET RewrightBlas::blas)
  add_library(RewrightBlas::blas SHARED IMPORTED)
  set_target_properties(RewrightBlas::blas PROPERTIES
    IMPORTED_LOCATION "${_prefix}/lib/librewright_blas.so"
    INTERFACE_INCLUDE_DIRECTORIES "${_prefix}/include/rewright")
  add_library(RewrightBlas::blas_static STATIC IMPORTED)
  set_target_properties(RewrightBlas::blas_static PROPERTIES
    IMPORTED_LOCATION "${_prefix}/lib/librewright_blas.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_prefix}/include/rewright"
    INTERFACE_LINK_LIBRARIES "m;@OPENMP@")
endif()
unset(_prefix)

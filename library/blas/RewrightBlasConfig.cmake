# find_package(RewrightBlas CONFIG) gives the target RewrightBlas::blas.
get_filename_component(_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET RewrightBlas::blas)
  add_library(RewrightBlas::blas SHARED IMPORTED)
  set_target_properties(RewrightBlas::blas PROPERTIES
    IMPORTED_LOCATION "${_prefix}/lib/librewright_blas.so"
    INTERFACE_INCLUDE_DIRECTORIES "${_prefix}/include/rewright")
endif()
unset(_prefix)

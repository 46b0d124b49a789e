// Memory for copies, in the place of malloc and free: what is given back is kept for the next call.
#ifndef REWRIGHT_BLAS_SCRATCH_H
#define REWRIGHT_BLAS_SCRATCH_H

#include <stdlib.h>

void *rewright_blas_take(size_t bytes);
void rewright_blas_give(void *block);

#define malloc(bytes) rewright_blas_take(bytes)
#define free(block) rewright_blas_give(block)

#endif

// Blocks of memory that calls take and give back. A large block that is returned to the system costs a page fault for each
// of its pages when it is taken again: for a product of matrices of 1024 rows that is an eighth of its time. Threads
// share the blocks; one that finds none free gets memory of its own.
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

void *rewright_blas_take(size_t bytes);
void rewright_blas_give(void *block);

enum { BLOCKS = 16 };

// A larger block is not kept.
static const size_t LARGEST = (size_t)64 << 20;

static struct {
    atomic_flag taken;
    _Atomic(void *) at;
    // Read and written by whoever has taken the block.
    size_t bytes;
} blocks[BLOCKS];

// Bytes of a cache line, and of the longest register. A load that reaches into a second line takes as long as two, and malloc's
// large blocks begin 16 bytes after the start of one.
enum { LINE = 64 };

// No routine of the BLAS can tell that it has not been done.
static void *allocated(size_t bytes) {
    void *new = NULL;
    if (posix_memalign(&new, LINE, bytes) != 0) {
        fprintf(stderr, "rewright_blas: no memory for a copy of %zu bytes\n", bytes);
        abort();
    }
    return new;
}

static void *renew(int i, size_t bytes) {
    void *old = atomic_exchange(&blocks[i].at, NULL);
    free(old);
    void *new = allocated(bytes);
    blocks[i].bytes = bytes;
    atomic_store(&blocks[i].at, new);
    return new;
}

void *rewright_blas_take(size_t bytes) {
    if (bytes == 0) bytes = 1;
    for (int i = 0; bytes <= LARGEST && i < BLOCKS; i++) {
        if (atomic_flag_test_and_set(&blocks[i].taken)) continue;
        return bytes <= blocks[i].bytes ? atomic_load(&blocks[i].at) : renew(i, bytes);
    }
    return allocated(bytes);
}

// A block that is taken has an address that no other has: whoever gives it back finds the place that is his.
void rewright_blas_give(void *block) {
    for (int i = 0; block != NULL && i < BLOCKS; i++) {
        if (atomic_load(&blocks[i].at) != block) continue;
        atomic_flag_clear(&blocks[i].taken);
        return;
    }
    free(block);
}

// The library may be loaded and unloaded many times.
__attribute__((destructor)) static void give_all_back(void) {
    for (int i = 0; i < BLOCKS; i++) {
        if (!atomic_flag_test_and_set(&blocks[i].taken)) free(atomic_exchange(&blocks[i].at, NULL));
    }
}

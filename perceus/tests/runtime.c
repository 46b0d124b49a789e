/* The runtime by itself: sharing between threads, the sticky range, drops of what is shared. */
#include "perceus.h"

#include <pthread.h>

#define CHECK(what) \
    do { \
        if (!(what)) { \
            fprintf(stderr, "line %d: %s\n", __LINE__, #what); \
            exit(1); \
        } \
    } while (0)

enum { PAIR, LEAF, C_closure };

static rw_val pair(rw_val a, rw_val b) {
    struct rw_cell *c = rw_alloc(PAIR, 2, 2);
    c->f[0] = a;
    c->f[1] = b;
    return rw_of(c);
}

static rw_val spine(int n) {
    rw_val v = RW_CON(LEAF);
    while (n-- > 0) v = pair(rw_box(n), v);
    return v;
}

/* Each thread owns one reference at its start: it makes more, gives them up, and then its own. */
static void *worker(void *arg) {
    rw_val v = (rw_val)(uintptr_t)arg;
    for (int i = 0; i < 20000; i++) {
        rw_dup(v);
        rw_val below = rw_cell(v)->f[1];
        rw_dup(below);
        CHECK(!rw_is_unique(v) && !rw_is_unique(below));
        rw_decref(v);
        rw_drop(below);
    }
    rw_drop(v);
    return NULL;
}

static void threads(void) {
    for (int round = 0; round < 20; round++) {
        rw_val v = spine(50);
        rw_tshare(v);
        CHECK(rw_rc(rw_cell(v)) == -1 && rw_rc(rw_cell(rw_cell(v)->f[1])) == -1);
        pthread_t all[4];
        for (int i = 0; i < 4; i++) {
            rw_dup(v);
            CHECK(pthread_create(&all[i], NULL, worker, (void *)(uintptr_t)v) == 0);
        }
        rw_drop(v);
        for (int i = 0; i < 4; i++) CHECK(pthread_join(all[i], NULL) == 0);
    }
}

/* What is below what is shared may be shared already, and may be referred to by its thread alone. */
static void sharing(void) {
    rw_val inner = pair(rw_box(1), rw_box(INT64_MAX)), kept = inner;
    rw_dup(inner);
    rw_tshare(inner);
    CHECK(rw_rc(rw_cell(inner)) == -2);
    rw_val outer = pair(inner, RW_CON(LEAF));
    rw_tshare(outer);
    CHECK(rw_rc(rw_cell(inner)) == -2 && rw_rc(rw_cell(outer)) == -1);
    CHECK(rw_drop_reuse(outer) == NULL);
    CHECK(rw_rc(rw_cell(kept)) == -1);
    rw_drop(kept);
}

static void sticky(void) {
    rw_val v = pair(rw_box(1), rw_box(2));
    struct rw_cell *c = rw_cell(v);
    rw_set_rc(c, INT32_MAX);
    rw_dup(v);
    CHECK(rw_rc(c) == INT32_MIN);
    rw_dup(v);
    rw_drop(v);
    CHECK(rw_rc(c) == INT32_MIN);
    rw_set_rc(c, RW_STICKY + 1);
    rw_dup(v);
    CHECK(rw_rc(c) == RW_STICKY);
    rw_drop(v);
    CHECK(rw_rc(c) == RW_STICKY);
    rw_dup(v);
    CHECK(rw_rc(c) == RW_STICKY);
    rw_set_rc(c, (INT32_C(1) << 30) + 5);
    rw_tshare(v);
    CHECK(rw_rc(c) <= RW_STICKY);
    rw_drop(v);
    CHECK(rw_rc(c) <= RW_STICKY);
    rw_set_rc(c, 1);
    rw_drop(v);
}

/* Static cells: one in another, with an integer of 64 bits. Nothing changes their counts. */
RW_STATIC_CELL(big, RW_BIG, 1, 0, (uint64_t)INT64_MAX)
RW_STATIC_CELL(inner_static, PAIR, 2, 2, RW_INT(INT64_C(-3)), RW_STATIC_REF(big))
RW_STATIC_CELL(outer_static, PAIR, 2, 2, RW_STATIC_REF(inner_static), RW_CON(LEAF))

static void statics(void) {
    rw_val v = rw_of(&outer_static), inner = rw_cell(v)->f[0];
    CHECK(rw_is_cell(v) && inner == rw_of(&inner_static));
    CHECK(rw_cell(inner)->f[0] == rw_box(-3) && rw_unbox(rw_cell(inner)->f[1]) == INT64_MAX);
    rw_dup(v);
    rw_drop(v);
    rw_drop(v);
    rw_decref(v);
    CHECK(!rw_is_unique(v) && rw_drop_reuse(v) == NULL);
    rw_tshare(v);
    rw_val above = pair(v, inner);
    rw_tshare(above);
    rw_drop(above);
    rw_drop(pair(v, rw_cell(inner)->f[1]));
    CHECK(rw_rc(&outer_static) == RW_STATIC && rw_rc(&inner_static) == RW_STATIC && rw_rc(&big) == RW_STATIC);
}

/* Threads that read and assign one reference: what one of them reads another may drop the last other reference of. */
static void *assigner(void *arg) {
    rw_val r = (rw_val)(uintptr_t)arg;
    for (int i = 0; i < 5000; i++) {
        rw_dup(r);
        rw_val v = rw_get(r);
        CHECK(rw_rc(rw_cell(v)) < 0);
        rw_drop(v);
        rw_dup(r);
        rw_set(r, pair(rw_box(i), RW_CON(LEAF)));
    }
    rw_drop(r);
    return NULL;
}

static void references(void) {
    rw_val r = rw_ref(pair(rw_box(1), RW_CON(LEAF)));
    rw_tshare(r);
    pthread_t all[4];
    for (int i = 0; i < 4; i++) {
        rw_dup(r);
        CHECK(pthread_create(&all[i], NULL, assigner, (void *)(uintptr_t)r) == 0);
    }
    for (int i = 0; i < 4; i++) CHECK(pthread_join(all[i], NULL) == 0);
    CHECK(rw_rc(rw_cell(r)) == -1);
    rw_drop(r);
    /* Alone, with an exchange by hand; then a cycle, which is marked once, and broken. */
    rw_val s = rw_ref(RW_CON(LEAF));
    rw_dup(s);
    rw_dup(s);
    rw_set(s, pair(s, rw_box(2)));
    rw_tshare(s);
    CHECK(rw_rc(rw_cell(s)) == -2 && rw_rc(rw_cell(rw_cell(s)->f[0])) == -1);
    rw_dup(s);
    rw_set(s, RW_CON(LEAF));
    CHECK(rw_rc(rw_cell(s)) == -1);
    rw_drop(s);
}

int main(void) {
    threads();
    references();
    sharing();
    sticky();
    statics();
    puts("fine");
    return 0;
}

/* The runtime of programs that `rewright perceus compile` makes: cells with counts. C11, gcc or clang, 64 bits.
 *
 * A value is a word: ...1 an integer of 63 bits, ..10 a constructor without fields, ..00 a cell. An integer that needs 64 bits
 * is a cell of its own (RW_BIG) where a word must say what it is; it is not counted as one. A reference is a cell (RW_REF).
 *
 * A count above 0 belongs to one thread. Below 0 the cell is shared between threads (rw_tshare) and its count is the negated number,
 * changed atomically; at or below RW_STICKY it is never changed again and the cell never freed. A count that outgrows 31 bits
 * lands there. One test takes the slow path for all of these: rc <= 1 in a drop, rc <= 0 in a dup. Cells that are there from the start
 * (RW_STATIC_CELL) have such a count of their own, and are none for the counters.
 *
 * -DRW_COUNT   count what is executed, print it to stderr at the end
 * -DRW_MALLOC  malloc and free for each cell, instead of free lists by size
 */
#ifndef RW_PERCEUS_H
#define RW_PERCEUS_H

/* Two fields stored as one vector go through a slot of the frame, which then is a third larger: recursion that is not in tail
 * position pays for it. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert(sizeof(uintptr_t) == 8, "words have 64 bits");

typedef uint64_t rw_val;

struct rw_cell {
    _Atomic int32_t rc;
    uint16_t tag;
    uint8_t fields;  /* how many */
    uint8_t counted; /* how many of them, the first, are values; the others are plain integers */
    uint64_t f[];
};

#define RW_BIG UINT16_MAX
#define RW_REF (UINT16_MAX - 1)
#define RW_STICKY (-(INT32_C(1) << 30))
#define RW_STATIC (-(INT32_C(3) << 29))
#define RW_STATIC_CELL(name, tag, fields, counted, ...) \
    __attribute__((unused)) static struct rw_cell name = {RW_STATIC, tag, fields, counted, {__VA_ARGS__}};
#define RW_STATIC_REF(name) ((uint64_t)(uintptr_t)&name)

#ifdef RW_COUNT
static struct {
    uint64_t allocs, frees, reuses, dups, drops, tests, writes, live, peak;
} rw_counts;
#define RW_ADD(what, n) ((void)(rw_counts.what += (n)))
static inline void rw_report(void) {
    fprintf(stderr,
            "allocs %" PRIu64 "\nfrees %" PRIu64 "\nreuses %" PRIu64 "\ndups %" PRIu64 "\ndrops %" PRIu64 "\ntests %" PRIu64
            "\nwrites %" PRIu64 "\npeak %" PRIu64 "\n",
            rw_counts.allocs, rw_counts.frees, rw_counts.reuses, rw_counts.dups, rw_counts.drops, rw_counts.tests,
            rw_counts.writes, rw_counts.peak);
}
#else
#define RW_ADD(what, n) ((void)0)
static inline void rw_report(void) {}
#endif

_Noreturn static inline void rw_stuck(const char *why) {
    fflush(stdout);
    fprintf(stderr, "stuck: %s\n", why);
    exit(3);
}

/* Words */

static inline bool rw_is_cell(rw_val v) { return (v & 3) == 0; }
static inline struct rw_cell *rw_cell(rw_val v) { return (struct rw_cell *)(uintptr_t)v; }
static inline rw_val rw_of(struct rw_cell *c) { return (rw_val)(uintptr_t)c; }
#define RW_CON(tag) ((rw_val)(tag) << 2 | 2)
#define RW_INT(n) ((uint64_t)(n) << 1 | 1)

static inline int32_t rw_rc(struct rw_cell *c) { return atomic_load_explicit(&c->rc, memory_order_relaxed); }
/* Counts one more of something, where the cell is one that is counted. */
#ifdef RW_COUNT
#define RW_ADD_OF(c, what) ((c)->tag != RW_BIG && rw_rc(c) != RW_STATIC ? RW_ADD(what, 1) : (void)0)
#else
#define RW_ADD_OF(c, what) ((void)0)
#endif
static inline void rw_set_rc(struct rw_cell *c, int32_t rc) { atomic_store_explicit(&c->rc, rc, memory_order_relaxed); }

/* Memory: free lists by size, filled from chunks. Memory that a thread frees is that thread's. */

#ifdef RW_MALLOC
static inline struct rw_cell *rw_memory(unsigned fields) {
    struct rw_cell *c = malloc(sizeof(struct rw_cell) + 8 * (size_t)fields);
    if (c == NULL) rw_stuck("out-of-memory");
    return c;
}
/* A static cell is never unique, so that none comes here: gcc does not know that its count is what it was. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wfree-nonheap-object"
static inline void rw_give_back(struct rw_cell *c) { free(c); }
#pragma GCC diagnostic pop
#else
#define RW_CHUNK ((size_t)1 << 20)
struct rw_hole {
    struct rw_hole *next;
};
static _Thread_local struct rw_hole *rw_holes[256];
static _Thread_local char *rw_bump[256], *rw_end[256];
static __attribute__((noinline)) struct rw_cell *rw_refill(unsigned fields, size_t size) {
    size_t chunk = size * 16 > RW_CHUNK ? size * 16 : RW_CHUNK - RW_CHUNK % size;
    char *p = rw_bump[fields];
    if (p == rw_end[fields]) {
        /* Cells of 32 or 64 bytes do not straddle lines of the cache. */
        p = aligned_alloc(64, (chunk + 63) / 64 * 64);
        if (p == NULL) rw_stuck("out-of-memory");
        rw_end[fields] = p + chunk;
    }
    rw_bump[fields] = p + size;
    return (struct rw_cell *)(void *)p;
}
static inline struct rw_cell *rw_memory(unsigned fields) {
    struct rw_hole *hole = rw_holes[fields];
    if (__builtin_expect(hole != NULL, 1)) {
        rw_holes[fields] = hole->next;
        return (struct rw_cell *)(void *)hole;
    }
    size_t size = 8 + 8 * (size_t)fields;
    char *p = rw_bump[fields];
    if (__builtin_expect(p != rw_end[fields], 1)) {
        rw_bump[fields] = p + size;
        return (struct rw_cell *)(void *)p;
    }
    return rw_refill(fields, size);
}
static inline void rw_give_back(struct rw_cell *c) {
    struct rw_hole *hole = (struct rw_hole *)(void *)c;
    unsigned fields = c->fields;
    hole->next = rw_holes[fields];
    rw_holes[fields] = hole;
}
#endif

static inline struct rw_cell *rw_init(struct rw_cell *c, uint16_t tag, uint8_t fields, uint8_t counted) {
    rw_set_rc(c, 1);
    c->tag = tag;
    c->fields = fields;
    c->counted = counted;
    return c;
}

static inline struct rw_cell *rw_alloc(uint16_t tag, uint8_t fields, uint8_t counted) {
    RW_ADD(allocs, 1);
    RW_ADD(live, 1);
#ifdef RW_COUNT
    if (rw_counts.live > rw_counts.peak) rw_counts.peak = rw_counts.live;
#endif
    return rw_init(rw_memory(fields), tag, fields, counted);
}

/* C@r, r memory */
static inline struct rw_cell *rw_reuse(struct rw_cell *r, uint16_t tag, uint8_t fields, uint8_t counted) {
    RW_ADD(reuses, 1);
    return rw_init(r, tag, fields, counted);
}

static inline void rw_release(struct rw_cell *c) {
    if (c->tag != RW_BIG) {
        RW_ADD(frees, 1);
        RW_ADD(live, -(uint64_t)1);
    }
    rw_give_back(c);
}

/* Counts */

static __attribute__((noinline)) void rw_dup_slow(struct rw_cell *c) {
    atomic_fetch_sub_explicit(&c->rc, 1, memory_order_relaxed);
}

static inline void rw_dup(rw_val v) {
    if (!rw_is_cell(v)) return;
    struct rw_cell *c = rw_cell(v);
    RW_ADD_OF(c, dups);
    int32_t rc = rw_rc(c);
    if (__builtin_expect(rc > 0, 1))
        rw_set_rc(c, (int32_t)((uint32_t)rc + 1));
    else if (rc > RW_STICKY)
        rw_dup_slow(c);
}

/* One reference less; whether it was the last. */
static inline bool rw_less(struct rw_cell *c) {
    int32_t rc = rw_rc(c);
    if (__builtin_expect(rc > 1, 1)) {
        rw_set_rc(c, rc - 1);
        return false;
    }
    if (rc == 1) return true;
    if (rc <= RW_STICKY) return false;
    return atomic_fetch_add_explicit(&c->rc, 1, memory_order_acq_rel) == -1;
}

/* Frees a cell and drops its fields, from left to right. No recursion: on the way down a cell keeps in its count which field is
 * next, and in the field that was left the way back up. The last field needs no way back, so that a list takes constant space anyway. */
static __attribute__((noinline)) void rw_free_all(struct rw_cell *c) {
    struct rw_cell *up = NULL;
    unsigned next = 0;
    for (;;) {
        struct rw_cell *down = NULL;
        while (next < c->counted) {
            rw_val v = c->f[next++];
            if (!rw_is_cell(v)) continue;
            struct rw_cell *d = rw_cell(v);
            RW_ADD_OF(d, drops);
            if (rw_less(d)) {
                down = d;
                break;
            }
        }
        if (down != NULL) {
            if (next < c->counted) {
                c->f[next - 1] = rw_of(up);
                rw_set_rc(c, (int32_t)next);
                up = c;
            } else {
                rw_release(c);
            }
            c = down;
            next = 0;
            continue;
        }
        rw_release(c);
        if (up == NULL) return;
        c = up;
        next = (unsigned)rw_rc(c);
        up = rw_cell(c->f[next - 1]);
    }
}

static inline void rw_drop(rw_val v) {
    if (!rw_is_cell(v)) return;
    struct rw_cell *c = rw_cell(v);
    RW_ADD_OF(c, drops);
    if (rw_less(c)) rw_free_all(c);
}

/* Of a cell that has other references, or had: another thread may have dropped them. */
static inline void rw_decref(rw_val v) { rw_drop(v); }

static inline bool rw_is_unique(rw_val v) {
    if (!rw_is_cell(v)) return false;
    RW_ADD_OF(rw_cell(v), tests);
    return rw_rc(rw_cell(v)) == 1;
}

static inline void rw_free(rw_val v) { rw_release(rw_cell(v)); }

static inline void rw_drop_token(struct rw_cell *r) {
    if (r != NULL) rw_release(r);
}

static inline struct rw_cell *rw_drop_reuse(rw_val v) {
    if (!rw_is_unique(v)) {
        rw_decref(v);
        return NULL;
    }
    struct rw_cell *c = rw_cell(v);
    for (unsigned i = 0; i < c->counted; i++) rw_drop(c->f[i]);
    return c;
}

/* Marks a value, and all that it refers to, as shared between threads. What is shared is left alone: so is all below it. */
static inline void rw_tshare(rw_val v) {
    size_t used = 0, room = 64;
    rw_val *todo = malloc(room * sizeof *todo);
    if (todo == NULL) rw_stuck("out-of-memory");
    todo[used++] = v;
    while (used > 0) {
        rw_val w = todo[--used];
        if (!rw_is_cell(w)) continue;
        struct rw_cell *c = rw_cell(w);
        int32_t rc = rw_rc(c);
        if (rc <= 0) continue;
        rw_set_rc(c, -rc <= RW_STICKY ? INT32_MIN : -rc);
        if (used + c->counted > room) {
            room = 2 * room + c->counted;
            rw_val *more = realloc(todo, room * sizeof *todo);
            if (more == NULL) rw_stuck("out-of-memory");
            todo = more;
        }
        for (unsigned i = 0; i < c->counted; i++) todo[used++] = c->f[i];
    }
    free(todo);
}

/* References. Of one that threads share, what it holds is read and counted, or exchanged, under a lock: between a read and its dup
 * another thread might drop the last reference. What is put into a shared reference is shared. Cycles are never freed. */

static _Atomic bool rw_locks[64];
static inline void rw_lock(struct rw_cell *c) {
    while (atomic_exchange_explicit(&rw_locks[(uintptr_t)c / 16 % 64], true, memory_order_acquire)) {}
}
static inline void rw_unlock(struct rw_cell *c) {
    atomic_store_explicit(&rw_locks[(uintptr_t)c / 16 % 64], false, memory_order_release);
}

static inline rw_val rw_ref(rw_val v) {
    struct rw_cell *c = rw_alloc(RW_REF, 1, 1);
    c->f[0] = v;
    RW_ADD(writes, 1);
    return rw_of(c);
}

static inline struct rw_cell *rw_reference(rw_val r) {
    if (!rw_is_cell(r) || rw_cell(r)->tag != RW_REF) rw_stuck("not-a-reference");
    return rw_cell(r);
}

/* Consumes the reference. */
static inline rw_val rw_get(rw_val r) {
    struct rw_cell *c = rw_reference(r);
    bool shared = rw_rc(c) <= 0;
    if (shared) rw_lock(c);
    rw_val v = c->f[0];
    rw_dup(v);
    if (shared) rw_unlock(c);
    rw_drop(r);
    return v;
}

/* Consumes both. */
static inline void rw_set(rw_val r, rw_val v) {
    struct rw_cell *c = rw_reference(r);
    bool shared = rw_rc(c) <= 0;
    if (shared) {
        rw_tshare(v);
        rw_lock(c);
    }
    rw_val old = c->f[0];
    c->f[0] = v;
    RW_ADD(writes, 1);
    if (shared) rw_unlock(c);
    rw_drop(old);
    rw_drop(r);
}

/* Integers */

static inline rw_val rw_box(int64_t n) {
    if (n >= -(INT64_C(1) << 62) && n < INT64_C(1) << 62) return RW_INT(n);
    struct rw_cell *c = rw_init(rw_memory(1), RW_BIG, 1, 0);
    c->f[0] = (uint64_t)n;
    return rw_of(c);
}

/* Consumes the value. */
static inline int64_t rw_unbox(rw_val v) {
    if (v & 1) return (int64_t)(v - 1) / 2;
    if (!rw_is_cell(v) || rw_cell(v)->tag != RW_BIG) rw_stuck("prim-non-integer");
    int64_t n = (int64_t)rw_cell(v)->f[0];
    rw_drop(v);
    return n;
}

static inline int64_t rw_add(int64_t a, int64_t b) {
    int64_t r;
    if (__builtin_add_overflow(a, b, &r)) rw_stuck("integer-overflow");
    return r;
}
static inline int64_t rw_sub(int64_t a, int64_t b) {
    int64_t r;
    if (__builtin_sub_overflow(a, b, &r)) rw_stuck("integer-overflow");
    return r;
}
static inline int64_t rw_mul(int64_t a, int64_t b) {
    int64_t r;
    if (__builtin_mul_overflow(a, b, &r)) rw_stuck("integer-overflow");
    return r;
}
/* Functions, since compilers warn of n < n. */
static inline bool rw_eq(int64_t a, int64_t b) { return a == b; }
static inline bool rw_lt(int64_t a, int64_t b) { return a < b; }
static inline bool rw_le(int64_t a, int64_t b) { return a <= b; }
static inline void rw_divides(int64_t a, int64_t b) {
    if (b == 0) rw_stuck("division-by-zero");
    if (a == INT64_MIN && b == -1) rw_stuck("integer-overflow");
}
static inline int64_t rw_div(int64_t a, int64_t b) {
    rw_divides(a, b);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
static inline int64_t rw_mod(int64_t a, int64_t b) {
    rw_divides(a, b);
    int64_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

_Noreturn static inline void rw_no_branch(rw_val v, uint16_t constructors) {
    bool is_int = (v & 1) || (rw_is_cell(v) && rw_cell(v)->tag == RW_BIG);
    bool is_closure = rw_is_cell(v) && rw_cell(v)->tag >= constructors;
    rw_stuck(is_int || is_closure ? "match-non-constructor" : "no-branch");
}

typedef rw_val (*rw_closure)(rw_val self, rw_val x);

/* Closures are numbered behind constructors. */
static inline rw_val rw_apply(rw_val f, rw_val x, uint16_t constructors, const rw_closure *closures) {
    if (!rw_is_cell(f) || rw_cell(f)->tag < constructors || rw_cell(f)->tag >= RW_REF) rw_stuck("apply-non-function");
    return closures[rw_cell(f)->tag - constructors](f, x);
}

/* Values as text. order[i] is where the i-th field of a constructor is. */
struct rw_shape {
    const char *name;
    const unsigned char *order;
};

/* A constructor of which some fields are printed, and how many brackets close behind the last. */
struct rw_open {
    struct rw_cell *c;
    unsigned next;
    size_t closing;
};

/* No recursion: what is open is on a stack of its own. The last field takes the place of its cell, so that a list needs one place. */
static inline void rw_print(rw_val v, const struct rw_shape *shapes, uint16_t constructors) {
    struct rw_open *open = NULL, *top = NULL;
    size_t used = 0, room = 0;
    for (;;) {
        struct rw_cell *c = rw_is_cell(v) ? rw_cell(v) : NULL;
        if (v & 1)
            printf("%" PRId64, (int64_t)(v - 1) / 2);
        else if (c == NULL)
            printf("%s", shapes[v >> 2].name);
        else if (c->tag == RW_BIG)
            printf("%" PRId64, (int64_t)c->f[0]);
        else if (c->tag == RW_REF)
            printf("<ref>");
        else if (c->tag >= constructors)
            printf("<closure>");
        else {
            printf("%s(", shapes[c->tag].name);
            if (used > 0 && open[used - 1].next == open[used - 1].c->fields) {
                top = &open[used - 1];
                top->closing++;
            } else {
                if (used == room) {
                    room = 2 * room + 16;
                    struct rw_open *more = realloc(open, room * sizeof *open);
                    if (more == NULL) rw_stuck("out-of-memory");
                    open = more;
                }
                top = &open[used++];
                top->closing = 1;
            }
            top->c = c;
            top->next = 0;
        }
        for (;;) {
            if (used == 0) {
                free(open);
                return;
            }
            top = &open[used - 1];
            if (top->next == top->c->fields) {
                while (top->closing-- > 0) printf(")");
                used--;
                continue;
            }
            if (top->next > 0) printf(", ");
            unsigned at = shapes[top->c->tag].order[top->next++];
            v = top->c->f[at];
            if (at < top->c->counted) break;
            printf("%" PRId64, (int64_t)v);
        }
    }
}

#endif

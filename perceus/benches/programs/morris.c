/* Thesis Fig. 4.2: in-order traversal in place, beside tmap.kk. Adds 1 to each value of a full tree, ROUNDS times. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define DEPTH 20
#define ROUNDS 10

struct tree {
    struct tree *left;
    int64_t value;
    struct tree *right;
};

static struct tree *full(int depth, int64_t n) {
    if (depth == 0) return NULL;
    struct tree *t = malloc(sizeof *t);
    if (t == NULL) abort();
    t->left = full(depth - 1, 2 * n);
    t->value = n;
    t->right = full(depth - 1, 2 * n + 1);
    return t;
}

static void inorder(struct tree *root, void (*f)(struct tree *)) {
    struct tree *cursor = root;
    while (cursor != NULL) {
        if (cursor->left == NULL) {
            f(cursor);
            cursor = cursor->right;
            continue;
        }
        struct tree *pre = cursor->left;
        while (pre->right != NULL && pre->right != cursor) pre = pre->right;
        if (pre->right == NULL) {
            pre->right = cursor;
            cursor = cursor->left;
        } else {
            f(cursor);
            pre->right = NULL;
            cursor = cursor->right;
        }
    }
}

static void increment(struct tree *t) { t->value++; }

static int64_t sum(const struct tree *t) { return t == NULL ? 0 : sum(t->left) + t->value + sum(t->right); }

int main(void) {
    struct tree *t = full(DEPTH, 1);
    for (int i = 0; i < ROUNDS; i++) inorder(t, increment);
    printf("%" PRId64 "\n", sum(t));
    return 0;
}

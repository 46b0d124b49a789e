/* The z3 library, loaded when its first function is called.
 *
 * The linker takes this file (as libz3.a) where z3-sys asks for z3. Each function is a jump through a slot. At first all
 * slots lead to `rewright_z3_first`, which keeps the arguments, loads the library, fills the slots and goes on; from then
 * on a call costs one jump. So a program that links Rewright needs no setting to build, starts without the library,
 * finds it wherever it was put, and says what it misses. See spec/library.md.
 *
 * The library that is taken is the first of
 *   $REWRIGHT_Z3                               where that is set, nothing else is tried
 *   DIR/../lib/rewright/libz3.so               DIR is where the program is: `make install`
 *   DIR/libz3.so
 *   .deps/z3/lib/libz3.so of the checkout that this was built in: `make deps`
 *   libz3.so                                   where the system finds libraries
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef REWRIGHT_Z3_BUILT
#error "REWRIGHT_Z3_BUILT is where `make deps` puts the library"
#endif

/* The oldest library that has all that is used. */
enum { MAJOR = 4, MINOR = 13, PATCH = 3 };

void rewright_z3_first(void);
void rewright_z3_load(void);

#define SLOT(name) __attribute__((visibility("hidden"))) void (*rewright_slot_##name)(void) = rewright_z3_first;
#define Z3(name) SLOT(name)
#include "functions.inc"
#undef Z3

#if defined(__x86_64__)
#define Z3(name)                                                                                                       \
    __asm__(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n"                                        \
            "  leaq rewright_slot_" #name "(%rip), %r11\n"                                                             \
            "  jmpq *(%r11)\n"                                                                                         \
            ".size " #name ", .-" #name "\n");
#include "functions.inc"
#undef Z3
/* All registers that may hold an argument, and the slot. */
__asm__(".text\n.hidden rewright_z3_first\n.globl rewright_z3_first\n.type rewright_z3_first, @function\n"
        "rewright_z3_first:\n"
        "  pushq %rdi\n  pushq %rsi\n  pushq %rdx\n  pushq %rcx\n  pushq %r8\n  pushq %r9\n  pushq %rax\n  pushq %r11\n"
        "  subq $136, %rsp\n"
        "  movups %xmm0, (%rsp)\n  movups %xmm1, 16(%rsp)\n  movups %xmm2, 32(%rsp)\n  movups %xmm3, 48(%rsp)\n"
        "  movups %xmm4, 64(%rsp)\n  movups %xmm5, 80(%rsp)\n  movups %xmm6, 96(%rsp)\n  movups %xmm7, 112(%rsp)\n"
        "  call rewright_z3_load\n"
        "  movups (%rsp), %xmm0\n  movups 16(%rsp), %xmm1\n  movups 32(%rsp), %xmm2\n  movups 48(%rsp), %xmm3\n"
        "  movups 64(%rsp), %xmm4\n  movups 80(%rsp), %xmm5\n  movups 96(%rsp), %xmm6\n  movups 112(%rsp), %xmm7\n"
        "  addq $136, %rsp\n"
        "  popq %r11\n  popq %rax\n  popq %r9\n  popq %r8\n  popq %rcx\n  popq %rdx\n  popq %rsi\n  popq %rdi\n"
        "  jmpq *(%r11)\n"
        ".size rewright_z3_first, .-rewright_z3_first\n");
#elif defined(__aarch64__)
#define Z3(name)                                                                                                       \
    __asm__(".text\n.globl " #name "\n.type " #name ", %function\n" #name ":\n"                                        \
            "  adrp x16, rewright_slot_" #name "\n"                                                                    \
            "  add x16, x16, :lo12:rewright_slot_" #name "\n"                                                          \
            "  ldr x17, [x16]\n"                                                                                       \
            "  br x17\n"                                                                                               \
            ".size " #name ", .-" #name "\n");
#include "functions.inc"
#undef Z3
__asm__(".text\n.hidden rewright_z3_first\n.globl rewright_z3_first\n.type rewright_z3_first, %function\n"
        "rewright_z3_first:\n"
        "  stp x29, x30, [sp, #-224]!\n  mov x29, sp\n"
        "  stp x0, x1, [sp, #16]\n  stp x2, x3, [sp, #32]\n  stp x4, x5, [sp, #48]\n  stp x6, x7, [sp, #64]\n"
        "  stp x8, x16, [sp, #80]\n"
        "  stp q0, q1, [sp, #96]\n  stp q2, q3, [sp, #128]\n  stp q4, q5, [sp, #160]\n  stp q6, q7, [sp, #192]\n"
        "  bl rewright_z3_load\n"
        "  ldp q0, q1, [sp, #96]\n  ldp q2, q3, [sp, #128]\n  ldp q4, q5, [sp, #160]\n  ldp q6, q7, [sp, #192]\n"
        "  ldp x0, x1, [sp, #16]\n  ldp x2, x3, [sp, #32]\n  ldp x4, x5, [sp, #48]\n  ldp x6, x7, [sp, #64]\n"
        "  ldp x8, x16, [sp, #80]\n"
        "  ldp x29, x30, [sp], #224\n"
        "  ldr x17, [x16]\n  br x17\n"
        ".size rewright_z3_first, .-rewright_z3_first\n");
#else
#error "no jumps are written for this machine"
#endif

/* Nothing can be decided without the library: there is no caller that could go on. */
static void give_up(const char *what, const char *why) {
    fprintf(stderr,
            "error: the z3 library %s: %s\n"
            "  = help: put libz3.so into lib/rewright beside the folder of the program, as `make install` does, or name it:\n"
            "          REWRIGHT_Z3=/path/to/libz3.so\n",
            what, why);
    exit(1);
}

static void absent(void) {
    give_up("is too old", "a function that is asked for is not in it");
}

/* Why the first library that was there could not be loaded, or why there was none. */
static char because[1024];

static void *opened(const char *path, int required) {
    if (!required && strchr(path, '/') && access(path, F_OK) != 0) {
        return NULL;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library && because[0] == '\0') {
        const char *why = dlerror();
        snprintf(because, sizeof because, "%s", why ? why : path);
    }
    return library;
}

/* A file at a path that begins where the program is. */
static void *beside(const char *path) {
    char program[PATH_MAX], whole[2 * PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) {
        return NULL;
    }
    program[length] = '\0';
    char *end = strrchr(program, '/');
    if (!end) {
        return NULL;
    }
    *end = '\0';
    snprintf(whole, sizeof whole, "%s/%s", program, path);
    return opened(whole, 0);
}

static void *find(void) {
    const char *named = getenv("REWRIGHT_Z3");
    if (named && named[0] != '\0') {
        return opened(named, 1);
    }
    void *library = beside("../lib/rewright/libz3.so");
    library = library ? library : beside("libz3.so");
    library = library ? library : opened(REWRIGHT_Z3_BUILT, 0);
    return library ? library : opened("libz3.so", 1);
}

/* The address of a function; ISO C knows no conversion from what `dlsym` gives. */
static void (*function(void *library, const char *name))(void) {
    void (*address)(void) = NULL;
    void *found = dlsym(library, name);
    memcpy(&address, &found, sizeof address);
    return address;
}

static void check_version(void *library) {
    void (*address)(void) = function(library, "Z3_get_version");
    if (!address) {
        absent();
    }
    unsigned v[4] = {0, 0, 0, 0};
    ((void (*)(unsigned *, unsigned *, unsigned *, unsigned *))address)(&v[0], &v[1], &v[2], &v[3]);
    if (v[0] < MAJOR || (v[0] == MAJOR && (v[1] < MINOR || (v[1] == MINOR && v[2] < PATCH)))) {
        char text[128];
        snprintf(text, sizeof text, "it is %u.%u.%u, and %d.%d.%d is the oldest that will do", v[0], v[1], v[2], MAJOR,
                 MINOR, PATCH);
        give_up("is too old", text);
    }
}

static void load(void) {
    void *library = find();
    if (!library) {
        give_up("cannot be loaded", because);
    }
    check_version(library);
    void (*address)(void);
#define Z3(name)                                                                                                       \
    address = function(library, #name);                                                                                \
    __atomic_store_n(&rewright_slot_##name, address ? address : absent, __ATOMIC_RELEASE);
#include "functions.inc"
#undef Z3
}

void rewright_z3_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
}

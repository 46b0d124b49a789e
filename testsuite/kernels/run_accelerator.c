/* Runs the accelerator's GEMM in its model on 64 by 64 matrices: whether it is right, and what was issued. */
#include "accelerator_gemm.c"

#include <stdio.h>

enum { N = 64 };

static float A[N * N], B[N * N], C[N * N], expected[N * N];

int main(void) {
    for (int i = 0; i < N * N; i++) {
        A[i] = (float)(i % 7 - 3);
        B[i] = (float)(i % 5 - 2);
        C[i] = expected[i] = (float)(i % 3);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++) expected[N * i + j] += A[N * i + k] * B[N * k + j];
    accelerator_gemm(N, A, B, C);
    int wrong = 0;
    for (int i = 0; i < N * N; i++) wrong += C[i] != expected[i];
    printf("wrong %d config_ld %ld config_st %ld mvin %ld mvout %ld matmul %ld\n", wrong, accel_config_lds,
           accel_config_sts, accel_mvins, accel_mvouts, accel_matmuls);
    return 0;
}

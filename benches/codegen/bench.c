/* Times CasADi's and jourdain's C of the same quantities in turns, after comparing their values.
 * Prints lines "name nanoseconds", the minimum over all batches. */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <time.h>

typedef long long casadi_int;
void iiwa14_inverse_dynamics(const double *q, const double *qd, const double *qdd, double *out);
void iiwa14_rates(const double *q, const double *qd, const double *qdd, const double *qddd, const double *qdddd,
                  double *tau, double *tau_dot, double *tau_ddot);
int inverse_dynamics(const double **arg, double **res, casadi_int *iw, double *w, int mem);
int inverse_dynamics_rates(const double **arg, double **res, casadi_int *iw, double *w, int mem);

enum { STATES = 64, N = 7, TURNS = 200, BATCHES = 10, PASSES = 8 };

static double x[5][STATES][N], out[4][3][N], work[20000];

static void casadi_id(int k)
{
    const double *arg[] = {x[0][k], x[1][k], x[2][k]};
    double *res[] = {out[0][0]};
    inverse_dynamics(arg, res, 0, work, 0);
}

static void casadi_rates(int k)
{
    const double *arg[] = {x[0][k], x[1][k], x[2][k], x[3][k], x[4][k]};
    double *res[] = {out[1][0], out[1][1], out[1][2]};
    inverse_dynamics_rates(arg, res, 0, work, 0);
}

static void ours_id(int k) { iiwa14_inverse_dynamics(x[0][k], x[1][k], x[2][k], out[2][0]); }

static void ours_rates(int k)
{
    iiwa14_rates(x[0][k], x[1][k], x[2][k], x[3][k], x[4][k], out[3][0], out[3][1], out[3][2]);
}

static double nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

int main(void)
{
    static void (*const calls[4])(int) = {casadi_id, casadi_rates, ours_id, ours_rates};
    static const char *const names[4] = {"casadi_c id", "casadi_c rates", "jourdain_c id", "jourdain_c rates"};
    double best[4] = {1e9, 1e9, 1e9, 1e9}, worst = 0.0;
    unsigned long long seed = 42;
    for (int o = 0; o < 5; ++o)
        for (int k = 0; k < STATES; ++k)
            for (int i = 0; i < N; ++i) {
                seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
                x[o][k][i] = (double)(seed >> 11) / 9007199254740992.0 * 2.0 - 1.0;
            }
    for (int k = 0; k < STATES; ++k) {
        for (int f = 0; f < 4; ++f) calls[f](k);
        for (int i = 0; i < N; ++i) {
            worst = fmax(worst, fabs(out[0][0][i] - out[2][0][i]));
            for (int o = 0; o < 3; ++o)
                worst = fmax(worst, fabs(out[1][o][i] - out[3][o][i]) / (1.0 + fabs(out[1][o][i])));
        }
    }
    fprintf(stderr, "largest difference %.1e\n", worst);
    if (!(worst < 1e-10)) return 1;
    for (int turn = 0; turn < TURNS; ++turn)
        for (int f = 0; f < 4; ++f)
            for (int batch = 0; batch < BATCHES; ++batch) {
                const double start = nanoseconds();
                for (int pass = 0; pass < PASSES; ++pass)
                    for (int k = 0; k < STATES; ++k) calls[f](k);
                best[f] = fmin(best[f], (nanoseconds() - start) / (PASSES * STATES));
            }
    for (int f = 0; f < 4; ++f) printf("%s %.1f\n", names[f], best[f]);
    return 0;
}

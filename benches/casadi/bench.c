/* CasADi's side of the comparison: a server on standard input with the commands of ../peers/pinocchio/main.cpp.
 *
 *   casadi-bench FOLDER STATES            FOLDER holds NAME.so for each function, STATES as `jourdain-peers` writes them
 *   casadi-bench FOLDER STATES NAME N     makes N calls and ends: what ../peers/count.cpp looks at
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef long long casadi_int;
typedef int (*Call)(const double **, double **, casadi_int *, double *, int);
typedef const char *(*Name)(casadi_int);
typedef const casadi_int *(*Sparsity)(casadi_int);
typedef casadi_int (*Count)(void);
typedef int (*Work)(casadi_int *, casadi_int *, casadi_int *, casadi_int *);

/* The vectors of a state in the order of the file. */
static const char *const VECTORS[] = {"q", "qd", "qdd", "tau", "qddd", "qdddd"};
enum { VECTOR_COUNT = sizeof VECTORS / sizeof *VECTORS, MOST_FUNCTIONS = 16 };

typedef struct {
    char name[64];
    Call call;
    Sparsity out_sparsity;
    casadi_int inputs, outputs, arg_size;
    const double **arg; /* of all states, arg_size each */
    double **res, *w;
    casadi_int *iw;
} Function;

static const char *folder, *state_file;
static double *numbers; /* state by state, vector by vector */
static size_t states, length;

static void fail(const char *what, const char *which)
{
    fprintf(stderr, "casadi-bench: %s %s\n", what, which);
    exit(1);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) fail("no memory for", state_file);
    return memory;
}

static void read_states(size_t joints)
{
    FILE *file = fopen(state_file, "r");
    if (!file || fscanf(file, "%zu", &states) != 1) fail("cannot read", state_file);
    length = joints;
    numbers = allocate(states * VECTOR_COUNT * length, sizeof *numbers);
    for (size_t i = 0; i < states * VECTOR_COUNT * length; ++i)
        if (fscanf(file, "%lf", &numbers[i]) != 1) fail("too few numbers in", state_file);
    fclose(file);
}

/* ISO C has no conversion between pointers to objects and to functions; POSIX has. */
static void symbol(void *library, const char *name, const char *suffix, void *out)
{
    char full[128];
    snprintf(full, sizeof full, "%s%s", name, suffix);
    void *address = dlsym(library, full);
    if (!address) fail("no symbol", full);
    memcpy(out, &address, sizeof address);
}

static void load(Function *f, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.so", folder, name);
    void *library = dlopen(path, RTLD_NOW);
    if (!library) fail("cannot load", path);
    Count n_in, n_out;
    Work work;
    Name name_in;
    Sparsity sparsity_in;
    symbol(library, name, "", &f->call);
    symbol(library, name, "_n_in", &n_in);
    symbol(library, name, "_n_out", &n_out);
    symbol(library, name, "_work", &work);
    symbol(library, name, "_name_in", &name_in);
    symbol(library, name, "_sparsity_in", &sparsity_in);
    symbol(library, name, "_sparsity_out", &f->out_sparsity);
    snprintf(f->name, sizeof f->name, "%s", name);
    if (!numbers) read_states((size_t)sparsity_in(0)[0]);
    casadi_int res_size, iw_size, w_size;
    work(&f->arg_size, &res_size, &iw_size, &w_size);
    f->inputs = n_in();
    f->outputs = n_out();
    f->iw = allocate((size_t)iw_size, sizeof *f->iw);
    f->w = allocate((size_t)w_size, sizeof *f->w);
    f->res = allocate((size_t)res_size, sizeof *f->res);
    for (casadi_int o = 0; o < f->outputs; ++o) {
        const casadi_int *shape = f->out_sparsity(o);
        f->res[o] = allocate((size_t)(shape[0] * shape[1]), sizeof **f->res);
    }
    f->arg = allocate(states * (size_t)f->arg_size, sizeof *f->arg);
    for (size_t state = 0; state < states; ++state)
        for (casadi_int i = 0; i < f->inputs; ++i) {
            size_t vector = 0;
            while (vector < VECTOR_COUNT && strcmp(VECTORS[vector], name_in(i)) != 0) ++vector;
            if (vector == VECTOR_COUNT) fail("no vector", name_in(i));
            f->arg[state * (size_t)f->arg_size + (size_t)i] = numbers + (state * VECTOR_COUNT + vector) * length;
        }
}

static Function *find(const char *name)
{
    static Function functions[MOST_FUNCTIONS];
    static size_t count;
    for (size_t i = 0; i < count; ++i)
        if (strcmp(functions[i].name, name) == 0) return &functions[i];
    if (count == MOST_FUNCTIONS) fail("too many functions before", name);
    load(&functions[count], name);
    return &functions[count++];
}

static void run(Function *f, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        f->call(f->arg + i * (size_t)f->arg_size, f->res, f->iw, f->w, 0);
        __asm__ volatile("" : : "g"(f->res) : "memory");
    }
}

static double nanoseconds(Function *f, size_t rounds)
{
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (size_t r = 0; r < rounds; ++r) run(f, states);
    clock_gettime(CLOCK_MONOTONIC, &end);
    return 1e9 * (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec);
}

static double fastest(Function *f, size_t batches, double microseconds)
{
    run(f, states);
    double once = nanoseconds(f, 1), best = 1e300;
    const size_t rounds = 1 + (size_t)(1e3 * microseconds / (once < 1.0 ? 1.0 : once));
    for (size_t b = 0; b < batches; ++b) {
        once = nanoseconds(f, rounds) / (double)(rounds * states);
        if (once < best) best = once;
    }
    return best;
}

/* All entries by rows; CasADi stores those that may differ from zero, by columns. */
static void print(const double *values, const casadi_int *shape)
{
    const casadi_int rows = shape[0], columns = shape[1], *starts = shape + 2;
    const int dense = starts[0] == 1;
    for (casadi_int r = 0; r < rows; ++r)
        for (casadi_int c = 0; c < columns; ++c) {
            double x = dense ? values[c * rows + r] : 0.0;
            if (!dense)
                for (casadi_int k = starts[c]; k < starts[c + 1]; ++k)
                    if (starts[columns + 1 + k] == r) x = values[k];
            printf("%.17g ", x);
        }
}

int main(int argc, char **argv)
{
    if (argc != 3 && argc != 5) fail("usage:", "casadi-bench FOLDER STATES [NAME CALLS]");
    folder = argv[1];
    state_file = argv[2];
    if (argc == 5) {
        Function *f = find(argv[3]);
        run(f, 1);
        puts("begin");
        fflush(stdout);
        for (size_t left = strtoul(argv[4], NULL, 10); left > 0;) {
            const size_t n = left < states ? left : states;
            run(f, n);
            left -= n;
        }
        _Exit(0); /* without the clean-up, which is longer than a call */
    }
    char command[16], name[64];
    while (scanf("%15s %63s", command, name) == 2) {
        Function *f = find(name);
        size_t number = 0;
        double microseconds = 0.0;
        if (strcmp(command, "check") == 0 && scanf("%zu", &number) == 1 && number < states) {
            f->call(f->arg + number * (size_t)f->arg_size, f->res, f->iw, f->w, 0);
            for (casadi_int o = 0; o < f->outputs; ++o) print(f->res[o], f->out_sparsity(o));
        } else if (strcmp(command, "time") == 0 && scanf("%zu %lf", &number, &microseconds) == 2) {
            printf("%.3f", fastest(f, number, microseconds));
        } else {
            fail("bad command", command);
        }
        putchar('\n');
        fflush(stdout);
    }
    return 0;
}

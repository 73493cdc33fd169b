/* Sines and cosines of n angles, n a multiple of four, within one unit in the last place. There is no branch per angle, so
 * that the compiler can take four at a time: the nearest multiple of pi/2 is subtracted in three parts of 33 bits, then
 * polynomials of degree 13 and 14. Angles past 1e5 are left to the library. */
static void sines(int n, const double *restrict a, double *restrict s, double *restrict c)
{
    typedef union { double x; unsigned long long bits; } number;
    const double rounder = 6755399441055744.0; /* 1.5 * 2^52: adding it leaves an integer in the low bits */
    const unsigned long long limit = 0x40F86A0000000000ULL, top = 0x8000000000000000ULL; /* 1e5, the sign */
    unsigned long long large = 0;
    for (int i = 0; i < n; ++i) {
        number x, y, k, p, q;
        x.x = a[i];
        y.x = fabs(a[i]);
        k.x = y.x * 0.6366197723675814 + rounder;
        const double m = k.x - rounder;
        const double near = y.x - m * 1.5707963267341256;
        const double r = near - m * 6.077100506303966e-11;
        const double t = ((near - r) - m * 6.077100506303966e-11) - m * 2.0222662487111665e-21;
        const double z = r * r, zz = z * z, h = 0.5 * z, w = 1.0 - h;
        const double ps = ((1.58969099521155e-10 * z - 2.5050760253406863e-8) * zz
            + (2.7557313707070068e-6 * z - 1.984126982985795e-4)) * zz + (8.33333333332249e-3 * z - 1.6666666666666632e-1);
        const double pc = ((-1.1359647557788195e-11 * z + 2.087572321298175e-9) * zz
            + (-2.7557314351390663e-7 * z + 2.480158728947673e-5)) * zz + (-1.388888888887411e-3 * z + 4.16666666666666e-2);
        p.x = r + (r * z * ps + t * w);
        q.x = w + (((1.0 - w) - h) + (zz * pc - r * t));
        /* Odd quadrants exchange the two; the sine is negative in quadrants 2 and 3, the cosine in 1 and 2. */
        const unsigned long long swap = (p.bits ^ q.bits) & (0 - (k.bits & 1));
        p.bits ^= swap ^ (x.bits & top) ^ ((k.bits & 2) << 62);
        q.bits ^= swap ^ (((k.bits + 1) & 2) << 62);
        s[i] = p.x;
        c[i] = q.x;
        large |= limit - y.bits;
    }
    if (large & top) {
        for (int i = 0; i < n; ++i) {
            s[i] = sin(a[i]);
            c[i] = cos(a[i]);
        }
    }
}

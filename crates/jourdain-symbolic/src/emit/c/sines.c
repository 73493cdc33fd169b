/* Sines and cosines of n angles, n a multiple of four, within one unit in the last place. There is no branch per angle, so
 * that the compiler can take four at a time: the nearest multiple of pi/2 is subtracted in three parts of 33 bits, then
 * polynomials of degree 13 and 14. Angles past 1e5 are left to the library. */
static void sines(int n, const double *restrict a, double *restrict s, double *restrict c)
{
    int large = 0;
    for (int i = 0; i < n; ++i) {
        const double x = a[i];
        const int fits = fabs(x) <= 1e5;
        const double y = fits ? fabs(x) : 0.0;
        const int k = (int)(y * 0.6366197723675814 + 0.5);
        const double m = k;
        const double near = y - m * 1.5707963267341256;
        const double r = near - m * 6.077100506303966e-11;
        const double t = ((near - r) - m * 6.077100506303966e-11) - m * 2.0222662487111665e-21;
        const double z = r * r, zz = z * z, h = 0.5 * z, w = 1.0 - h;
        const double ps = ((1.58969099521155e-10 * z - 2.5050760253406863e-8) * zz
            + (2.7557313707070068e-6 * z - 1.984126982985795e-4)) * zz + (8.33333333332249e-3 * z - 1.6666666666666632e-1);
        const double pc = ((-1.1359647557788195e-11 * z + 2.087572321298175e-9) * zz
            + (-2.7557314351390663e-7 * z + 2.480158728947673e-5)) * zz + (-1.388888888887411e-3 * z + 4.16666666666666e-2);
        const double sr = r + (r * z * ps + t * w);
        const double cr = w + (((1.0 - w) - h) + (zz * pc - r * t));
        const double sign = 1 - (k & 2), cosign = 1 - ((k + 1) & 2);
        s[i] = (k & 1 ? cr : sr) * (x < 0.0 ? -sign : sign);
        c[i] = (k & 1 ? sr : cr) * cosign;
        large |= !fits;
    }
    if (large) {
        for (int i = 0; i < n; ++i) {
            s[i] = sin(a[i]);
            c[i] = cos(a[i]);
        }
    }
}

// SPDX-License-Identifier: BSD-3-Clause
// Elementary functions from +, -, *, / and sqrt alone.
//
// Each function brings its argument into a small interval, sums the Taylor series there and undoes the reduction:
//   sin, cos   x = n pi/2 + r          |r| <= pi/4       signs and names by n mod 4
//   exp        x = k log 2 + r         |r| <= log(2)/2   2^k exp(r)
//   log        x = 2^k m               m near 1          k log 2 + 2 artanh(s),  s = (m - 1) / (m + 1)
//   pow        exp(y log x); small whole powers are products
//   cbrt       x = 8^k m               m in [1, 8)       2^k times Halley's iteration
//   atan2      t = small / large       c = i/8 near t    atan(c) + atan((t - c) / (1 + t c)), then pi/2 - it, pi - it
// Where a plain double would lose the last bit the value is a pair hi + lo of doubles, |lo| <= ulp(hi) / 2: remainders
// of the reductions, and logarithms that pow multiplies by a large exponent. Pairs use the exact sum of Knuth and the
// exact product of Dekker, which need no fused multiply-add.
#include "core/maths/trig.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct pair {
    double hi, lo;
} pair;

// Adding and subtracting it rounds a number below 2^51 to a whole one.
static const double ROUNDER = 0x1.8p52;

// pi/2 = PI2_1 + PI2_2 + PI2_3 + PI2_4: 33 bits each, so that products with n < 2^20 are exact, and the rest.
static const double PI2_1 = 0x1.921fb544p+0, PI2_2 = 0x1.0b4611a6p-34, PI2_3 = 0x1.3198a2ep-69;
static const double PI2_4 = 0x1.b839a252049c1p-104;
static const double INV_PI2 = 0x1.45f306dc9c883p-1, TWO_PI = 0x1.921fb54442d18p+2;
static const double REDUCTION_LIMIT = 1e6;  // n stays below 2^20

// log 2 = LOG2_1 + LOG2_2: 42 bits, so that products with exponents are exact, and the rest.
static const double LOG2_1 = 0x1.62e42fefa38p-1, LOG2_2 = 0x1.ef35793c7673p-45, INV_LOG2 = 0x1.71547652b82fep+0;

static const pair HALF_PI = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const pair PI = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

enum { SMALL_POWER = 64 };  // whole exponents up to this size are multiplied out

static pair exact_sum(double a, double b)
{
    double s = a + b, b_part = s - a, a_part = s - b_part;
    return (pair){s, (a - a_part) + (b - b_part)};
}

// The upper 26 bits of a double: its products with other such halves are exact.
static double upper_half(double a)
{
    double t = 0x1.0000002p27 * a;
    return t - (t - a);
}

static pair exact_product(double a, double b)
{
    double p = a * b, ah = upper_half(a), bh = upper_half(b), al = a - ah, bl = b - bh;
    return (pair){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static pair pair_add(pair a, pair b)
{
    pair s = exact_sum(a.hi, b.hi);
    return exact_sum(s.hi, s.lo + (a.lo + b.lo));
}

static pair pair_mul(pair a, pair b)
{
    pair p = exact_product(a.hi, b.hi);
    return exact_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static pair pair_div(pair a, pair b)
{
    double q = a.hi / b.hi;
    pair p = exact_product(q, b.hi);
    return exact_sum(q, (((a.hi - p.hi) - p.lo) + (a.lo - q * b.lo)) / b.hi);
}

// 2^k for -1022 <= k <= 1023.
static double power_of_two(int k)
{
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// v 2^k in two steps, as 2^k alone may be out of range.
static double scale(double v, int k)
{
    int half = k / 2;
    return v * power_of_two(half) * power_of_two(k - half);
}

// x > 0, finite, as 2^*k m with 1 <= m < 2.
static double split_exponent(double x, int *k)
{
    *k = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        *k = -54;
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    *k += (int)(bits >> 52) - 1023;
    bits = (bits & 0xfffffffffffffu) | (uint64_t)1023 << 52;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// x - n pi/2. The first three products are exact, so the sum is good even where it almost cancels.
static pair reduce_angle(double x, double n)
{
    pair r = exact_sum(x - n * PI2_1, -(n * PI2_2));
    r = pair_add(r, (pair){-(n * PI2_3), 0.0});
    return pair_add(r, (pair){-(n * PI2_4), 0.0});
}

// sin(r) = r - r^3/3! + ... + r^17/17!; the next term is below 1e-19. lo changes sin by lo cos(r).
static double sine_series(pair r)
{
    double z = r.hi * r.hi;
    double tail = 1.0 / 355687428096000.0;
    tail = tail * z - 1.0 / 1307674368000.0;
    tail = tail * z + 1.0 / 6227020800.0;
    tail = tail * z - 1.0 / 39916800.0;
    tail = tail * z + 1.0 / 362880.0;
    tail = tail * z - 1.0 / 5040.0;
    tail = tail * z + 1.0 / 120.0;
    tail = tail * z - 1.0 / 6.0;
    return r.hi + (r.lo * (1.0 - 0.5 * z) + r.hi * z * tail);
}

// cos(r) = 1 - r^2/2! + ... + r^16/16!; the next term is below 3e-18. lo changes cos by -lo sin(r).
static double cosine_series(pair r)
{
    double z = r.hi * r.hi;
    double tail = 1.0 / 20922789888000.0;
    tail = tail * z - 1.0 / 87178291200.0;
    tail = tail * z + 1.0 / 479001600.0;
    tail = tail * z - 1.0 / 3628800.0;
    tail = tail * z + 1.0 / 40320.0;
    tail = tail * z - 1.0 / 720.0;
    tail = tail * z + 1.0 / 24.0;
    pair head = exact_sum(1.0, -0.5 * z);  // the rounding of 1 - z/2 is worth keeping
    return head.hi + (head.lo + (z * z * tail - r.hi * r.lo));
}

void scr_sincos(double x, double *sine, double *cosine)
{
    if (fabs(x) < 0x1p-27) {
        *sine = x;
        *cosine = 1.0;
        return;
    }
    // fmod is exact everywhere. The double nearest 2 pi is not 2 pi: far out the angle is as good as x (1 + 1e-16).
    if (!(fabs(x) < REDUCTION_LIMIT)) x = fmod(x, TWO_PI);
    double n = (x * INV_PI2 + ROUNDER) - ROUNDER;
    pair r = reduce_angle(x, n);
    double s = sine_series(r), c = cosine_series(r);
    int quarter = isnan(n) ? 0 : (int)n & 3;
    double quadrant_s = quarter & 1 ? c : s, quadrant_c = quarter & 1 ? s : c;
    *sine = quarter >= 2 ? -quadrant_s : quadrant_s;
    *cosine = quarter == 1 || quarter == 2 ? -quadrant_c : quadrant_c;
}

// exp(r) = 1 + r + r^2/2! + ... + r^14/14!; the next term is below 1e-19. The sum begins with the small terms.
static double exp_series(pair r)
{
    double x = r.hi;
    double tail = 1.0 / 87178291200.0;
    tail = tail * x + 1.0 / 6227020800.0;
    tail = tail * x + 1.0 / 479001600.0;
    tail = tail * x + 1.0 / 39916800.0;
    tail = tail * x + 1.0 / 3628800.0;
    tail = tail * x + 1.0 / 362880.0;
    tail = tail * x + 1.0 / 40320.0;
    tail = tail * x + 1.0 / 5040.0;
    tail = tail * x + 1.0 / 720.0;
    tail = tail * x + 1.0 / 120.0;
    tail = tail * x + 1.0 / 24.0;
    tail = tail * x + 1.0 / 6.0;
    tail = tail * x + 0.5;
    pair head = exact_sum(1.0, x);
    return head.hi + (head.lo + (r.lo * (1.0 + x) + x * x * tail));
}

static double exp_pair(pair x)
{
    if (isnan(x.hi)) return x.hi;
    if (x.hi > 710.0) return INFINITY;
    if (x.hi < -746.0) return 0.0;
    double k = (x.hi * INV_LOG2 + ROUNDER) - ROUNDER;
    pair r = exact_sum(x.hi - k * LOG2_1, -(k * LOG2_2));
    r = exact_sum(r.hi, r.lo + x.lo);
    return scale(exp_series(r), (int)k);
}

// 2 artanh(s) = 2 s + 2 s^3/3 + 2 s^5/5 + ... + 2 s^25/25 for |s| < 0.172; the next term is below 1e-21 of the sum. The
// first two terms are pairs: the result is good to 2^-64 of itself.
static pair log_series(pair s)
{
    static const pair TWO_THIRDS = {2.0 / 3.0, 0x1.5555555555555p-55};
    static const double TAIL[] = {2.0 / 25.0, 2.0 / 23.0, 2.0 / 21.0, 2.0 / 19.0, 2.0 / 17.0, 2.0 / 15.0,
                                  2.0 / 13.0, 2.0 / 11.0, 2.0 / 9.0,  2.0 / 7.0,  2.0 / 5.0};
    pair s2 = pair_mul(s, s), cubic = pair_mul(pair_mul(s2, s), TWO_THIRDS);
    double z = s2.hi, tail = TAIL[0];
    for (size_t i = 1; i < sizeof TAIL / sizeof *TAIL; ++i) tail = tail * z + TAIL[i];
    cubic.lo += z * z * s.hi * tail;
    return pair_add((pair){2.0 * s.hi, 2.0 * s.lo}, cubic);
}

// x > 0, finite
static pair log_pair(double x)
{
    int k;
    double m = split_exponent(x, &k);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        ++k;
    }
    pair s = pair_div((pair){m - 1.0, 0.0}, exact_sum(m, 1.0));
    pair powers = exact_sum(k * LOG2_1, k * LOG2_2);
    return pair_add(powers, log_series(s));
}

double scr_exp(double x) { return exp_pair((pair){x, 0.0}); }

double scr_log(double x)
{
    if (isnan(x) || x == INFINITY) return x;
    if (x < 0.0) return NAN;
    if (x == 0.0) return -INFINITY;
    return log_pair(x).hi;
}

static bool is_whole(double y) { return fabs(y) >= 0x1p52 || (y + ROUNDER) - ROUNDER == y; }
static bool is_odd(double y) { return fabs(y) < 0x1p53 && ((int64_t)y & 1) != 0; }

// x^n for x > 0, finite, as a product. Exact if the true value is a double: every partial product divides it.
static double whole_power(double x, int n)
{
    int k;
    double m = split_exponent(x, &k);
    pair square = {m, 0.0}, product = {1.0, 0.0};
    int count = n < 0 ? -n : n;
    for (int bits = count; bits != 0; bits >>= 1) {
        if (bits & 1) product = pair_mul(product, square);
        square = pair_mul(square, square);
    }
    if (n < 0) product = pair_div((pair){1.0, 0.0}, product);
    int64_t shift = (int64_t)k * n;
    if (shift > 1100) return INFINITY;
    if (shift < -1200) return 0.0;
    return scale(product.hi, (int)shift);
}

// x^y for x > 0, neither x nor y a NaN.
static double positive_power(double x, double y)
{
    if (x == 1.0) return 1.0;
    if (x == INFINITY) return y > 0.0 ? INFINITY : 0.0;
    if (fabs(y) <= SMALL_POWER && is_whole(y)) return whole_power(x, (int)y);
    // |log x| is at least 2^-53: beyond 2^64 the result is 0 or infinite anyway, and the products here would overflow.
    y = fmin(fmax(y, -0x1p64), 0x1p64);
    return exp_pair(pair_mul(log_pair(x), (pair){y, 0.0}));
}

double scr_pow(double x, double y)
{
    if (y == 0.0 || x == 1.0) return 1.0;
    if (isnan(x) || isnan(y)) return x + y;
    if (x < 0.0 && isfinite(x) && !is_whole(y)) return NAN;
    double size = fabs(x), nothing = y > 0.0 ? 0.0 : INFINITY;
    double power = size == 0.0 ? nothing : positive_power(size, y);
    return signbit(x) && is_whole(y) && is_odd(y) ? -power : power;
}

// Halley's step for m = y^3: three times as many good digits.
static double cbrt_step(double m, double y)
{
    double cube = y * y * y;
    return y * ((cube + 2.0 * m) / (2.0 * cube + m));
}

double scr_cbrt(double x)
{
    if (x == 0.0 || !isfinite(x)) return x;
    int k;
    double m = split_exponent(fabs(x), &k);
    int third = (k + 1200) / 3 - 400;  // rounded down
    m *= power_of_two(k - 3 * third);
    double y = 0.763 + 0.268 * m - 0.0147 * m * m;  // within 2 % over [1, 8)
    for (int step = 0; step < 3; ++step) y = cbrt_step(m, y);
    // One step of Newton's method on the exact remainder m - y^3 settles the last bit.
    pair cube = pair_mul(exact_product(y, y), (pair){y, 0.0});
    y += ((m - cube.hi) - cube.lo) / (3.0 * y * y);
    return copysign(scale(y, third), x);
}

// atan(small / large), 0 <= small <= large in [1, 2). The series s - s^3/3 + ... - s^15/15 has |s| <= 1/16; the next
// term is below 1e-20 of the sum.
static pair atan_of_ratio(double small, double large)
{
    static const pair ATAN_OF_EIGHTHS[] = {
        {0.0, 0.0},
        {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
        {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
        {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
        {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
        {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
        {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
        {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
        {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
    };
    int eighth = (int)(8.0 * (small / large) + 0.5);
    double c = eighth / 8.0;
    pair above = pair_add((pair){small, 0.0}, exact_product(-c, large));
    pair s = pair_div(above, pair_add((pair){large, 0.0}, exact_product(c, small)));
    double z = s.hi * s.hi, tail = -1.0 / 15.0;
    tail = tail * z + 1.0 / 13.0;
    tail = tail * z - 1.0 / 11.0;
    tail = tail * z + 1.0 / 9.0;
    tail = tail * z - 1.0 / 7.0;
    tail = tail * z + 1.0 / 5.0;
    tail = tail * z - 1.0 / 3.0;
    return pair_add(ATAN_OF_EIGHTHS[eighth], (pair){s.hi, s.lo + s.hi * z * tail});
}

static pair pair_sub(pair a, pair b) { return pair_add(a, (pair){-b.hi, -b.lo}); }

double scr_atan2(double y, double x)
{
    if (isnan(x) || isnan(y)) return x + y;
    if (isinf(x) || isinf(y)) {  // only which of them is infinite matters
        x = copysign(isinf(x) ? 1.0 : 0.0, x);
        y = copysign(isinf(y) ? 1.0 : 0.0, y);
    }
    double across = fabs(y), ahead = fabs(x);
    bool is_back = signbit(x) != 0;
    if (across == 0.0) return is_back ? copysign(PI.hi, y) : y;
    if (across < 0x1p-30 * ahead && !is_back) return y / x;
    bool is_steep = across > ahead;
    int k;
    double large = split_exponent(is_steep ? across : ahead, &k), small = scale(is_steep ? ahead : across, -k);
    pair angle = atan_of_ratio(small, large);
    if (is_steep) angle = pair_sub(HALF_PI, angle);
    if (is_back) angle = pair_sub(PI, angle);
    return copysign(angle.hi, y);
}

// SPDX-License-Identifier: BSD-3-Clause
// What the residuals around a least-squares solution say about its parameters.
#include "study/fit/least_squares.h"

#include <math.h>

#include "study/design/unit_points.h"

enum { N = UNIT_AXES_MAX };
static const double SINGULAR = 1e-10;  // a pivot so much smaller than its diagonal entry is rounding

// A = L L^T in place, the lower half; false if A is not positive.
static bool factorise(double a[N][N], int n)
{
    for (int j = 0; j < n; ++j) {
        double diagonal = a[j][j];
        for (int k = 0; k < j; ++k) a[j][j] -= a[j][k] * a[j][k];
        if (!(a[j][j] > SINGULAR * diagonal)) return false;
        a[j][j] = sqrt(a[j][j]);
        for (int i = j + 1; i < n; ++i) {
            for (int k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
    }
    return true;
}

static void solve(double l[N][N], int n, double *x)
{
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) x[i] -= l[i][k] * x[k];
        x[i] /= l[i][i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) x[i] -= l[k][i] * x[k];
        x[i] /= l[i][i];
    }
}

bool normal_inverse(const double *jacobian, int64_t count, int n, double *inverse)
{
    double a[N][N] = {{0.0}}, column[N];
    for (int64_t i = 0; i < count; ++i) {
        for (int j = 0; j < n; ++j) {
            for (int k = 0; k <= j; ++k) a[j][k] += jacobian[i * n + j] * jacobian[i * n + k];
        }
    }
    if (!factorise(a, n)) return false;
    for (int j = 0; j < n; ++j) {
        for (int k = 0; k < n; ++k) column[k] = j == k ? 1.0 : 0.0;
        solve(a, n, column);
        for (int k = 0; k < n; ++k) inverse[k * n + j] = column[k];
    }
    return true;
}

void gauss_newton_step(const double *jacobian, const double *inverse, const double *residual, int64_t count, int n,
                       double *step)
{
    double gradient[N] = {0.0};
    for (int64_t i = 0; i < count; ++i) {
        for (int j = 0; j < n; ++j) gradient[j] += jacobian[i * n + j] * residual[i];
    }
    for (int j = 0; j < n; ++j) {
        step[j] = 0.0;
        for (int k = 0; k < n; ++k) step[j] -= inverse[j * n + k] * gradient[k];
    }
}

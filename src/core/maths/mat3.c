// SPDX-License-Identifier: BSD-3-Clause
// 3 x 3 matrices: rotations, and the eigenvalues of symmetric ones.
#include "core/maths/mat3.h"

enum { JACOBI_SWEEPS = 12 };  // each sweep squares the error: five are enough in practice

// Of 4w^2 = 1 + trace and its three companions, the largest is at least 1: dividing by its root loses no digits.
scr_quat quat_from_mat3(const mat3 *a)
{
    double x = a->m[0][0], y = a->m[1][1], z = a->m[2][2];
    double wx = a->m[2][1] - a->m[1][2], wy = a->m[0][2] - a->m[2][0], wz = a->m[1][0] - a->m[0][1];  // 4 w x, ...
    double xy = a->m[0][1] + a->m[1][0], xz = a->m[0][2] + a->m[2][0], yz = a->m[1][2] + a->m[2][1];  // 4 x y, ...
    if (x + y + z >= 0.0) return quat_unit((scr_quat){1.0 + x + y + z, wx, wy, wz});
    if (x >= y && x >= z) return quat_unit((scr_quat){wx, 1.0 + x - y - z, xy, xz});
    if (y >= z) return quat_unit((scr_quat){wy, xy, 1.0 - x + y - z, yz});
    return quat_unit((scr_quat){wz, xz, yz, 1.0 - x - y + z});
}

mat3 mat3_mul(const mat3 *a, const mat3 *b)
{
    mat3 c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
    }
    return c;
}

mat3 mat3_transpose(const mat3 *a)
{
    return (mat3){{{a->m[0][0], a->m[1][0], a->m[2][0]},
                   {a->m[0][1], a->m[1][1], a->m[2][1]},
                   {a->m[0][2], a->m[1][2], a->m[2][2]}}};
}

mat3 mat3_inverse_symmetric(const mat3 *a)
{
    const double(*m)[3] = a->m;
    double xx = m[1][1] * m[2][2] - m[1][2] * m[1][2], xy = m[0][2] * m[1][2] - m[0][1] * m[2][2];
    double xz = m[0][1] * m[1][2] - m[0][2] * m[1][1], yy = m[0][0] * m[2][2] - m[0][2] * m[0][2];
    double yz = m[0][1] * m[0][2] - m[0][0] * m[1][2], zz = m[0][0] * m[1][1] - m[0][1] * m[0][1];
    double d = 1.0 / (m[0][0] * xx + m[0][1] * xy + m[0][2] * xz);
    return (mat3){{{d * xx, d * xy, d * xz}, {d * xy, d * yy, d * yz}, {d * xz, d * yz, d * zz}}};
}

// Turn the axes p and q by the angle that makes a[p][q] zero: a <- J^T a J, v <- v J. With t = tan(angle) the smaller
// root of t^2 + 2 t cot(2 angle) - 1 = 0 the turn is at most 45 degrees, which makes the sweeps converge.
static void jacobi_rotation(mat3 *a, mat3 *v, int p, int q)
{
    if (a->m[p][q] == 0.0) return;
    double cot2 = (a->m[q][q] - a->m[p][p]) / (2.0 * a->m[p][q]);
    double t = (cot2 >= 0.0 ? 1.0 : -1.0) / (fabs(cot2) + sqrt(cot2 * cot2 + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    mat3 rotation = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    rotation.m[p][p] = rotation.m[q][q] = c;
    rotation.m[p][q] = s;
    rotation.m[q][p] = -s;
    mat3 back = mat3_transpose(&rotation), half = mat3_mul(a, &rotation);
    *a = mat3_mul(&back, &half);
    a->m[p][q] = a->m[q][p] = 0.0;
    *v = mat3_mul(v, &rotation);
}

void mat3_eigen_symmetric(const mat3 *a, scr_vec3 *values, scr_quat *axes)
{
    mat3 d = *a, v = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    for (int sweep = 0; sweep < JACOBI_SWEEPS; ++sweep) {
        jacobi_rotation(&d, &v, 0, 1);
        jacobi_rotation(&d, &v, 0, 2);
        jacobi_rotation(&d, &v, 1, 2);
    }
    *values = vec3(d.m[0][0], d.m[1][1], d.m[2][2]);
    *axes = quat_from_mat3(&v);
}

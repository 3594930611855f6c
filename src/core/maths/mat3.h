// SPDX-License-Identifier: BSD-3-Clause
// 3 x 3 matrices, row by row.
#ifndef CORE_MATHS_MAT3_H
#define CORE_MATHS_MAT3_H

#include "core/maths/quat.h"

typedef struct mat3 {
    double m[3][3];
} mat3;

static inline mat3 mat3_from_quat(scr_quat q)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (mat3){{{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
                   {2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
                   {2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
}
scr_quat quat_from_mat3(const mat3 *a);  // a is a rotation
mat3 mat3_mul(const mat3 *a, const mat3 *b);
mat3 mat3_transpose(const mat3 *a);
static inline scr_vec3 mat3_times(const mat3 *a, scr_vec3 v)
{
    return vec3(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}
static inline mat3 mat3_diagonal(scr_vec3 d) { return (mat3){{{d.x, 0.0, 0.0}, {0.0, d.y, 0.0}, {0.0, 0.0, d.z}}}; }
// R diag(d) R^T: a principal inertia seen in the world.
static inline mat3 mat3_conjugated_diagonal(const mat3 *r, scr_vec3 d)
{
    mat3 c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j <= i; ++j) {
            c.m[i][j] = r->m[i][0] * d.x * r->m[j][0] + r->m[i][1] * d.y * r->m[j][1] + r->m[i][2] * d.z * r->m[j][2];
            c.m[j][i] = c.m[i][j];  // symmetric to the last bit
        }
    }
    return c;
}
// The same with R the rotation of q
static inline mat3 mat3_rotated_diagonal(scr_quat q, scr_vec3 d)
{
    mat3 r = mat3_from_quat(q);
    return mat3_conjugated_diagonal(&r, d);
}
mat3 mat3_inverse_symmetric(const mat3 *a);  // a is symmetric and positive definite
// Eigenvalues (any order) and a rotation whose columns are the eigenvectors, of a symmetric matrix, by Jacobi's method.
void mat3_eigen_symmetric(const mat3 *a, scr_vec3 *values, scr_quat *axes);

#endif

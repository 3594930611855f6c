// 3 x 3 matrices, row by row.
#ifndef CORE_MAT3_H
#define CORE_MAT3_H

#include "core/quat.h"

typedef struct mat3 { double m[3][3]; } mat3;

mat3 mat3_from_quat(scr_quat q);
scr_quat quat_from_mat3(const mat3 *a);  // a is a rotation
mat3 mat3_mul(const mat3 *a, const mat3 *b);
mat3 mat3_transpose(const mat3 *a);
scr_vec3 mat3_times(const mat3 *a, scr_vec3 v);
// R diag(d) R^T with R the rotation of q: a principal inertia seen in the world.
mat3 mat3_rotated_diagonal(scr_quat q, scr_vec3 d);
mat3 mat3_inverse_symmetric(const mat3 *a);  // a is symmetric and positive definite
// Eigenvalues (any order) and a rotation whose columns are the eigenvectors, of a symmetric matrix, by Jacobi's method.
void mat3_eigen_symmetric(const mat3 *a, scr_vec3 *values, scr_quat *axes);

#endif

// SPDX-License-Identifier: BSD-3-Clause
// Making Bullet's shapes is not counted. Its margins, which round and enlarge shapes, are 0, but a cylinder's, which is
// inside it.
#include "bullet_convex.h"

#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <btBulletCollisionCommon.h>

#include <ctime>
#include <memory>
#include <vector>

static btVector3 vector_of(const double v[3]) { return btVector3(v[0], v[1], v[2]); }

static std::unique_ptr<btConvexShape> make_shape(const peer_shape &s)
{
    if (s.kind == PEER_CYLINDER)
        return std::make_unique<btCylinderShapeZ>(btVector3(s.radius, s.radius, s.half_length));
    if (s.kind == PEER_BOX) {
        auto box = std::make_unique<btBoxShape>(btVector3(s.radius, s.radius, s.half_length));
        box->setMargin(0);
        return std::unique_ptr<btConvexShape>(std::move(box));
    }
    if (s.kind == PEER_SPHERE) return std::make_unique<btSphereShape>(s.radius);
    if (s.kind == PEER_TRIANGLE) {
        auto triangle =
            std::make_unique<btTriangleShape>(vector_of(s.corner[0]), vector_of(s.corner[1]), vector_of(s.corner[2]));
        triangle->setMargin(0);
        return std::unique_ptr<btConvexShape>(std::move(triangle));
    }
    auto hull = std::make_unique<btConvexHullShape>();
    for (auto &corner : s.corner) hull->addPoint(vector_of(corner), false);
    hull->recalcLocalAabb();
    hull->setMargin(0);
    return std::unique_ptr<btConvexShape>(std::move(hull));
}

static btTransform place(const peer_shape &s)
{
    const double *q = s.rotation;
    return btTransform(btQuaternion(q[1], q[2], q[3], q[0]), vector_of(s.position));
}

double bullet_pass(const peer_shape *a, const peer_shape *b, int count, double *gap)
{
    std::vector<std::unique_ptr<btConvexShape>> shapes;
    for (int k = 0; k < count; ++k) {
        shapes.push_back(make_shape(a[k]));
        shapes.push_back(make_shape(b[k]));
    }
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    std::clock_t start = std::clock();
    for (int k = 0; k < count; ++k) {
        btGjkPairDetector detector(shapes[2 * k].get(), shapes[2 * k + 1].get(), &simplex, &depth);
        btGjkPairDetector::ClosestPointInput input;
        input.m_transformA = place(a[k]);
        input.m_transformB = place(b[k]);
        btPointCollector found;
        detector.getClosestPoints(input, found, nullptr);
        gap[k] = found.m_hasResult ? found.m_distance : BT_LARGE_FLOAT;
    }
    return (double)(std::clock() - start) / CLOCKS_PER_SEC;
}

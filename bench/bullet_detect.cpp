// SPDX-License-Identifier: BSD-3-Clause
// Bullet's collision detection of the same spheres, from nothing, in double precision: bullet_detect SPHERES MODE PAIRS
//   SPHERES  int64 count, then x y z r of each as doubles
//   MODE     tree: its bounding volume tree alone, spheres tested by hand;  world: a collision world as it comes
//   PAIRS    written: int64 count, then int32 i < j of each contact
// Prints the seconds of processor time (one thread; the wall's where they agree). Making the world's objects is not
// counted, adding them is. Its margin around boxes is made small: nobody asked for pairs that do not touch.
#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#include <btBulletCollisionCommon.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <utility>
#include <vector>

extern btScalar gContactBreakingThreshold;

typedef std::vector<std::pair<int32_t, int32_t>> pair_vector;
struct sphere { double x, y, z, r; };

static double now() { return (double)std::clock() / CLOCKS_PER_SEC; }
static btVector3 centre(const sphere &s) { return btVector3(s.x, s.y, s.z); }

struct leaf_pairs : btDbvt::ICollide {
    pair_vector found;
    void Process(const btDbvtNode *a, const btDbvtNode *b) override { found.push_back({a->dataAsInt, b->dataAsInt}); }
};

static pair_vector with_tree(const std::vector<sphere> &s, double *seconds)
{
    double start = now();
    btDbvt tree;
    leaf_pairs leaves;
    pair_vector contacts;
    for (size_t i = 0; i < s.size(); ++i)
        tree.insert(btDbvtVolume::FromCR(centre(s[i]), s[i].r), nullptr)->dataAsInt = (int)i;
    tree.collideTT(tree.m_root, tree.m_root, leaves);
    for (auto &p : leaves.found) {
        double sum = s[p.first].r + s[p.second].r;
        if (p.first != p.second && centre(s[p.first]).distance2(centre(s[p.second])) < sum * sum) contacts.push_back(p);
    }
    *seconds = now() - start;
    return contacts;
}

static pair_vector with_world(const std::vector<sphere> &s, double *seconds)
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btCollisionWorld *world = new btCollisionWorld(&dispatcher, &broadphase, &configuration);
    world->setForceUpdateAllAabbs(true);
    std::vector<btCollisionObject *> object(s.size());
    for (size_t i = 0; i < s.size(); ++i) {
        object[i] = new btCollisionObject();
        object[i]->setCollisionShape(new btSphereShape(s[i].r));
        object[i]->getWorldTransform().setIdentity();
        object[i]->getWorldTransform().setOrigin(centre(s[i]));
        object[i]->setUserIndex((int)i);
    }
    double start = now();
    for (btCollisionObject *o : object) world->addCollisionObject(o);
    world->computeOverlappingPairs();
    dispatcher.dispatchAllCollisionPairs(broadphase.getOverlappingPairCache(), world->getDispatchInfo(), &dispatcher);
    pair_vector contacts;
    for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
        const btPersistentManifold *manifold = dispatcher.getManifoldByIndexInternal(m);
        for (int k = 0; k < manifold->getNumContacts(); ++k)
            if (manifold->getContactPoint(k).getDistance() < 0)
                contacts.push_back({manifold->getBody0()->getUserIndex(), manifold->getBody1()->getUserIndex()});
    }
    *seconds = now() - start;
    return contacts;  // the world is not taken down: that takes longer than all the rest, and the program ends anyway
}

int main(int argc, char **argv)
{
    if (argc != 4) return fprintf(stderr, "usage: bullet_detect SPHERES tree|world PAIRS\n"), 2;
    gContactBreakingThreshold = 1e-6;
    FILE *in = fopen(argv[1], "rb");
    int64_t count = 0;
    if (in == nullptr || fread(&count, sizeof count, 1, in) != 1) return perror(argv[1]), 1;
    std::vector<sphere> spheres((size_t)count);
    if (fread(spheres.data(), sizeof(sphere), spheres.size(), in) != spheres.size()) return perror(argv[1]), 1;
    fclose(in);
    double seconds = 0.0;
    pair_vector contacts =
        std::strcmp(argv[2], "world") == 0 ? with_world(spheres, &seconds) : with_tree(spheres, &seconds);
    for (auto &p : contacts)
        if (p.first > p.second) std::swap(p.first, p.second);
    FILE *out = fopen(argv[3], "wb");
    int64_t found = (int64_t)contacts.size();
    if (out == nullptr || fwrite(&found, sizeof found, 1, out) != 1) return perror(argv[3]), 1;
    for (auto &p : contacts) {
        int32_t pair[2] = {p.first, p.second};
        if (fwrite(pair, sizeof pair, 1, out) != 1) return perror(argv[3]), 1;
    }
    if (fclose(out) != 0) return perror(argv[3]), 1;
    printf("%.6f\n", seconds);
    fflush(stdout);
    _Exit(0);
}

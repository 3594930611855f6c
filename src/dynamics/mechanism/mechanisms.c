#include "dynamics/mechanism/mechanism.h"

void mechanisms_init(mechanisms *m)
{
    *m = (mechanisms){0};
    joints_init(&m->joints);
    springs_init(&m->springs);
    couplings_init(&m->couplings);
}

void mechanisms_free(mechanisms *m)
{
    joints_free(&m->joints);
    springs_free(&m->springs);
    couplings_free(&m->couplings);
}

// SPDX-License-Identifier: BSD-3-Clause
// Which damping gives which restitution.
//
// Hooke's law with c = 2 beta sqrt(m k), and Hertz' with the damping of law.h, which is the same oscillator in the
// variable d^(5/4) (Antypov and Elliott 2011), give a restitution that does not depend on speed. The force never pulls,
// so an impact ends when it is 0 (Schwager and Poeschel 2007):
//     beta = sin p  < 1:   ln e = -tan p (pi - 2 p)
//     beta = cosh q > 1:   ln e = -2 q / tanh q
// The textbook formula beta = -ln e / sqrt(pi^2 + ln^2 e) lets the damper pull to the end; at e = 0.5 the law here
// would then give 0.55. No damping stops a body dead: LEAST_RESTITUTION is as far as explicit steps go with ease.
#ifndef DYNAMICS_BODIES_DAMPING_H
#define DYNAMICS_BODIES_DAMPING_H

double damping_ratio(double restitution);  // beta

#endif

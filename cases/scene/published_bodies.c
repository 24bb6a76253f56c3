// SPDX-License-Identifier: MIT
#include "cases/scene/published_bodies.h"

#include "base/status.h"
#include "cases/scene/published_tets.h"

#include <string.h>

/// Bodies in our order, each as rotation (w, x, y, z), centre of mass [m], mass [kg] and principal
/// moments of inertia [kg m2] (0 where it is fixed): floats written with as many digits as it takes
/// to have them back.
typedef struct published_case {
  const char *case_name;
  size_t body_count;
  const float (*bodies)[11];
  double shift_x_m; ///< where the scene was beside others
  bool later_first; ///< the published order is the other one
} published_case;

static const float pillar_bodies[8][11] = {
    {1, 0, 0, 0, 0, -0.15f, 0, 0, 0, 0, 0},
    {1, 0, 0, 0, 0, 0.105f, 0, 105.0f, 2.573375f, 4.375f, 2.573375f},
    {0.7071068f, 0, 0, -0.7071068f, 0, 0.3072541f, 0, 67.073006f, 1.7326279f, 1.1095903f,
     1.1095903f},
    {0, 0, 0.7071068f, 0.7071068f, 0, 0.87314856f, 0, 215.5676f, 17.603237f, 17.603237f,
     3.9720275f},
    {0, 0, 0.7071068f, 0.7071068f, 0, 1.8051962f, 0, 179.73012f, 14.395807f, 14.395807f, 2.762514f},
    {0, 0, 0.7071068f, 0.7071068f, 0, 2.7369742f, 0, 147.15067f, 11.577392f, 11.577392f,
     1.8530031f},
    {-3.0908623e-8f, 0.7071068f, 0.7071068f, 3.0908623e-8f, 0, 3.3217857f, -6.400596e-9f,
     44.898594f, 0.99028903f, 0.60243726f, 0.60243726f},
    {1, 0, 0, 0, 0, 3.4475f, 0, 52.5f, 1.1419843f, 2.1875f, 1.1419843f}};

static const float wall_bodies[81][11] = {
    {1, 0, 0, 0, 0, -0.5f, 0, 0, 0, 0, 0},
    {1, 0, 0, 0, -2.5f, 0.2f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -1.875f, 0.2f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -1.25f, 0.2f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -0.625f, 0.2f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0, 0.2f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0.625f, 0.2f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 1.25f, 0.2f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 1.875f, 0.2f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -2.1875f, 0.6f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -1.5625f, 0.6f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -0.9375f, 0.6f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -0.3125f, 0.6f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0.3125f, 0.6f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0.9375f, 0.6f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 1.5625f, 0.6f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 2.1875f, 0.6f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -2.5f, 1.0f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -1.875f, 1.0f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -1.25f, 1.0f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -0.625f, 1.0f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0, 1.0f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0.625f, 1.0f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 1.25f, 1.0f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 1.875f, 1.0f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -2.1875f, 1.4f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -1.5625f, 1.4f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -0.9375f, 1.4f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -0.3125f, 1.4f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0.3125f, 1.4f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0.9375f, 1.4f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 1.5625f, 1.4f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 2.1875f, 1.4f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -2.5f, 1.8000001f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -1.875f, 1.8000001f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -1.25f, 1.8000001f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -0.625f, 1.8000001f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0, 1.8000001f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0.625f, 1.8000001f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 1.25f, 1.8000001f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 1.875f, 1.8000001f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -2.1875f, 2.2f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -1.5625f, 2.2f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -0.9375f, 2.2f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -0.3125f, 2.2f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0.3125f, 2.2f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0.9375f, 2.2f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 1.5625f, 2.2f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 2.1875f, 2.2f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -2.5f, 2.6000001f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -1.875f, 2.6000001f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -1.25f, 2.6000001f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -0.625f, 2.6000001f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0, 2.6000001f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0.625f, 2.6000001f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 1.25f, 2.6000001f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 1.875f, 2.6000001f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -2.1875f, 3.0f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -1.5625f, 3.0f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -0.9375f, 3.0f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -0.3125f, 3.0f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0.3125f, 3.0f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0.9375f, 3.0f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 1.5625f, 3.0f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 2.1875f, 3.0f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -2.5f, 3.4f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -1.875f, 3.4f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -1.25f, 3.4f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -0.625f, 3.4f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0, 3.4f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0.625f, 3.4f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 1.25f, 3.4f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 1.875f, 3.4f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -2.1875f, 3.8f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -1.5625f, 3.8f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -0.9375f, 3.8f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, -0.3125f, 3.8f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0.3125f, 3.8f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 0.9375f, 3.8f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 1.5625f, 3.8f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f},
    {1, 0, 0, 0, 2.1875f, 3.8f, 0, 2.5e+02f, 8.541667f, 13.3463545f, 11.4713545f}};

static const float arch_bodies[14][11] = {
    {1, 0, 0, 0, 0, -0.5f, 0, 0, 0, 0, 0},
    {0.7071068f, 0, 0, 0.7071068f, -1.75f, 0.33333334f, 0, 1333.3334f, 472.22223f, 493.82718f,
     77.1605f},
    {0.7071068f, 0, 0, 0.7071068f, 1.75f, 0.33333334f, 0, 1333.3334f, 472.22223f, 493.82718f,
     77.1605f},
    {0.7071068f, 0, 0, 0.7071068f, -1.75f, 1.0f, 0, 1333.3334f, 472.22223f, 493.82718f, 77.1605f},
    {0.7071068f, 0, 0, 0.7071068f, 1.75f, 1.0f, 0, 1333.3334f, 472.22223f, 493.82718f, 77.1605f},
    {0.7071068f, 0, 0, 0.7071068f, -1.75f, 1.6666667f, 0, 1333.3334f, 472.22223f, 493.82718f,
     77.1605f},
    {0.7071068f, 0, 0, 0.7071068f, 1.75f, 1.6666667f, 0, 1333.3334f, 472.22223f, 493.82718f,
     77.1605f},
    {4.1709994e-10f, 0.99371225f, 0.11196441f, -3.7018664e-9f, 1.6746631f, 2.382231f, 0, 1518.593f,
     584.5248f, 536.06396f, 108.19324f},
    {1.2303852e-9f, 0.94388336f, 0.330279f, -3.5162393e-9f, 1.3429755f, 3.0709875f, 0, 1518.593f,
     584.5248f, 536.06396f, 108.19324f},
    {1.9819737e-9f, 0.8467243f, 0.5320321f, -3.1542933e-9f, 0.7452952f, 3.5476213f, 0, 1518.593f,
     584.5248f, 536.06396f, 108.19324f},
    {2.6341778e-9f, 0.7071068f, 0.70710677f, -2.6341778e-9f, -7.158869e-8f, 3.71773f, 0, 1518.593f,
     584.5248f, 536.06396f, 108.19324f},
    {3.1542933e-9f, 0.53203213f, 0.8467242f, -1.9819737e-9f, -0.74529535f, 3.5476213f, 0, 1518.593f,
     584.5248f, 536.06396f, 108.19324f},
    {3.5162395e-9f, 0.33027908f, 0.94388336f, -1.2303853e-9f, -1.3429755f, 3.070987f, 0, 1518.593f,
     584.5248f, 536.06396f, 108.19324f},
    {3.7018666e-9f, 0.11196453f, 0.99371225f, -4.1710027e-10f, -1.6746631f, 2.382231f, 0, 1518.593f,
     584.5248f, 536.06396f, 108.19324f}};

static const float spike_in_crack_bodies[2][11] = {
    {0.7071068f, 0, 0, -0.7071068f, 2.4f, -0.047619052f, 0, 0, 0, 0, 0},
    {0, 0, -0.7071068f, 0.7071067f, 2.4f, 1.8f, -8.7979295e-9f, 4096.0f, 1409.0243f, 1409.0243f,
     1048.5764f}};

static const float spike_in_hole_bodies[2][11] = {
    {0.7071068f, 0, 0, -0.7071068f, 0, -0.016304348f, 0, 0, 0, 0, 0},
    {0, 0, -0.7071068f, 0.7071067f, 0, 1.8f, -8.7979295e-9f, 4096.0f, 1409.0243f, 1409.0243f,
     1048.5764f}};

static const float wedge_in_crack_bodies[2][11] = {
    {0.7071068f, 0, 0, -0.7071068f, -2.4f, -0.047619052f, 0, 0, 0, 0, 0},
    {-4.371139e-8f, 1.0f, 0, 0, -2.4f, 1.6f, -6.9938224e-8f, 12288.002f, 14417.923f, 11796.483f,
     5242.882f}};

static const float sliding_spike_bodies[2][11] = {{1, 0, 0, 0, 0, -1.0f, 0, 0, 0, 0, 0},
                                                  {0, 0, -0.7071068f, 0.7071067f, 2.4f, 1.8f,
                                                   -8.7979295e-9f, 4096.0f, 1409.0243f, 1409.0243f,
                                                   1048.5764f}};

static const float sliding_wedge_bodies[2][11] = {{1, 0, 0, 0, 0, -1.0f, 0, 0, 0, 0, 0},
                                                  {-4.371139e-8f, 1.0f, 0, 0, -2.4f, 1.6f,
                                                   -6.9938224e-8f, 12288.002f, 14417.923f,
                                                   11796.483f, 5242.882f}};

static const float spikes_bodies[2][11] = {
    {0, 0, 0.7071068f, 0.7071068f, 2.4f, -1.8f, -4.3655742e-8f, 0, 0, 0, 0},
    {0, 0, -0.7071068f, 0.7071067f, 2.4f, 1.8f, -8.7979295e-9f, 4096.0f, 1409.0243f, 1409.0243f,
     1048.5764f}};

static const float spike_and_wedge_bodies[2][11] = {
    {1, 0, 0, 0, 9.701275e-9f, -1.6f, 0, 0, 0, 0, 0},
    {0, 0, -0.7071068f, 0.7071067f, 0, 1.8f, -8.7979295e-9f, 4096.0f, 1409.0243f, 1409.0243f,
     1048.5764f}};

static const float wedges_bodies[2][11] = {{1, 0, 0, 0, -2.4f, -1.6f, 0, 0, 0, 0, 0},
                                           {-4.371139e-8f, 1.0f, 0, 0, -2.4f, 1.6f, -6.9938224e-8f,
                                            12288.002f, 14417.923f, 11796.483f, 5242.882f}};

static const float cliff_edges_bodies[2][11] = {
    {0.37812495f, 0.5975128f, 0.59751284f, 0.3781249f, -3.6762728e-8f, 1.3894738f, 0, 0, 0, 0, 0},
    {1, 0, 0, 0, 0, 4.8f, 0, 65536.0f, 111848.125f, 111848.125f, 111848.125f}};

static const float internal_edges_bodies[2][11] = {
    {0.7071068f, 0, 0, -0.7071068f, 0, 0, 0, 0, 0, 0, 0},
    {1, 0, 0, 0, 0, 2.0f, 0, 1.6e+04f, 10666.667f, 10666.667f, 10666.667f}};

static const published_case published_cases[] = {
    {.case_name = "pillar", .body_count = 8, .bodies = pillar_bodies},
    {.case_name = "wall", .body_count = 81, .bodies = wall_bodies},
    {.case_name = "arch", .body_count = 14, .bodies = arch_bodies},
    {.case_name = "spike_in_crack",
     .body_count = 2,
     .bodies = spike_in_crack_bodies,
     .shift_x_m = 2.4,
     .later_first = true},
    {.case_name = "spike_in_hole",
     .body_count = 2,
     .bodies = spike_in_hole_bodies,
     .later_first = true},
    {.case_name = "wedge_in_crack",
     .body_count = 2,
     .bodies = wedge_in_crack_bodies,
     .shift_x_m = -2.4,
     .later_first = true},
    {.case_name = "sliding_spike", .body_count = 2, .bodies = sliding_spike_bodies},
    {.case_name = "sliding_wedge", .body_count = 2, .bodies = sliding_wedge_bodies},
    {.case_name = "spikes",
     .body_count = 2,
     .bodies = spikes_bodies,
     .shift_x_m = 2.4,
     .later_first = true},
    {.case_name = "spike_and_wedge",
     .body_count = 2,
     .bodies = spike_and_wedge_bodies,
     .later_first = true},
    {.case_name = "wedges",
     .body_count = 2,
     .bodies = wedges_bodies,
     .shift_x_m = -2.4,
     .later_first = true},
    {.case_name = "cliff_edges", .body_count = 2, .bodies = cliff_edges_bodies},
    {.case_name = "internal_edges", .body_count = 2, .bodies = internal_edges_bodies},
};

static const published_case *find_case(const char *name, size_t body_count) {
  for (size_t i = 0; i < sizeof published_cases / sizeof *published_cases; i++)
    if (strcmp(published_cases[i].case_name, name) == 0 &&
        published_cases[i].body_count == body_count)
      return &published_cases[i];
  return NULL;
}

/// Not made unit: in double it would no longer be what the floats were.
static ts_pose pose_of(const float v[11]) {
  return (ts_pose){{(double)v[0], (double)v[1], (double)v[2], (double)v[3]},
                   {(double)v[4], (double)v[5], (double)v[6]}};
}

static void shift_regions(ts_scene *scene, double x_m) {
  for (size_t r = 0; r < scene->region_count; r++)
    for (size_t i = 0; i < scene->regions[r].vertex_count; i++)
      scene->regions[r].vertices[i].x += x_m;
}

/// A frame in a mesh: its first vertex, the way to the vertex farthest from it, and the plane with
/// the one farthest from that line. As a pose, from the frame to the mesh.
static ts_pose frame_of(const ts_mesh *mesh, uint32_t second, uint32_t third) {
  ts_vec3 origin = mesh->vertices[0];
  ts_vec3 x = ts_vec3_unit(ts_vec3_sub(mesh->vertices[second], origin));
  ts_vec3 z = ts_vec3_unit(ts_vec3_cross(x, ts_vec3_sub(mesh->vertices[third], origin)));
  return (ts_pose){ts_quat_from_axes(x, ts_vec3_cross(z, x), z), origin};
}

/// From the published frame of a shape to the designed one.
static ts_pose to_designed(const ts_mesh *designed, const ts_mesh *published) {
  uint32_t second = 0, third = 0;
  double largest = 0;
  for (uint32_t i = 1; i < designed->vertex_count; i++) {
    double distance = ts_vec3_distance(designed->vertices[i], designed->vertices[0]);
    second = distance > largest ? i : second;
    largest = distance > largest ? distance : largest;
  }
  ts_vec3 along = ts_vec3_sub(designed->vertices[second], designed->vertices[0]);
  largest = 0;
  for (uint32_t i = 1; i < designed->vertex_count; i++) {
    ts_vec3 to = ts_vec3_sub(designed->vertices[i], designed->vertices[0]);
    double area = ts_vec3_norm(ts_vec3_cross(along, to));
    third = area > largest ? i : third;
    largest = area > largest ? area : largest;
  }
  return ts_pose_mul(frame_of(designed, second, third),
                     ts_pose_inverse(frame_of(published, second, third)));
}

static ts_status take_bodies(ts_scene *scene, const published_case *p,
                             const ts_vec3 *designed_translations) {
  ts_principal_mass *masses = ts_arena_array(scene->arena, scene->body_count, sizeof *masses);
  if (!masses)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->body_count; i++) {
    const float *m = p->bodies[i] + 7;
    masses[i] = (ts_principal_mass){(double)m[0], {(double)m[1], (double)m[2], (double)m[3]}};
    ts_body *body = &scene->bodies[i];
    ts_vec3 moved = ts_vec3_sub(body->pose.translation, designed_translations[i]);
    body->pose = pose_of(p->bodies[i]);
    body->pose.translation = ts_vec3_add(body->pose.translation, moved);
  }
  scene->published_masses = masses;
  scene->later_body_first = p->later_first;
  shift_regions(scene, p->shift_x_m);
  return TS_OK;
}

ts_status ts_published_bodies_place(ts_scene *scene, const char *case_name,
                                    const ts_vec3 *designed_translations) {
  const published_case *p = find_case(case_name, scene->body_count);
  for (size_t i = 0; i < scene->shape_count; i++) {
    ts_shape *shape = &scene->shapes[i];
    const ts_mesh *mesh;
    TS_TRY(ts_published_tets_surface(&mesh, scene->arena, scene->published_tets[i], shape->mesh));
    ts_pose frame = to_designed(shape->mesh, mesh);
    for (size_t k = 0; !p && k < scene->body_count; k++)
      if ((size_t)scene->bodies[k].shape == i)
        scene->bodies[k].pose = ts_pose_mul(scene->bodies[k].pose, frame);
    shape->mesh = mesh;
    shape->bounds_local = ts_mesh_bounds(mesh);
    shape->piece_count = 0; // theirs is the designed frame, and faces that rounding has not bent
  }
  return p ? take_bodies(scene, p, designed_translations) : TS_OK;
}

// SPDX-License-Identifier: MIT
/// How contacts push bodies: by an impulse each, by pressures that keep volumes of overlap from
/// growing (Allard 2010), or by a penalty on the volumes (Faure 2008).
///
/// Contact i of a pair has the point p, the unit normal n from a to b, the gap and the area A. The
/// volume that it stands for is V = -A gap, and its rate of decrease, by the twists of a and b,
///
///   N = A (-n, -(p - c_a) x n, n, (p - c_b) x n)
///
/// with c the centres of mass. Rows are kept divided by the length of their linear part, so that
/// every multiplier is an impulse [kg m/s]: a pressure, or the derivative of an energy by the
/// volume, times the area.
#ifndef TS_SIM_RESPONSE_H
#define TS_SIM_RESPONSE_H

#include "geometry/contact_set.h"

typedef enum ts_response {
  /// A unilateral constraint and friction for each contact, whatever its area and its gap.
  TS_RESPONSE_POINTS = 0,
  /// The same for each volume: no volume grows (Allard 2010, Eq. 16, 17), with Coulomb friction
  /// on the velocity weighted by area (Eq. 8 to 10, 20, 21). There is no spin friction.
  TS_RESPONSE_VOLUME = 1,
  /// The energy k V^2 / 2 for the volume V of each pair, and a viscous force against the tangential
  /// velocity (Faure 2008, section 3.3). No Coulomb friction.
  TS_RESPONSE_PENALTY = 2
} ts_response;

/// What has a row of its own: with TS_RESPONSE_VOLUME a constraint, with TS_RESPONSE_PENALTY a
/// viscous force. A penalty has one volume for each pair in any case.
typedef enum ts_volume_rows {
  TS_ROWS_CONTACT = 0,
  TS_ROWS_PAIR = 1 ///< Sums over the contacts of a pair; friction at their mean point.
} ts_volume_rows;

typedef enum ts_integration {
  TS_INTEGRATION_IMPLICIT = 0, ///< (M + h D + h^2 K) dv = h (f - D v) - h^2 K v
  TS_INTEGRATION_EXPLICIT = 1  ///< M dv = h (f - D v): diverges where h A sqrt(k / m) exceeds 2
} ts_integration;

typedef struct ts_response_params {
  int32_t kind;        ///< ts_response
  int32_t rows;        ///< ts_volume_rows
  int32_t integration; ///< ts_integration, of a penalty
  /// Nonzero: the impulse of a pair in the solve before is where this one starts, spread evenly
  /// over the area; not for TS_RESPONSE_POINTS.
  int32_t starts_even;
  /// Above 0: the contacts of a pair share this area [m2], whatever theirs are. 0: their own.
  double even_area_m2;
  double stiffness_n_m5;   ///< k of a penalty, from 0
  double viscosity_n_s_m3; ///< of a penalty, force over area and velocity, from 0
} ts_response_params;

/// TS_E_INPUT and a message that names the first parameter out of its range.
ts_status ts_response_params_check(const ts_response_params *params);

/// Area of a contact of a set [m2]: its own, or its share of an even one.
double ts_response_area_m2(const ts_contact_set *set, size_t contact,
                           const ts_response_params *params);

#endif

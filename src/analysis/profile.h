/* How a liquid is spread along a direction. */
#ifndef BL_ANALYSIS_PROFILE_H
#define BL_ANALYSIS_PROFILE_H

#include "analysis/liquid.h"

/* Amplitude of cos and sin of k s in the mass along the unit vector `axis` (s = x . axis), relative to the mean mass
 * a length: 2/N |sum exp(-i k s)|. For a jet r = R (1 + eps cos ks) it is 2 eps, for a layer of mean depth H with the
 * surface H + a cos ks it is a/H. k has to be that of a whole number of waves in the (periodic) length. */
double bl_profile_wave(const bl_liquid *liquid, bl_vec3d axis, double k);

/* Coordinate along `axis` below which `share` of the particles lie. */
bl_status bl_profile_quantile(bl_context *ctx, const bl_liquid *liquid, bl_vec3d axis, double share, double *out);

/* Tension of a flat film (2D): the force per length of depth that its two surfaces exert together along x, from the
 * virials between x = from and x = to. With sigma_yy = 0, as in every free film at rest, the trace of the stress is
 * sigma_xx, so that the force is -2 sum virial h^2/(to - from). NaN without virials. */
double bl_profile_film_force(const bl_liquid *liquid, double from, double to);

#endif

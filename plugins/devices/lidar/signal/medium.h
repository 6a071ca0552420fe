// How fog, rain, snow and dust take light away and send some of it back.
#pragma once

#include "device/surroundings.h"

namespace protobeam {

struct Medium {
  double extinction = 0;   ///< 1/m
  double backscatter = 0;  ///< 1/(m sr)

  bool clear() const { return extinction <= 0; }
};

/// Extinction of light of a wavelength (m), in 1/m.
///   fog    3.912 / V (lambda / 550 nm)^-q: H. Koschmieder, Beitr. Phys. freien Atm. 12 (1924), for
///          a contrast of 2 %; q by P. Kruse et al., "Elements of infrared technology", 1962, and
///          below 6 km by I. Kim, B. McArthur, E. Korevaar, Proc. SPIE 4214 (2001).
///   rain   1.076 R^0.67 dB/km, R in mm/h: Recommendation ITU-R P.1814 (2007), 4.2.
///   snow   (5.42e-5 lambda/nm + 5.4958776) S^1.38 dB/km, S in mm/h: ibidem, 4.3, dry snow.
///   dust   3 M / (2 rho r), which is two cross-sections of each grain (H. van de Hulst, "Light
///          scattering by small particles", 1957), rho 2600 kg/m^3, effective radius r 1 um.
double fog_extinction(double visibility, double wavelength);
double rain_extinction(double rate);
double snow_extinction(double rate, double wavelength);
double dust_extinction(double density);

/// All of it. Backscatter is extinction over the lidar ratio: 18.8 sr for drops of fog and of rain
/// (E. O'Connor, A. Illingworth, R. Hogan, J. Atmos. Oceanic Technol. 21 (2004)), 20 sr for snow
/// (as for cirrus, within its wide scatter) and 50 sr for mineral dust (D. Mueller et al., J.
/// Geophys. Res. 112 (2007): 46 to 60).
Medium medium_of(const Atmosphere& atmosphere, double wavelength);

}  // namespace protobeam

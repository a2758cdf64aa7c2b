//! [`Kernel`]: how much of a particle is at a distance from it.

use std::f64::consts::PI;

use crate::bodies::particles::{FluidSettings, Kernels};
use crate::math::Vec3;

/// A kernel of one radius, with the tensile term of a fluid.
///
/// Both kernels are those of Muller, Charypar, Gross 2003 ("Particle-Based Fluid Simulation for Interactive Applications", eq. 20, 21), whose
/// integral over space is 1. The tensile term of Macklin, Muller 2013 ("Position Based Fluids", eq. 13) is added to the multipliers of a pair;
/// here it is the share k (W(r) / W(q))^n of them (as Monaghan 2000, "SPH without a Tensile Instability"), so that it is part of the
/// constraint's gradient, depends neither on the size of parts nor on the number of sweeps, and is balanced at rest as all else.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kernel {
    /// Distance from which on it is 0 [m].
    pub radius: f64,
    sort: Kernels,
    /// Factor of (h^2 - r^2)^3 [1/m^9].
    poly6: f64,
    /// Factor of (h - r)^3 [1/m^6].
    spiky: f64,
    /// k, and n.
    tensile: Option<(f64, i32)>,
    /// 1 / W(q) [m^3].
    at_tensile: f64,
}

impl Kernel {
    /// That of a fluid whose particles are this far apart [m].
    pub fn new(settings: &FluidSettings, spacing: f64) -> Self {
        let radius = settings.radius * spacing;
        let mut kernel = Self {
            radius,
            sort: settings.kernel,
            poly6: 315.0 / (64.0 * PI * radius.powi(9)),
            spiky: 15.0 / (PI * radius.powi(6)),
            tensile: None,
            at_tensile: 0.0,
        };
        kernel.at_tensile = 1.0 / kernel.plain((settings.tensile.distance * radius).powi(2));
        kernel.tensile = (settings.tensile.strength > 0.0).then_some((settings.tensile.strength, settings.tensile.power as i32));
        kernel
    }

    /// W at the square of a distance [1/m^3]: what densities, and velocities around, are sums of.
    #[inline]
    pub fn plain(&self, square: f64) -> f64 {
        match self.sort {
            Kernels::Poly6Spiky => self.poly6 * (self.radius * self.radius - square).max(0.0).powi(3),
            Kernels::Spiky => self.spiky * (self.radius - square.sqrt()).max(0.0).powi(3),
        }
    }

    /// What another particle at the square of a distance adds to a density [1/m^3]: W, and what the tensile term is the gradient of.
    #[inline]
    pub fn weight(&self, square: f64) -> f64 {
        let plain = self.plain(square);
        match self.tensile {
            None => plain,
            Some((share, power)) => plain * (1.0 + share / f64::from(power + 1) * (plain * self.at_tensile).powi(power)),
        }
    }

    /// The gradient [1/m^4] by the place of a particle that is `away` [m] from the other: that of the spiky kernel, with the tensile term.
    #[inline]
    pub fn gradient(&self, away: &Vec3) -> Vec3 {
        let square = away.norm_squared();
        if square >= self.radius * self.radius || square == 0.0 {
            return Vec3::zeros();
        }
        let r = square.sqrt();
        let mut slope = -3.0 * self.spiky * (self.radius - r).powi(2) / r;
        if let Some((share, power)) = self.tensile {
            slope *= 1.0 + share * (self.plain(square) * self.at_tensile).powi(power);
        }
        slope * away
    }

    /// What a particle adds to its own density [1/m^3].
    pub fn own(&self) -> f64 {
        self.plain(0.0)
    }

    /// Of a cubic lattice of this spacing [m]: its density, as a number of particles [1/m^3], and by how much of that the sum of kernels grows per
    /// share of its volume that it loses, minus a third of the sum of r . grad W. In the limit of many neighbours both are one a cell.
    pub fn of_lattice(&self, spacing: f64) -> [f64; 2] {
        let reach = (self.radius / spacing).ceil() as i64;
        let mut sums = [self.own(), 0.0];
        for i in -reach..=reach {
            for j in -reach..=reach {
                for k in -reach..=reach {
                    if (i, j, k) != (0, 0, 0) {
                        let away = spacing * Vec3::new(i as f64, j as f64, k as f64);
                        sums[0] += self.weight(away.norm_squared());
                        sums[1] -= away.dot(&self.gradient(&away)) / 3.0;
                    }
                }
            }
        }
        sums
    }
}

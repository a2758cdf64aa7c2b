//! [`Liquid`]: a weakly compressible liquid, p = k (J^-gamma - 1) (Cole 1948; Tampubolon et al. 2017, eq. 8). It resists changes of volume alone.

use super::invariants::Strain;
use super::{Lame, Material};
use crate::math::{Mat3, Vec3};

/// The law of a liquid.
#[derive(Debug, Clone, Copy)]
pub struct Liquid {
    /// k [Pa]; times gamma the bulk modulus at rest.
    pub stiffness: f64,
    /// gamma.
    pub exponent: f64,
}

/// Logarithm of the volume below which the energy is taken from its series: the constants of the closed form cancel there.
const SMALL: f64 = 1e-4;

impl Liquid {
    /// Pressure where the logarithm of the volume over that at rest is `x` [Pa].
    pub fn pressure(&self, x: f64) -> f64 {
        self.stiffness * (-self.exponent * x).exp_m1()
    }

    /// The logarithm of the volume under a pressure [Pa]; `None` where it is torn apart.
    pub fn volume_under(&self, pressure: f64) -> Option<f64> {
        let x = -(pressure / self.stiffness).ln_1p() / self.exponent;
        x.is_finite().then_some(x)
    }
}

impl Material for Liquid {
    fn lame(&self) -> Lame {
        Lame { mu: 0.0, lambda: self.stiffness * self.exponent }
    }

    fn survives_inversion(&self) -> bool {
        false
    }

    fn liquid(&self) -> Option<&Liquid> {
        Some(self)
    }

    fn energy(&self, strain: &Vec3) -> f64 {
        if !strain.iter().all(|strain| *strain > -1.0) {
            return f64::INFINITY;
        }
        let (x, g) = (strain.map(f64::ln_1p).sum(), self.exponent);
        if x.abs() < SMALL {
            // Of k (e^((1 - g) x) - 1) / (g - 1) + k (e^x - 1).
            return self.stiffness * 0.5 * g * x * x * (1.0 + (2.0 - g) * x / 3.0 + (g * g - 3.0 * g + 3.0) * x * x / 12.0);
        }
        self.stiffness * (((1.0 - g) * x).exp_m1() / (g - 1.0) + x.exp_m1())
    }

    fn gradient(&self, strain: &Vec3) -> Vec3 {
        let x = strain.map(f64::ln_1p).sum();
        strain.map(|strain| -self.pressure(x) * x.exp() / (1.0 + strain))
    }

    fn hessian(&self, strain: &Vec3) -> Mat3 {
        let x = strain.map(f64::ln_1p).sum();
        let inverse = strain.map(|strain| 1.0 / (1.0 + strain));
        // J^2 psi'' and J psi'.
        let (second, first) = (self.stiffness * self.exponent * ((1.0 - self.exponent) * x).exp(), -self.pressure(x) * x.exp());
        Mat3::from_fn(|j, k| (second + if j == k { 0.0 } else { first }) * (inverse[j] * inverse[k]))
    }

    fn kirchhoff_of(&self, g: &Mat3) -> Mat3 {
        let strain = Strain::of_gradient(g).0;
        Mat3::from_diagonal_element(-self.pressure(strain.growth.ln_1p()) * strain.volume)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::random::Random;

    #[test]
    fn derivatives_match_central_differences() {
        let mut random = Random::new(3);
        for exponent in [1.5, 7.0] {
            let liquid = Liquid { stiffness: 1e5, exponent };
            for size in [0.1, 1e-5] {
                for _ in 0..50 {
                    let (s, h) = (random.vector(-size, size), 1e-4 * size);
                    let (gradient, hessian) = (liquid.gradient(&s), liquid.hessian(&s));
                    for k in 0..3 {
                        let (forward, backward) = (s + Vec3::ith(k, h), s - Vec3::ith(k, h));
                        let slope = (liquid.energy(&forward) - liquid.energy(&backward)) / (2.0 * h);
                        assert!((slope - gradient[k]).abs() < 1e-5 * 1e5 * size, "{slope} {}", gradient[k]);
                        let slope = (liquid.gradient(&forward) - liquid.gradient(&backward)) / (2.0 * h);
                        assert!((slope - hessian.column(k)).amax() < 1e-5 * 1e5);
                    }
                }
            }
            // The series and the closed form are one.
            let [below, above] =
                [0.999, 1.001].map(|share| liquid.energy(&Vec3::new((share * SMALL).exp_m1(), 0.0, 0.0)) / (share * share));
            assert!((below / above - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn pressures_are_those_of_volumes() {
        let liquid = Liquid { stiffness: 1e5, exponent: 7.0 };
        for pressure in [-9e4, -1e-3, 0.0, 1e-6, 3e3, 1e6] {
            let x = liquid.volume_under(pressure).unwrap();
            assert!((liquid.pressure(x) - pressure).abs() <= 1e-12 * pressure.abs().max(1e-12));
        }
        assert_eq!(liquid.volume_under(-1.0001e5), None);
    }
}

//! [`YieldSurface`]: the stresses that a material bears before it flows, and the way back to them.
//!
//! Stresses are Kirchhoff's, linear in the logarithms of the stretches (`hencky`). A state outside flows without a change of volume to
//! the nearest deviator (von Mises; Klar et al. 2016, "Drucker-Prager Elastoplasticity for Sand Animation"); past the tip of the cone grains part
//! from one another, and the volume that they gain there is given back before they press again (Tampubolon et al. 2017, "Multi-species simulation of
//! porous sand and water mixtures", 4.3.4).

use super::Lame;
use crate::math::Vec3;

/// |dev tau| <= size - slope tr tau, by Frobenius' norm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct YieldSurface {
    /// How much more is borne under pressure; 0 of metals.
    pub slope: f64,
    /// What is borne without pressure [Pa].
    pub size: f64,
}

/// Strain by which a state may be outside and count as inside: round-off of what was mapped back.
const ROUND_OFF: f64 = 1e-13;

impl YieldSurface {
    /// Of a metal that yields at this stress [Pa] when it is pulled.
    pub fn von_mises(stress: f64) -> Self {
        Self { slope: 0.0, size: (2.0_f64 / 3.0).sqrt() * stress }
    }

    /// Of grains with this angle of friction [degrees], between 0 and 90, which cling to one another by `cohesion` [Pa]: Coulomb's strength where two principal
    /// stresses are equal to the lesser pressure.
    pub fn drucker_prager(friction_angle: f64, cohesion: f64) -> Self {
        let (sine, cosine) = friction_angle.to_radians().sin_cos();
        let of = (2.0_f64 / 3.0).sqrt() / (3.0 - sine);
        Self { slope: 2.0 * sine * of, size: 6.0 * cohesion * cosine * of }
    }

    /// The angle of friction of its slope [degrees]; `None` where no angle is enough.
    pub fn friction_angle(&self) -> Option<f64> {
        let m = self.slope * 1.5_f64.sqrt() / 2.0;
        let sine = 3.0 * m / (1.0 + m);
        (sine <= 1.0).then(|| sine.asin().to_degrees())
    }

    /// The stress at which it yields where it is pulled, without pressure from the sides, if it has no slope [Pa].
    pub fn yield_stress(&self) -> f64 {
        1.5_f64.sqrt() * self.size
    }

    /// With this share of its strength.
    pub fn shared(self, share: f64) -> Self {
        Self { slope: share * self.slope, size: share * self.size }
    }

    /// How far a state of these principal logarithms is inside [Pa], negative outside.
    pub fn margin(&self, lame: &Lame, logarithms: &Vec3) -> f64 {
        let trace = logarithms.sum();
        self.size - self.slope * bulk(lame) * trace - 2.0 * lame.mu * logarithms.add_scalar(-trace / 3.0).norm()
    }

    /// Where a state of these principal logarithms flows to, and the logarithm of the volume that it has gained past the tip, from what it had
    /// `gained` before; `None` where it stays as it is.
    pub fn back(&self, lame: &Lame, logarithms: &Vec3, gained: f64) -> Option<(Vec3, f64)> {
        let given_back = logarithms.add_scalar(gained / 3.0);
        if self.margin(lame, &given_back) >= -2.0 * lame.mu * ROUND_OFF {
            return (gained != 0.0).then_some((given_back, 0.0));
        }
        let trace = given_back.sum();
        let pressed = self.size - self.slope * bulk(lame) * trace;
        if pressed <= 0.0 {
            let tip = self.size / (self.slope * bulk(lame));
            return Some((Vec3::repeat(tip / 3.0), gained + logarithms.sum() - tip));
        }
        let deviator = given_back.add_scalar(-trace / 3.0);
        Some((pressed / (2.0 * lame.mu * deviator.norm()) * deviator + Vec3::repeat(trace / 3.0), 0.0))
    }
}

/// tr tau over the trace of the logarithms [Pa].
fn bulk(lame: &Lame) -> f64 {
    3.0 * lame.lambda + 2.0 * lame.mu
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::random::Random;

    const SURFACES: [fn() -> YieldSurface; 4] = [
        || YieldSurface::von_mises(800.0),
        || YieldSurface::drucker_prager(30.0, 0.0),
        || YieldSurface::drucker_prager(0.0, 300.0),
        || YieldSurface::drucker_prager(25.0, 300.0),
    ];

    fn energy(lame: &Lame, logarithms: &Vec3) -> f64 {
        lame.mu * logarithms.norm_squared() + 0.5 * lame.lambda * logarithms.sum().powi(2)
    }

    /// 25 degrees: 0.2678 (Klar et al. 2016). Grains pressed by p from the sides bear p (1 + sin phi)/(1 - sin phi) from above.
    #[test]
    fn cones_are_those_of_coulomb() {
        assert!((YieldSurface::drucker_prager(25.0, 0.0).slope - 0.2678).abs() < 5e-5);
        assert!((YieldSurface::drucker_prager(25.0, 3.0).friction_angle().unwrap() - 25.0).abs() < 1e-12);
        assert!((YieldSurface::von_mises(800.0).yield_stress() - 800.0).abs() < 1e-9);
        let (sine, cohesion) = (30_f64.to_radians().sin(), 70.0);
        let side = 1000.0;
        let above = side * (1.0 + sine) / (1.0 - sine) + 2.0 * cohesion * 30_f64.to_radians().cos() / (1.0 - sine);
        let tau = -Vec3::new(side, above, side);
        let surface = YieldSurface::drucker_prager(30.0, cohesion);
        let borne = surface.size - surface.slope * tau.sum();
        assert!((tau.add_scalar(-tau.sum() / 3.0).norm() / borne - 1.0).abs() < 1e-12);
        let pulled = Vec3::new(800.0, 0.0, 0.0);
        let metal = YieldSurface::von_mises(800.0);
        assert!((pulled.add_scalar(-800.0 / 3.0).norm() / metal.size - 1.0).abs() < 1e-12);
    }

    /// What flows ends on the surface, stays there to the bit, has no more energy than before and keeps its volume but for what parts; what is inside
    /// stays as it is.
    #[test]
    fn what_flows_ends_on_the_surface() {
        let mut random = Random::new(7);
        let lame = Lame::from_young_poisson(1e5, 0.3);
        let mut cases = [0; 3];
        for surface in SURFACES.map(|of| of()) {
            for _ in 0..500 {
                let state = random.vector(-0.02, 0.02);
                let margin = surface.margin(&lame, &state);
                let Some((after, gained)) = surface.back(&lame, &state, 0.0) else {
                    assert!(margin >= 0.0);
                    cases[0] += 1;
                    continue;
                };
                assert!(margin < 0.0 && surface.margin(&lame, &after).abs() < 1e-9 * lame.mu);
                assert_eq!(surface.back(&lame, &after, 0.0), None);
                assert!(energy(&lame, &after) <= energy(&lame, &state));
                assert!((after.sum() + gained - state.sum()).abs() < 1e-15, "{gained}");
                cases[if gained > 0.0 { 2 } else { 1 }] += 1;
                assert!(gained >= 0.0 && (gained == 0.0 || surface.slope > 0.0));
            }
        }
        assert!(cases.iter().all(|count| *count > 100), "{cases:?}");
    }

    /// Grains that were pulled apart and are pushed together again press where they have their volume again, and no sooner.
    #[test]
    fn grains_give_back_what_they_gained() {
        let (surface, lame) = (YieldSurface::drucker_prager(30.0, 0.0), Lame::from_young_poisson(1e5, 0.3));
        let (mut state, mut gained) = (Vec3::zeros(), 0.0);
        let mut whole = 0.0;
        for change in [0.01, 0.02, -0.005, -0.015, -0.009, -0.002] {
            whole += 3.0 * change;
            let trial = state.add_scalar(change);
            (state, gained) = surface.back(&lame, &trial, gained).unwrap_or((trial, gained));
            assert!((state.sum() - whole.min(0.0)).abs() < 1e-14, "{} {whole}", state.sum());
        }
        assert!(state.sum() < -2e-3 && gained == 0.0);
    }
}

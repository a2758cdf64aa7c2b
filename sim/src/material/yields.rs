//! [`YieldSurface`]: the stresses that a material bears before it flows, and the way back to them.
//!
//! Stresses are Kirchhoff's, linear in the logarithms of the stretches (`hencky`). A state outside flows without a change of volume to
//! the nearest deviator (von Mises; Klar et al. 2016, "Drucker-Prager Elastoplasticity for Sand Animation"); past the tip of the cone grains part
//! from one another, and the volume that they gain there is given back before they press again (Tampubolon et al. 2017, "Multi-species simulation of
//! porous sand and water mixtures", 4.3.4).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Lame;
use crate::math::Vec3;

/// In which state of stress a cone of Drucker and Prager bears what Coulomb's grains bear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Matched {
    /// Pressed the same from all sides and more from above, as in the triaxial test: what is published of sand by material points (Klar et al. 2016). A slope of
    /// which each slice is held in its plane bears more than its angle of friction; from 37 degrees on it stands however steep it is.
    #[default]
    Compression,
    /// Held in a plane, as each slice of a slope is: this flows at its angle of friction, without a change of volume.
    Plane,
}

/// |dev tau| <= size - slope tr tau, by Frobenius' norm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct YieldSurface {
    /// How much more is borne under pressure; 0 of metals.
    pub slope: f64,
    /// What is borne without pressure [Pa].
    pub size: f64,
}

/// The largest logarithm of a volume that [`YieldSurface::of_cauchy`] allows for.
const MOST_GROWTH: f64 = 0.05;
/// Rounds in which a volume is found from its pressure.
const ROUNDS: usize = 50;
/// Strain by which a state may be outside and count as inside: round-off of what was mapped back.
pub const ROUND_OFF: f64 = 1e-13;

impl YieldSurface {
    /// Of a metal that yields at this stress [Pa] when it is pulled.
    pub fn von_mises(stress: f64) -> Self {
        Self { slope: 0.0, size: (2.0_f64 / 3.0).sqrt() * stress }
    }

    /// Of grains with this angle of friction [degrees], between 0 and 90, which cling to one another by `cohesion` [Pa]: Coulomb's strength where the cone is
    /// `matched` to it.
    pub fn drucker_prager(friction_angle: f64, cohesion: f64, matched: Matched) -> Self {
        let (sine, cosine) = friction_angle.to_radians().sin_cos();
        match matched {
            Matched::Compression => {
                let of = (2.0_f64 / 3.0).sqrt() / (3.0 - sine);
                Self { slope: 2.0 * sine * of, size: 6.0 * cohesion * cosine * of }
            }
            // Half of the difference of the outer two principal stresses is p sin + c cos, and the third is p, as what flows along the deviator keeps its width.
            Matched::Plane => Self { slope: 2.0_f64.sqrt() / 3.0 * sine, size: 2.0_f64.sqrt() * cohesion * cosine },
        }
    }

    /// The angle of friction of its slope, which is so `matched` [degrees]; `None` where no angle is enough.
    pub fn friction_angle(&self, matched: Matched) -> Option<f64> {
        let sine = match matched {
            Matched::Compression => {
                let m = self.slope * 1.5_f64.sqrt() / 2.0;
                3.0 * m / (1.0 + m)
            }
            Matched::Plane => 3.0 / 2.0_f64.sqrt() * self.slope,
        };
        (sine <= 1.0).then(|| sine.asin().to_degrees())
    }

    /// What its grains cling to one another with, whose cone is so `matched` [Pa]; `None` as well.
    pub fn cohesion(&self, matched: Matched) -> Option<f64> {
        let (sine, cosine) = self.friction_angle(matched)?.to_radians().sin_cos();
        Some(match matched {
            Matched::Compression => self.size * (3.0 - sine) / (24.0_f64.sqrt() * cosine),
            Matched::Plane => self.size / (2.0_f64.sqrt() * cosine),
        })
    }

    /// The stress at which it yields where it is pulled, without pressure from the sides, if it has no slope [Pa].
    pub fn yield_stress(&self) -> f64 {
        1.5_f64.sqrt() * self.size
    }

    /// With this share of its strength.
    pub fn shared(self, share: f64) -> Self {
        Self { slope: share * self.slope, size: share * self.size }
    }

    /// What bounds Cauchy's stresses so that Kirchhoff's, which are J times as large, are inside: J is at most that of the tip. Itself where there is none, and
    /// J may be more ([`Self::bears`]).
    pub fn of_cauchy(self, lame: &Lame) -> Self {
        let growth = if self.slope > 0.0 { (self.size / (self.slope * bulk(lame))).min(MOST_GROWTH) } else { 0.0 };
        Self { size: self.size * (-growth).exp(), ..self }
    }

    /// The largest deviator of Cauchy's stress, by Frobenius' norm, that is borne beside such a trace of it [Pa].
    pub fn bears(&self, lame: &Lame, trace: f64) -> f64 {
        self.size * (-growth(lame, trace)).exp() - self.slope * trace
    }

    /// The size with which it would bear a deviator of this norm beside such a trace [Pa].
    pub fn wanted_size(&self, lame: &Lame, trace: f64, deviator: f64) -> f64 {
        (deviator + self.slope * trace).max(0.0) * growth(lame, trace).exp()
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

/// ln J where Cauchy's stress has such a trace [Pa], J times as large as which that of Kirchhoff's is.
fn growth(lame: &Lame, trace: f64) -> f64 {
    (0..ROUNDS).fold(0.0, |growth: f64, _| growth.min(1.0).exp() * trace / bulk(lame))
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
        || YieldSurface::drucker_prager(30.0, 0.0, Matched::Compression),
        || YieldSurface::drucker_prager(0.0, 300.0, Matched::Compression),
        || YieldSurface::drucker_prager(25.0, 300.0, Matched::Plane),
    ];

    fn energy(lame: &Lame, logarithms: &Vec3) -> f64 {
        lame.mu * logarithms.norm_squared() + 0.5 * lame.lambda * logarithms.sum().powi(2)
    }

    /// 25 degrees: 0.2678 (Klar et al. 2016). Grains pressed by p from the sides bear p (1 + sin phi)/(1 - sin phi) from above; those that are held in a plane
    /// as well, with the mean of both across it.
    #[test]
    fn cones_are_those_of_coulomb() {
        assert!((YieldSurface::drucker_prager(25.0, 0.0, Matched::Compression).slope - 0.2678).abs() < 5e-5);
        for matched in [Matched::Compression, Matched::Plane] {
            let surface = YieldSurface::drucker_prager(25.0, 3.0, matched);
            assert!((surface.friction_angle(matched).unwrap() - 25.0).abs() < 1e-12);
            assert!((surface.cohesion(matched).unwrap() - 3.0).abs() < 1e-12);
            // Steeper than any angle.
            assert_eq!(surface.shared(10.0).cohesion(matched), None);
        }
        assert!((YieldSurface::von_mises(800.0).yield_stress() - 800.0).abs() < 1e-9);
        let (sine, cohesion) = (30_f64.to_radians().sin(), 70.0);
        let side = 1000.0;
        let above = side * (1.0 + sine) / (1.0 - sine) + 2.0 * cohesion * 30_f64.to_radians().cos() / (1.0 - sine);
        for (matched, across) in [(Matched::Compression, side), (Matched::Plane, 0.5 * (side + above))] {
            let tau = -Vec3::new(side, above, across);
            let surface = YieldSurface::drucker_prager(30.0, cohesion, matched);
            let borne = surface.size - surface.slope * tau.sum();
            assert!((tau.add_scalar(-tau.sum() / 3.0).norm() / borne - 1.0).abs() < 1e-12);
        }
        let pulled = Vec3::new(800.0, 0.0, 0.0);
        let metal = YieldSurface::von_mises(800.0);
        assert!((pulled.add_scalar(-800.0 / 3.0).norm() / metal.size - 1.0).abs() < 1e-12);
    }

    /// Cauchy's stresses anywhere inside of what bounds them, at the tip as well, are of states that do not flow.
    #[test]
    fn what_bounds_cauchys_stresses_bounds_kirchhoffs() {
        let (mut random, lame) = (Random::new(9), Lame::from_young_poisson(1e5, 0.3));
        let mut beyond = 0;
        for surface in SURFACES.map(|of| of()).into_iter().filter(|surface| surface.slope > 0.0 && surface.size > 0.0) {
            let bound = surface.of_cauchy(&lame);
            for trace in [1.0, 0.999, 0.9, 0.0, -1.0].map(|share| share * bound.size / bound.slope) {
                for _ in 0..100 {
                    let deviator = random.vector(-1.0, 1.0);
                    let deviator = deviator.add_scalar(-deviator.sum() / 3.0).normalize();
                    let of_cauchy = |size: f64| {
                        let stress = (size - bound.slope * trace).max(0.0) * deviator + Vec3::repeat(trace / 3.0);
                        // tau = J sigma, where the logarithm of J is the trace of the logarithms.
                        let growth = (0..50).fold(0.0_f64, |growth, _| growth.exp() * trace / bulk(&lame));
                        let tau = growth.exp() * stress;
                        let logarithms = tau.add_scalar(-tau.sum() / 3.0) / (2.0 * lame.mu) + Vec3::repeat(growth / 3.0);
                        surface.margin(&lame, &logarithms)
                    };
                    assert!(of_cauchy(bound.size) >= -1e-10 * surface.size, "{surface:?} {trace}");
                    beyond += usize::from(of_cauchy(surface.size) < -1e-6 * surface.size);
                }
            }
        }
        assert!(beyond > 100, "{beyond}");
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
        let (surface, lame) = (YieldSurface::drucker_prager(30.0, 0.0, Matched::Compression), Lame::from_young_poisson(1e5, 0.3));
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

//! [`Carried`]: a material point that everything around it moves on, F <- (I + G) F, as a function of G: what a step that is solved for needs of it.

use super::MaterialPoint;
use super::point::deviator;
use super::tet::principal_block;
use crate::material::principal::{Principal, PrincipalHessian, principal_hessian};
use crate::math::{Mat3, Vec3};

/// A material point with the displacement gradient from which a part of a step carries it on. Where it yields, this is its trial: it flows at the end.
#[derive(Debug, Clone, Copy)]
pub struct Carried<'p> {
    /// The point.
    pub point: &'p MaterialPoint,
    /// F - I at the start.
    pub start: Mat3,
    /// What its law remembers there.
    pub memory: f64,
    /// Length of the part [s].
    pub part: f64,
}

/// How the forces of a point on nodes change with these.
#[derive(Debug, Clone, Copy)]
pub struct Stiffness {
    /// In the principal frame, times the volume at rest [J].
    elastic: PrincipalHessian,
    left: Mat3,
    right: Mat3,
    /// Of a liquid, by changes of volume [J].
    bulk: f64,
    /// Of what rubs, by changes of shape [J].
    viscous: f64,
}

impl Carried<'_> {
    /// F - I behind G.
    fn trial(&self, change: &Mat3) -> Mat3 {
        if self.point.material.liquid().is_some() {
            return self.point.moved(&self.start, change, 0.0).0;
        }
        self.start + change + change * self.start
    }

    /// 2 V mu over the part [J], in which G is a rate.
    fn viscosity(&self) -> f64 {
        if self.point.viscosity == 0.0 {
            return 0.0;
        }
        let volume = self.point.rest_volume * (self.start + Mat3::identity()).determinant();
        2.0 * volume * self.point.viscosity / self.part
    }

    /// Energy stored behind G, and what viscosity, and a deviator that is kept, make of G as a potential over the part [J]; infinite where it would be inside out.
    pub fn energy(&self, change: &Mat3) -> f64 {
        let elastic = self.point.energy_of(&self.trial(change));
        let kept = self.point.holds(self.memory).dot(change);
        let energy = elastic + kept + 0.5 * self.viscosity() * deviator(change).norm_squared();
        if energy.is_finite() { energy } else { f64::INFINITY }
    }

    /// What the energy changes by, with G [J]: on a node where G grows by u g^T it makes the force of minus this times g.
    pub fn stress(&self, change: &Mat3) -> Mat3 {
        let rubbed = self.viscosity() * deviator(change) + self.point.holds(self.memory);
        let kirchhoff = self.point.rest_volume * self.point.kirchhoff(&self.trial(change));
        if self.point.material.liquid().is_some() {
            return kirchhoff / (1.0 + change.trace()) + rubbed;
        }
        // P F0^T = tau F^-T F0^T.
        let back = (Mat3::identity() + change).try_inverse().unwrap_or_else(|| Mat3::repeat(f64::NAN));
        kirchhoff * back.transpose() + rubbed
    }

    /// How that changes with G; `projected`: its nearest positive semidefinite part.
    pub fn stiffness(&self, change: &Mat3, projected: bool) -> Stiffness {
        let scale = self.point.stiffening * self.point.rest_volume;
        let (trial, start) = (self.trial(change), self.start + Mat3::identity());
        let frame = Principal::of(&trial);
        let mut stiffness =
            Stiffness { elastic: PrincipalHessian::default(), left: frame.u, right: Mat3::zeros(), bulk: 0.0, viscous: self.viscosity() };
        if self.point.material.liquid().is_some() {
            // J0^2 psi''(J): l^2 psi_ll is J^2 psi'', and J is J0 (1 + tr G).
            let stretch = (1.0 + frame.strain[0]) / (1.0 + change.trace());
            let second = stretch * stretch * self.point.material.hessian(&frame.strain)[(0, 0)];
            stiffness.bulk = scale * if projected { second.max(0.0) } else { second };
            return stiffness;
        }
        let PrincipalHessian { normal, pair_diagonal, pair_off_diagonal } =
            principal_hessian(&*self.point.material, &frame.strain, projected);
        stiffness.elastic =
            PrincipalHessian { normal: scale * normal, pair_diagonal: scale * pair_diagonal, pair_off_diagonal: scale * pair_off_diagonal };
        stiffness.right = frame.v.transpose() * start.transpose();
        stiffness
    }
}

impl Stiffness {
    /// A node's gradient, as [`Self::block`] wants it.
    pub fn turned(&self, g: &Vec3) -> Vec3 {
        self.right * g
    }

    /// How the stress changes where G grows by a multiple of I, per that [J]: what is viscous does not see it.
    pub fn swelled(&self) -> Mat3 {
        let (h, change) = (&self.elastic, (self.right * self.left).transpose());
        let mut stress = Mat3::from_diagonal(&(h.normal * change.diagonal()));
        for a in 0..3 {
            let (b, c) = ((a + 1) % 3, (a + 2) % 3);
            // Pairs are numbered by the axis they leave out.
            stress[(b, c)] = h.pair_diagonal[a] * change[(b, c)] + h.pair_off_diagonal[a] * change[(c, b)];
            stress[(c, b)] = h.pair_diagonal[a] * change[(c, b)] + h.pair_off_diagonal[a] * change[(b, c)];
        }
        self.left * stress * self.right + Mat3::from_diagonal_element(3.0 * self.bulk)
    }

    /// Second derivative of the energy by the displacements of two nodes with these gradients and turned gradients [J/m^2].
    pub fn block(&self, [gi, gj]: [&Vec3; 2], [ti, tj]: [&Vec3; 2]) -> Mat3 {
        if self.bulk != 0.0 || self.viscous != 0.0 {
            let along = gj * gi.transpose();
            let viscous = 0.5 * (Mat3::from_diagonal_element(gi.dot(gj)) + along) - along.transpose() / 3.0;
            let others = self.viscous * viscous + self.bulk * along.transpose();
            return others + self.left * principal_block(&self.elastic, ti, tj) * self.left.transpose();
        }
        self.left * principal_block(&self.elastic, ti, tj) * self.left.transpose()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;

    use super::*;
    use crate::element::point::Kept;
    use crate::material::liquid::Liquid;
    use crate::material::{Frame, MATERIALS, Material};
    use crate::math::random::Random;

    const YOUNG: f64 = 2e5;

    /// Energy, stress and stiffness of G = sum u_i g_i^T against differences, of all laws that see no rotations, with and without viscosity and
    /// what a liquid keeps.
    #[test]
    fn stresses_and_stiffnesses_are_those_of_the_energy() {
        let mut random = Random::new(21);
        let solids = MATERIALS.iter().map(|law| (law.build)(YOUNG, 0.3)).filter(|material| material.frame() == Frame::Current);
        let liquid: Arc<dyn Material> = Arc::new(Liquid { stiffness: YOUNG, exponent: 7.0 });
        for material in solids.chain([liquid]) {
            let is_liquid = material.liquid().is_some();
            for (viscosity, memory) in [(0.0, 0.1), (30.0, 0.1), (30.0, 0.01)] {
                let mut point = MaterialPoint::new(material.clone(), 2e-6, Vec3::zeros()).unwrap();
                (point.viscosity, point.stiffening) = (viscosity, 1.3);
                let kept = 0.1 * YOUNG * deviator(&random.matrix(-1.0, 1.0));
                point.kept = is_liquid.then(|| Box::new(Kept { until: 0.05, deviator: kept }));
                let start = if is_liquid { Mat3::from_diagonal_element(-0.01) } else { random.matrix(-0.1, 0.1) };
                let carried = Carried { point: &point, start, memory, part: 1e-3 };
                let g: [Vec3; 4] = std::array::from_fn(|_| random.vector(-10.0, 10.0));
                let of = |u: &[Vec3; 4]| u.iter().zip(&g).map(|(u, g)| u * g.transpose()).sum::<Mat3>();
                let u: [Vec3; 4] = std::array::from_fn(|_| random.vector(-2e-3, 2e-3));
                let force = |u: &[Vec3; 4]| g.map(|g| carried.stress(&of(u)) * g);
                let stiffness = carried.stiffness(&of(&u), false);
                let size = 1.3 * YOUNG * 2e-6;
                for j in 0..4 {
                    for axis in 0..3 {
                        let moved = |by: f64| {
                            let mut moved = u;
                            moved[j][axis] += by;
                            moved
                        };
                        let h = 1e-6;
                        let [plus, minus] = [moved(h), moved(-h)];
                        let slope = (carried.energy(&of(&plus)) - carried.energy(&of(&minus))) / (2.0 * h);
                        assert!((slope - force(&u)[j][axis]).abs() < 1e-6 * size * 10.0, "{slope} {}", force(&u)[j][axis]);
                        for i in 0..4 {
                            let change = (force(&plus)[i] - force(&minus)[i]) / (2.0 * h);
                            let block = stiffness.block([&g[i], &g[j]], [&stiffness.turned(&g[i]), &stiffness.turned(&g[j])]);
                            let error = (change - block.column(axis)).amax();
                            assert!(error < 1e-5 * size * 100.0, "{i} {j} {axis}: {error:e}");
                        }
                    }
                }
                let grown = |h: f64| carried.stress(&(of(&u) + Mat3::from_diagonal_element(h)));
                let swelled = (grown(1e-7) - grown(-1e-7)) / 2e-7;
                assert!((stiffness.swelled() - swelled).amax() < 1e-5 * size, "{} {swelled}", stiffness.swelled());
                // Nothing is lost where G is none.
                let held = if is_liquid && memory < 0.05 { point.volume * kept } else { Mat3::zeros() };
                let still = carried.stress(&Mat3::zeros()) - (point.rest_volume * point.kirchhoff(&start) + held);
                assert_eq!(still, Mat3::zeros());
            }
        }
    }
}

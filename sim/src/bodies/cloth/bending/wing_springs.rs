//! Springs between the corners across an edge, in place of hinges: the bending of mass-spring cloth (Provot 1995).

use super::{BendingLaw, InnerEdge, family_of};
use crate::bodies::Degenerate;
use crate::element::hinge::{MOST_CHANGE, angle, lever};
use crate::element::spring::{Clamp, SPRING_LAWS};
use crate::element::{Family, Spring, Unattainable};
use crate::math::Vec3;

/// One spring an edge. It does not resist the first of a bend that starts from flat: its length w between the tips falls with the square of the
/// angle, so that the energy goes with the fourth power, and a flat sheet carries nothing across its plane. A fold up and one down are the
/// same to it, and it resists stretching in the plane as well.
#[derive(Debug)]
pub struct WingSprings;

impl BendingLaw for WingSprings {
    fn name(&self) -> &'static str {
        "wing_springs"
    }
    fn label(&self) -> &'static str {
        "Springs across edges"
    }
    fn doc(&self) -> &'static str {
        "a spring between the corners across each edge, which stores what a plate does where it is folded by a radian; where cloth is flat it \
         does not resist bending at all"
    }
    fn formula(&self) -> &'static str {
        "k/2 ((w - W)/(W1 - W))^2"
    }
    fn family(&'static self, edges: &[InnerEdge], rest: &[Vec3], given: &[Vec3]) -> Result<Box<dyn Family>, Degenerate> {
        family_of(edges, (rest, given), |[_, _, c, d]| [c, d], |edge, x| spring(edge.rigidity, x))
    }
}

/// The spring that stores k/2, k = D l^2 / (A1 + A2), where an edge that is undeformed at `x` [m] is folded by one radian more: of those that
/// are folded farther than that can be, by one less.
fn spring(rigidity: f64, x: &[Vec3; 4]) -> Result<Spring, Unattainable> {
    let [edge, areas] = lever(x).ok_or(Unattainable::Degenerate)?;
    let rest = angle(x).abs();
    let folded = if rest + MOST_CHANGE <= std::f64::consts::PI { rest + MOST_CHANGE } else { rest - MOST_CHANGE };
    let change = wing_span(x, folded) - wing_span(x, rest);
    let stiffness = rigidity * edge * edge / areas / (change * change);
    let spring = Spring::new(&SPRING_LAWS[0], stiffness, Clamp::default(), &[x[2], x[3]])?;
    Ok(spring.standing_for(areas / 3.0))
}

/// Distance [m] between the tips of triangles of the shapes that they have at `x`, folded by this angle.
fn wing_span([a, b, c, d]: &[Vec3; 4], angle: f64) -> f64 {
    let along = (b - a).normalize();
    let [p, q] = [c - a, d - a];
    let [height, other] = [p, q].map(|tip| tip.cross(&along).norm());
    let apart = (p - q).dot(&along);
    (apart * apart + height * height + other * other + 2.0 * height * other * angle.cos()).sqrt()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::element::{Element, Hinge, hinge};

    /// Wings of other shapes, folded by this angle.
    fn folded(angle: f64) -> [Vec3; 4] {
        let (c, s) = (angle.cos(), angle.sin());
        [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.02, 0.08, 0.0], [0.07, -0.06 * c, -0.06 * s]].map(Vec3::from)
    }

    fn energies(rest: f64, angle: f64) -> [f64; 2] {
        let plate = Hinge::new(hinge::hinge_law("angle").unwrap(), 1e-3, &folded(rest)).unwrap();
        let x = folded(angle);
        [spring(1e-3, &folded(rest)).unwrap().energy(&[x[2], x[3]]), plate.energy(&x)]
    }

    #[test]
    fn folded_by_a_radian_it_stores_what_a_plate_does() {
        for rest in [0.0, 0.5, -0.5, 1.3, -2.0] {
            assert!((angle(&folded(rest)) - rest).abs() < 1e-12);
            let [own, plate] = energies(rest, rest + f64::copysign(1.0, rest));
            assert!((own / plate - 1.0).abs() < 1e-9, "{rest}: {own} {plate}");
        }
        let [own, plate] = energies(2.5, 1.5);
        assert!((own / plate - 1.0).abs() < 1e-9, "{own} {plate}");
    }

    /// Its defect: flat, a bend ten times as small stores ten thousand times less, not a hundred; and its Hessian knows nothing across the plane.
    #[test]
    fn where_it_is_flat_it_does_not_resist_bending() {
        let [large, small] = [0.1, 0.01].map(|angle| energies(0.0, angle));
        assert!((large[0] / small[0] / 1e4 - 1.0).abs() < 0.01 && (large[1] / small[1] / 1e2 - 1.0).abs() < 0.01);
        assert!(small[0] < 1e-3 * small[1], "{small:?}");
        let x = folded(0.0);
        let hessian = spring(1e-3, &x).unwrap().hessian(&[x[2], x[3]], false);
        assert!(hessian.iter().flatten().all(|block| block[(2, 2)].abs() < 1e-12 * hessian[0][0].norm()), "{hessian:?}");
        assert!(Hinge::new(hinge::hinge_law("angle").unwrap(), 1e-3, &x).unwrap().hessian(&x, false)[2][2][(2, 2)] > 0.0);
        // Nor does it know up from down.
        let ([up, _], [down, _]) = (energies(0.5, 0.7), energies(0.5, -0.7));
        assert!((up / down - 1.0).abs() < 1e-9);
    }
}

//! [`PointRow`]: a point that yields, as a cone of the balance.
//!
//! The least stresses inside the yield surface are those of
//!
//! ```text
//! min sum_p V/2 sigma : C^-1 : sigma   with   sum_p V E^T sigma = f,   z = T sigma + h   in the cone,
//! ```
//!
//! where T takes the trace by minus the slope of the surface and the deviator as it is, and h is its size. Beside the dual y of the balance, which is
//! a displacement, each point has a multiplier s in the cone, its plastic strain: s = T^-1 (C^-1 sigma - E y). That is a row that gives way to its
//! force z, with G = -T^-1 E and the compliance T^-1 C^-1 T^-1; what of the point is elastic comes in through it, and not through the matrix.
//!
//! Of a surface without a slope the first coordinate of z is h, whatever the pressure: the row has the deviator alone, and the trace is elastic, in the matrix
//! ([`Seen::elastic`](super::Seen::elastic)). A small slope in its place would do for the solver, but pressures without bound would buy strength with it.

use nalgebra::{SMatrix, SVector};

use super::Space;
use crate::element::deviator;
use crate::material::Lame;
use crate::material::yields::YieldSurface;
use crate::math::{Mat3, Vec3};
use crate::sag_free::cone::{Cone, Scaling};
use crate::sag_free::interior_point::{ConeRow, Give, stiffness};
use crate::step::mpm::shared_volume::with_trace;

/// Coordinates of a row: of a symmetric tensor its trace over the root of 3, then the deviator, in an orthonormal basis.
pub(super) const ROWS: usize = 6;
pub(super) type Coordinates = SVector<f64, ROWS>;

/// What bounds the stress of a point: Kirchhoff's, J times Cauchy's.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound {
    pub surface: YieldSurface,
    /// Moduli of its law [Pa], which J follows from.
    pub lame: Lame,
}

/// So much less than it would take is left to a point that was found to flow, as its pressure changes, too.
const SPARED: f64 = 0.01;
/// Share of what is borne by which a stress is beyond that, and not at it but for round-off.
const BEYOND: f64 = 1e-9;

impl Bound {
    /// Size of what bounds Cauchy's stress, before any is known [Pa].
    pub fn size(&self) -> f64 {
        self.surface.of_cauchy(&self.lame).size
    }

    /// What bounds its row with a `share` of the strength, all of which has this `size` [Pa].
    pub fn of_row(&self, share: f64, size: f64) -> YieldSurface {
        YieldSurface { size, ..self.surface }.shared(share)
    }

    /// Where its row, with this `share`, found a stress at which the point flows with all of its strength: the size of all of it with which that row would bear no
    /// more than the point does beside this pressure [Pa].
    pub fn tightened(&self, stress: &Mat3, share: f64) -> Option<f64> {
        let full = self.surface.shared(share.max(1.0));
        let (trace, size) = (stress.trace(), deviator(stress).norm());
        let borne = full.bears(&self.lame, trace);
        let slope = self.surface.shared(share).slope;
        (size > borne * (1.0 + BEYOND)).then(|| ((borne + slope * trace) / share * (1.0 - SPARED)).max(0.0))
    }
}

fn coordinates(a: &Mat3) -> Coordinates {
    let (x, y, z) = (a[(0, 0)], a[(1, 1)], a[(2, 2)]);
    let [third, half, sixth] = [3.0_f64, 2.0, 6.0].map(|n| 1.0 / n.sqrt());
    let shear = |i: usize, j: usize| half * (a[(i, j)] + a[(j, i)]);
    Coordinates::from_column_slice(&[third * (x + y + z), half * (x - y), sixth * (x + y - 2.0 * z), shear(1, 2), shear(2, 0), shear(0, 1)])
}

fn tensor(c: &Coordinates) -> Mat3 {
    let [third, half, sixth] = [3.0_f64, 2.0, 6.0].map(|n| 1.0 / n.sqrt());
    let (mean, a, b) = (third * c[0], half * c[1], sixth * c[2]);
    let [yz, zx, xy] = [c[3], c[4], c[5]].map(|shear| half * shear);
    Mat3::new(mean + a + b, xy, zx, xy, mean - a + b, yz, zx, yz, mean - 2.0 * b)
}

/// Moduli of a point against strains: isotropic, and another along a deviator, which may answer to a change of volume.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tangent {
    pub lame: Lame,
    /// The deviator, of norm 1.
    pub deviator: Mat3,
    /// Stress along it under the trace, and the reverse.
    pub across: f64,
    /// What its own modulus is more than those of other deviators.
    pub along: f64,
}

impl Tangent {
    /// Of an isotropic point.
    pub fn elastic(lame: Lame) -> Self {
        Self { lame, deviator: Mat3::zeros(), across: 0.0, along: 0.0 }
    }

    /// What [`Tangent::block`] is more where changes of volume are by other gradients: those of two nodes, and what the others are more.
    pub fn block_beside(&self, [a, b]: [&Vec3; 2], [more_a, more_b]: [&Vec3; 2]) -> Mat3 {
        let bulk = 2.0 * self.lame.mu + 3.0 * self.lame.lambda;
        // Of the stress of swelling by a third of I.
        let force = |g: &Vec3| bulk / 3.0 * g + self.across * (self.deviator * g);
        force(a) * more_b.transpose() + more_a * force(b).transpose() + bulk / 3.0 * more_a * more_b.transpose()
    }

    /// What couples two nodes whose gradients of the weights are these, for a volume of 1.
    #[inline(always)]
    pub fn block(&self, a: &Vec3, b: &Vec3) -> Mat3 {
        let Lame { mu, lambda } = self.lame;
        let mut block = mu * (Mat3::from_diagonal_element(a.dot(b)) + b * a.transpose()) + lambda * a * b.transpose();
        if self.along != 0.0 || self.across != 0.0 {
            let (by_a, by_b) = (self.deviator * a, self.deviator * b);
            block += self.across * (a * by_b.transpose() + by_a * b.transpose()) + self.along * by_a * by_b.transpose();
        }
        block
    }
}

/// A point that yields: z is in the cone, in units of the balance.
pub(super) struct PointRow<'a> {
    /// Its place in the order of the points.
    pub place: usize,
    nodes: &'a [u32],
    gradients: Vec<Vec3>,
    /// Those that changes of its volume are by, where it shares them.
    means: &'a [Vec3],
    space: &'a Space,
    /// T of the trace; none without a slope.
    slope: Option<f64>,
    give: Give<ROWS>,
    /// Edge of a cell, by which strains are taken [m].
    length: f64,
    /// Stress [Pa] that is 1.
    unit: f64,
}

impl<'a> PointRow<'a> {
    /// Of the point of `space` at this place, with this surface. Forces are over `unit` [N], unknowns over the space's scale times it [m/N].
    pub fn new(place: usize, space: &'a Space, surface: &YieldSurface, unit: f64) -> Self {
        let (seen, scale, length) = (&space.points[place], space.scale, space.blocks.by.spacing);
        let slope = (surface.slope > 0.0).then(|| -(3.0_f64).sqrt() * surface.slope);
        let softness = length * length / (seen.volume * scale);
        let Lame { mu, lambda } = seen.lame;
        let mut compliance = Coordinates::repeat(softness / (2.0 * mu));
        compliance[0] = slope.map_or(f64::INFINITY, |slope| softness / ((3.0 * lambda + 2.0 * mu) * slope * slope));
        let unit = unit * length / seen.volume;
        let mut from = Coordinates::zeros();
        from[0] = surface.size / unit;
        let (nodes, gradients, means) = (&space.stencils[seen.cell as usize], space.scaled_gradients(seen), space.shared_gradients(seen));
        Self { place, nodes, gradients, means, space, slope, give: Give { compliance, from }, length, unit }
    }

    /// T^-1 of it.
    fn untaken(&self, mut z: Coordinates) -> Coordinates {
        z[0] = self.slope.map_or(0.0, |slope| z[0] / slope);
        z
    }

    /// z where it bears nothing.
    pub fn unloaded(&self) -> Coordinates {
        self.give.from
    }

    /// Cauchy stress [Pa], with what is elastic of it.
    pub fn stress(&self, z: &Coordinates, elastic: &Mat3) -> Mat3 {
        let own = self.unit * tensor(&self.untaken(z - self.give.from));
        if self.slope.is_some() { own } else { with_trace(&own, elastic.trace()) }
    }

    /// Moduli where its scaling is this, over the length squared.
    pub fn tangent(&self, scaling: &Scaling<ROWS>) -> Tangent {
        let matrix = stiffness(scaling, &self.give);
        let deviators: SMatrix<f64, 5, 5> = matrix.fixed_view::<5, 5>(1, 1).into();
        let tail: SVector<f64, 5> = scaling.scale.fixed_view::<5, 1>(1, 0).into();
        let along = tail.try_normalize(f64::MIN_POSITIVE).unwrap_or_else(|| SVector::ith(0, 1.0));
        let own = along.dot(&(deviators * along));
        let other = 0.25 * (deviators.trace() - own);
        let of_slope =
            |slope: f64| (matrix[(0, 0)] / (slope * slope), matrix.fixed_view::<5, 1>(1, 0).dot(&along) / (slope * 3.0_f64.sqrt()));
        let (bulk, across) = self.slope.map_or((0.0, 0.0), of_slope);
        let mut deviator = Coordinates::zeros();
        deviator.fixed_rows_mut::<5>(1).copy_from(&along);
        Tangent { lame: Lame { mu: 0.5 * other, lambda: (bulk - other) / 3.0 }, deviator: tensor(&deviator), across, along: own - other }
    }
}

impl ConeRow<ROWS> for PointRow<'_> {
    fn cone(&self) -> Cone {
        Cone::SecondOrder
    }

    fn displacement(&self, u: &[Vec3]) -> Coordinates {
        let mut gradient = Mat3::zeros();
        for (&node, g) in self.nodes.iter().zip(&self.gradients) {
            gradient += u[node as usize] * g.transpose();
        }
        if !self.means.is_empty() {
            gradient = with_trace(&gradient, self.nodes.iter().zip(self.means).map(|(&node, mean)| u[node as usize].dot(mean)).sum());
        }
        -self.length * self.untaken(coordinates(&gradient))
    }

    fn give(&self) -> Option<Give<ROWS>> {
        Some(self.give)
    }

    fn add_force(&self, z: &Coordinates, nodes: &mut [Vec3]) {
        let pull = self.length * tensor(&self.untaken(*z));
        let third = pull.trace() / 3.0;
        for (n, (&node, g)) in self.nodes.iter().zip(&self.gradients).enumerate() {
            let beside = self.means.get(n).map_or_else(Vec3::zeros, |mean| third * (mean - g));
            let force = pull * g + beside;
            nodes[node as usize] -= self.space.free_of(node as usize).map_or(force, |free| free * force);
        }
    }
}

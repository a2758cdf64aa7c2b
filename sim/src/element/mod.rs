//! Force elements: each described once, by pure functions without indices, and used by both sides
//! (sag-free initialisation and stepping). [`Batch`] adds the indices.

pub mod batch;
pub mod carried;
mod corners;
pub mod enclosed;
mod fact;
pub mod group;
pub mod hinge;
mod isometric;
mod kind;
mod line;
pub mod membrane;
pub mod point;
mod projection;
pub mod rod;
mod scatter;
mod solid_fields;
pub mod spring;
pub mod stitch;
pub mod tet;
mod tetrahedra;
pub(crate) mod volume_filter;

#[cfg(test)]
mod body_tests;
#[cfg(test)]
mod contract;
#[cfg(test)]
mod difference_order;
#[cfg(test)]
mod plane_filter;
#[cfg(test)]
mod second_family;
#[cfg(test)]
mod tet_tests;
#[cfg(test)]
mod textbook_stress;

pub use crate::material::{STIFFENING_MARGIN, Unattainable};
pub use batch::{Batch, ElementField, Family, ForceSubspace, OneSided, Placed, Potential, RestFit, fields, join};
pub use corners::Corners;
pub use enclosed::{Enclosed, EnclosedVolumes};
pub use fact::Fact;
pub use group::{Group, Groups};
pub use hinge::Hinge;
pub use isometric::IsometricHinge;
pub use kind::{FamilyKind, FieldKind, STIFFENING, Scale};
pub use membrane::{Membrane, MembraneMaterial};
pub use point::{Kept, MaterialPoint, deviator, kept_share};
pub use projection::{Constraint, Mobility, Projecting, Projection, Row};
pub use spring::Spring;
pub use stitch::Stitch;
pub use tet::Tet;

use crate::math::{Mat3, Vec3};

/// A force element with `N` nodes and `K` scalar force coordinates. `x`: current positions [m].
pub trait Element<const N: usize, const K: usize>: Clone + Send + Sync + 'static {
    /// What its family is.
    fn kind() -> &'static FamilyKind;
    /// Whether it pulls its nodes towards something that is no node: its forces need not cancel.
    fn is_anchored() -> bool {
        false
    }
    /// Stored energy [J].
    fn energy(&self, x: &[Vec3; N]) -> f64;
    /// Gradient of the energy by each node [N], minus the force.
    fn gradient(&self, x: &[Vec3; N]) -> [Vec3; N];
    /// Second derivatives [N/m]; `projected`: clamped to positive semidefinite.
    fn hessian(&self, x: &[Vec3; N], projected: bool) -> [[Mat3; N]; N];
    /// The subspace of forces the element can make: force on node i = sum_k basis[k][i] s[k]. Depends on
    /// constants of the element, never on the rest state that [`Element::with_rest_for`] changes.
    fn force_basis(&self, x: &[Vec3; N]) -> [[Vec3; N]; K];
    /// Inverse weight of the force coordinates, symmetric positive definite: the global stage minimises
    /// sum 1/2 s^T W s.
    fn inverse_weight(&self, x: &[Vec3; N]) -> [[f64; K]; K];
    /// Whether its one force coordinate is a tension: positive where it pulls its nodes together.
    fn is_tension() -> bool {
        false
    }
    /// Whether what of its forces pushes is told from what pulls.
    fn tells_pushes() -> bool {
        false
    }
    /// The matrix P with which what of its forces pushes is measured, s^T P s: where all of it pushes P = W, where all of it pulls nothing.
    /// s^T P s is convex in s, and P s half of its gradient; `None` where nothing pushes.
    fn push_weight(&self, _x: &[Vec3; N], _s: &[f64; K]) -> Option<[[f64; K]; K]> {
        None
    }
    /// Whether its one force coordinate may not be negative where a rest state is solved for.
    fn is_one_sided(&self) -> bool {
        false
    }
    /// Coordinates of the force that the element makes now: -gradient = basis s.
    fn force_coordinates(&self, x: &[Vec3; N]) -> [f64; K];
    /// Coordinates of the force that it makes at `x`, as stiff as it is, with the rest shape that its author gave it: the forces that a
    /// rest state is to be near to. `None` where that shape is the given one.
    fn authored_coordinates(&self, _x: &[Vec3; N]) -> Option<[f64; K]> {
        None
    }
    /// The same element with the rest state changed so that its force at `x` has coordinates `s`.
    fn with_rest_for(&self, x: &[Vec3; N], s: &[f64; K]) -> Result<Self, Unattainable>;
    /// The same element in its naive rest state, as stiff as it is: undeformed at `x`, or in the rest shape that its author gave it
    /// ([`Element::authored_coordinates`]).
    fn at_rest(&self, x: &[Vec3; N]) -> Result<Self, Unattainable>;
    /// Becomes [`Element::with_rest_for`]; where there is none, it stays as it is.
    fn fit_rest(&mut self, x: &[Vec3; N], s: &[f64; K]) -> Result<(), Unattainable> {
        *self = self.with_rest_for(x, s)?;
        Ok(())
    }
    /// Becomes [`Element::at_rest`]; where there is none, it stays as it is.
    fn reset_rest(&mut self, x: &[Vec3; N]) -> Result<(), Unattainable> {
        *self = self.at_rest(x)?;
        Ok(())
    }
    /// Stiffness-proportional damping [s].
    fn damping(&self) -> f64;
    /// Gives it another damping [s].
    fn set_damping(&mut self, damping: f64);
    /// How much of its body is in it, in a unit that the body's other elements share: a volume [m^3], a length [m]. 0 for what has no mass.
    fn bulk(&self, x: &[Vec3; N]) -> f64;
    /// How many times as stiff as authored the element is.
    fn stiffening(&self) -> f64;
    /// The same element and rest state, `factor` times as stiff as authored: energy, force and curvature are multiplied. Subspace and
    /// weight are those of the authored element, so that a force found before stays the one to make after.
    fn stiffened(&self, factor: f64) -> Self;
    /// Becomes [`Element::stiffened`].
    fn stiffen(&mut self, factor: f64) {
        *self = self.stiffened(factor);
    }
    /// What it can be looked at for at `x`: one value for each of the fields of its kind, in their order.
    fn fields(&self, x: &[Vec3; N], values: &mut [f64]);
    /// What it tells of itself at `x` beside its fields, where somebody looks at it alone: strains, the numbers of its law.
    fn facts(&self, _x: &[Vec3; N]) -> Vec<Fact> {
        Vec::new()
    }
    /// Writes its rest state and its factor on the stiffness as the numbers that its kind takes, to be stored and brought back.
    fn rest_numbers(&self, numbers: &mut [f64]);
    /// Brings back what [`Element::rest_numbers`] wrote, for the given shape that it belongs to.
    fn set_rest_numbers(&mut self, numbers: &[f64]);
    /// Makes `x` the given shape, to which the forces are exact, of a rest state that was reset to another. It stays as it is.
    fn given_at(&mut self, _x: &[Vec3; N]) {}
    /// det F at `x`, where it has a meaning: for all elements of a kind or for none.
    fn volume_ratio(&self, _x: &[Vec3; N]) -> Option<f64> {
        None
    }
    /// Volume at rest [m^3], where it has a meaning: for all elements of a kind or for none.
    fn rest_volume(&self) -> Option<f64> {
        None
    }
    /// Pairs of its nodes whose distance it keeps.
    fn kept_edges() -> &'static [[usize; 2]] {
        &[]
    }
    /// How many constraints an element is at most: its energy is the sum of C^2 / (2 alpha) over them.
    fn constraints() -> usize {
        1
    }
    /// Compliance alpha of constraint `k`, infinite where this element is without it; `None` where its law has no such constraints.
    fn compliance(&self, _k: usize) -> Option<f64> {
        None
    }
    /// Constraint `k` at `x`. To be asked of elements with a [`Element::compliance`] only. In the given shape C is as exact as the rest state
    /// is stored, so that the multipliers -C / alpha make the force of the rest state there.
    fn constraint(&self, _k: usize, _x: &[Vec3; N]) -> Constraint<N> {
        Constraint { value: 0.0, gradients: [Vec3::zeros(); N] }
    }
    /// The largest second derivative of constraint `k` by each node: how fast its gradients turn.
    fn curvatures(&self, _k: usize, _x: &[Vec3; N]) -> [f64; N] {
        [0.0; N]
    }
    /// Whether it is a piece of a strand: elements of the kind join nodes along lines, so that by position each strand can be solved as a whole.
    fn is_of_strand() -> bool {
        false
    }
    /// Whether it has two nodes and one constraint, which sees their distance alone: then its multiplier is a vector by position.
    fn is_line() -> bool {
        false
    }
    /// Its constraint, and the slope of that over the distance, where the second node is `edge` from the first [m]. To be asked of lines only.
    fn by_distance(&self, _edge: &Vec3) -> [f64; 2] {
        [0.0; 2]
    }
    /// What position-based steppers say of an element without compliances: what to choose in its place.
    fn without_compliance() -> &'static str {
        "it has no constraint; choose an implicit stepper"
    }
    /// Freezes what the element keeps constant during a time step that starts at `x`; most elements keep nothing.
    fn lag(&mut self, _x: &[Vec3; N]) {}
    /// Local displacement measure that must stay positive (signed volume over rest volume), if there is one.
    /// The largest step in [0, 1] along `dx` that keeps a share of it.
    fn max_step(&self, x: &[Vec3; N], dx: &[Vec3; N]) -> f64;
}

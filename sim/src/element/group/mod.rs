//! [`Group`]: any number of particles as one element of a solid (Muller, Macklin, Chentanez, Jeschke 2022, "Physically Based Shape Matching").
//!
//! With masses m_i, places r_i about their centre of mass and rest places p_i about that of the rest shape, the group measures the one
//! deformation gradient that fits best (eq. 13),
//!
//! ```text
//! F = P Q^-1,    P = sum m r p^T,    Q = sum m p p^T,    so    F = sum x_i g_i^T    with    g_i = m_i Q^-1 p_i,
//! ```
//!
//! and its energy is V psi(F). Of four particles this is the tetrahedron, whatever their masses. Of more, motions that F does not see are
//! resisted by kappa/2 sum m_i |d_i|^2 with d_i = r_i - F (p_i + a_i), as stiff as the material across the size of the group.
//!
//! Whatever the rest state, its forces at x are those of a symmetric Cauchy stress and of what is not affine,
//!
//! ```text
//! f_i = -m_i V sigma Q_c^-1 r_i + h_i,    Q_c = sum m r r^T,    sum h_i = 0,    sum h_i r_i^T = 0,
//! ```
//!
//! without net force or torque. The rest state that makes them has p_i = F^-1 r_i, so that nothing about the given shape is left that is not
//! affine, and a_i = -F^-1 d_i with d_i = -h_i / (kappa m_i): the sum of m a p^T vanishes, and d makes the stress kappa sum m d d^T / V
//! beside that of psi.

mod energy;
mod family;
mod forces;
mod projection;
mod seen;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use family::Groups;

use super::tet::weighing_lame;
use super::{Corners, Unattainable};
use crate::material::principal::{Principal, cauchy};
use crate::material::{Frame, Material};
use crate::math::{Mat3, Vec3};

/// A group of particles.
#[derive(Debug, Clone)]
pub struct Group {
    /// Its law.
    pub material: Arc<dyn Material>,
    /// What each particle counts for where their places are averaged: its mass [kg].
    masses: Vec<f64>,
    total_mass: f64,
    /// Volume over sqrt(det Q) [1/kg^1.5].
    volume_scale: f64,
    /// kappa [1/s^2]: stiffness against what is not affine, for each kilogram.
    stabiliser: f64,
    rest: Rest,
    /// Factor on the authored stiffness: on energy, stress and their derivatives.
    stiffening: f64,
    /// Stiffness-proportional damping [s].
    damping: f64,
    /// R - I for the rotation R of F at the start of the time step, of a law that lags it ([`Frame::Lagged`]); else zero.
    turn: Mat3,
}

/// A rest state, and the given shape that it belongs to.
#[derive(Debug, Clone)]
struct Rest {
    /// g_i [1/m].
    shape_gradients: Vec<Vec3>,
    /// p_i + a_i [m].
    places: Vec<Vec3>,
    /// p_i [m].
    affine: Vec<Vec3>,
    /// V at rest [m^3].
    volume: f64,
    /// Edges from the first corner in the given shape [m], as they are rounded.
    given_edges: Vec<Vec3>,
    /// d_i in the given shape [m].
    given_offsets: Vec<Vec3>,
    /// F - I in the given shape.
    given_gradient: Mat3,
}

/// Numbers of a rest state: of each node, and those beside them.
const NUMBERS: (usize, usize) = (9, 11);
/// Share of the largest of the three principal moments of Q that the smallest has at least: particles nearer to a plane are no solid.
const LEAST_DEPTH: f64 = 1e-10;

impl Group {
    /// A group that is undeformed at `x`, of this volume [m^3], with the mass of each particle [kg].
    ///
    /// # Errors
    /// [`Unattainable::Degenerate`] of fewer than four particles, of ones in a plane, and where a mass or the volume is not positive.
    pub fn new(material: Arc<dyn Material>, volume: f64, masses: &[f64], x: &Corners) -> Result<Self, Unattainable> {
        let is_positive = |value: f64| value > 0.0 && value.is_finite();
        if x.len() < 4 || masses.len() != x.len() || !masses.iter().copied().all(is_positive) || !is_positive(volume) {
            return Err(Unattainable::Degenerate);
        }
        let total_mass: f64 = masses.iter().sum();
        let arms = arms(masses, total_mass, x);
        let moments = moments(masses, &arms);
        let lame = weighing_lame(&material.lame());
        // Of the corners of a cube, the square of an edge.
        let squared_size = 4.0 / 3.0 * moments.trace() / total_mass;
        let stabiliser = (lame.lambda + 2.0 * lame.mu) * volume / (total_mass * squared_size);
        let volume_scale = volume / moments.determinant().sqrt();
        let mut group = Self {
            material,
            masses: masses.to_vec(),
            total_mass,
            volume_scale,
            stabiliser,
            rest: Rest::none(),
            stiffening: 1.0,
            damping: 0.0,
            turn: Mat3::zeros(),
        };
        group.reset(x)?;
        Ok(group)
    }

    /// Gives it another stiffness-proportional damping [s].
    pub fn set_damping(&mut self, damping: f64) {
        self.damping = damping;
    }

    /// Number of its particles.
    pub fn width(&self) -> usize {
        self.masses.len()
    }

    /// Makes it undeformed at `x`; where it cannot be, it stays as it is.
    fn reset(&mut self, x: &Corners) -> Result<(), Unattainable> {
        let shape = Shape::of(self, x)?;
        self.take(Rest::of(&shape, x, &shape.arms, Mat3::zeros(), shape.volume)?);
        Ok(())
    }

    /// Law, stiffness and damping stay.
    fn take(&mut self, rest: Rest) {
        (self.rest, self.turn) = (rest, Mat3::zeros());
    }

    /// Makes `x` the given shape; the rest state stays as it is.
    fn given_at(&mut self, x: &Corners) {
        let gradient = self.displacement_gradient(x);
        let mut offsets = vec![Vec3::zeros(); self.width()];
        self.offsets(x, &gradient, |i, d| offsets[i] = d);
        self.rest.given_gradient = gradient;
        self.rest.given_offsets = offsets;
        self.rest.given_edges = (0..x.len()).map(|i| x.edge(i)).collect();
    }

    /// F - I at `x`.
    pub fn displacement_gradient(&self, x: &Corners) -> Mat3 {
        let mut change = Mat3::zeros();
        for (i, (g, given)) in self.rest.shape_gradients.iter().zip(&self.rest.given_edges).enumerate() {
            change += (x.edge(i) - given) * g.transpose();
        }
        self.rest.given_gradient + change
    }

    /// Hands over d_i at `x`, where F - I is `gradient`.
    fn offsets(&self, x: &Corners, gradient: &Mat3, mut each: impl FnMut(usize, Vec3)) {
        let change = gradient - self.rest.given_gradient;
        let moved = |i: usize| x.edge(i) - self.rest.given_edges[i];
        let mean: Vec3 = self.masses.iter().enumerate().map(|(i, m)| *m * moved(i)).sum::<Vec3>() / self.total_mass;
        for (i, (place, given)) in self.rest.places.iter().zip(&self.rest.given_offsets).enumerate() {
            each(i, given + (moved(i) - mean) - change * place);
        }
    }

    /// Cauchy stress of its law at `x` [Pa].
    pub fn cauchy_stress(&self, x: &Corners) -> Mat3 {
        self.stiffening * cauchy(&*self.material, &self.displacement_gradient(x), &self.turn)
    }

    /// Freezes the rotation, for laws that lag it.
    fn lag(&mut self, x: &Corners) {
        if self.material.frame() == Frame::Lagged {
            let gradient = self.displacement_gradient(x);
            self.turn = Principal::of(&gradient).turn(&gradient);
        }
    }

    fn rest_numbers(&self, numbers: &mut [f64]) {
        let rest = &self.rest;
        let of_nodes = [&rest.shape_gradients, &rest.places, &rest.given_offsets].into_iter().flatten().flat_map(Vec3::iter);
        let beside = rest.given_gradient.iter().chain([&rest.volume, &self.stiffening]);
        numbers.iter_mut().zip(of_nodes.chain(beside)).for_each(|(number, value)| *number = *value);
    }

    fn set_rest_numbers(&mut self, numbers: &[f64]) {
        let width = self.width();
        let (of_nodes, beside) = numbers.split_at(NUMBERS.0 * width);
        let rest = &mut self.rest;
        let own = [&mut rest.shape_gradients, &mut rest.places, &mut rest.given_offsets];
        for (values, numbers) in own.into_iter().zip(of_nodes.chunks_exact(3 * width)) {
            values.iter_mut().zip(numbers.as_chunks::<3>().0).for_each(|(value, numbers)| *value = Vec3::from(*numbers));
        }
        rest.given_gradient = Mat3::from_column_slice(&beside[..9]);
        [rest.volume, self.stiffening] = [beside[9], beside[10]];
        self.turn = Mat3::zeros();
        if let Some(places) = affine_places(&rest.shape_gradients, &self.masses) {
            rest.affine = places;
        }
    }
}

impl Rest {
    fn none() -> Self {
        let none = Vec::new;
        Self {
            shape_gradients: none(),
            places: none(),
            affine: none(),
            volume: 0.0,
            given_edges: none(),
            given_offsets: none(),
            given_gradient: Mat3::zeros(),
        }
    }

    /// With rest places p_i, at F - I in the given shape, of this volume at rest.
    fn of(shape: &Shape, x: &Corners, places: &[Vec3], given_gradient: Mat3, volume: f64) -> Result<Self, Unattainable> {
        let inverse = inverse_moments(&moments(shape.masses, places)).ok_or(Unattainable::Degenerate)?;
        let shape_gradients: Vec<Vec3> = shape.masses.iter().zip(places).map(|(m, p)| *m * (inverse * p)).collect();
        let is_sound = volume > 0.0 && volume.is_finite() && shape_gradients.iter().flat_map(Vec3::iter).all(|g| g.is_finite());
        let rest = Self {
            affine: affine_places(&shape_gradients, shape.masses).ok_or(Unattainable::Degenerate)?,
            shape_gradients,
            places: places.to_vec(),
            volume,
            given_edges: (0..x.len()).map(|i| x.edge(i)).collect(),
            given_offsets: vec![Vec3::zeros(); x.len()],
            given_gradient,
        };
        if is_sound { Ok(rest) } else { Err(Unattainable::Degenerate) }
    }
}

/// The p_i of these g_i: as sum g g^T / m = Q^-1, p = Q g / m. Made of what is stored, so that they are the same to the bit where it is read back.
fn affine_places(shape_gradients: &[Vec3], masses: &[f64]) -> Option<Vec<Vec3>> {
    let both = || shape_gradients.iter().zip(masses);
    let moments = both().map(|(g, m)| g * g.transpose() / *m).sum::<Mat3>().try_inverse()?;
    Some(both().map(|(g, m)| moments * g / *m).collect())
}

/// What of a group depends on its current shape alone.
struct Shape<'a> {
    masses: &'a [f64],
    /// r_i [m].
    arms: Vec<Vec3>,
    /// Q_c^-1 [1/(kg m^2)].
    inverse_moments: Mat3,
    /// V [m^3].
    volume: f64,
    /// det Q over the cube of a third of its trace: 1 where the group is as deep in all directions.
    quality_squared: f64,
}

impl<'a> Shape<'a> {
    fn of(group: &'a Group, x: &Corners) -> Result<Self, Unattainable> {
        let arms = arms(&group.masses, group.total_mass, x);
        let moments = moments(&group.masses, &arms);
        let inverse_moments = inverse_moments(&moments).ok_or(Unattainable::Degenerate)?;
        let determinant = moments.determinant();
        let quality_squared = determinant / (moments.trace() / 3.0).powi(3);
        Ok(Self { masses: &group.masses, arms, inverse_moments, volume: group.volume_scale * determinant.sqrt(), quality_squared })
    }
}

/// Places about the centre of mass [m].
fn arms(masses: &[f64], total_mass: f64, x: &Corners) -> Vec<Vec3> {
    let mean: Vec3 = masses.iter().enumerate().map(|(i, m)| *m * x.edge(i)).sum::<Vec3>() / total_mass;
    let mut arms: Vec<Vec3> = (0..x.len()).map(|i| x.edge(i) - mean).collect();
    // What rounding left of their mean.
    let left: Vec3 = masses.iter().zip(&arms).map(|(m, r)| *m * r).sum::<Vec3>() / total_mass;
    arms.iter_mut().for_each(|arm| *arm -= left);
    arms
}

/// sum m r r^T [kg m^2].
fn moments(masses: &[f64], arms: &[Vec3]) -> Mat3 {
    masses.iter().zip(arms).map(|(m, r)| *m * r * r.transpose()).sum()
}

/// The inverse, of moments over their trace (their determinant would be too small otherwise); `None` of particles in a plane.
fn inverse_moments(moments: &Mat3) -> Option<Mat3> {
    let trace = moments.trace();
    let scaled = moments / trace;
    let is_deep = scaled.determinant() > LEAST_DEPTH && scaled.iter().all(|entry| entry.is_finite());
    let inverse = scaled.try_inverse().filter(|_| is_deep)?;
    Some(0.5 * (inverse + inverse.transpose()) / trace)
}

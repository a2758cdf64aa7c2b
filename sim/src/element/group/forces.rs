//! The space of forces of a group, and the rest state that makes one of them. Coordinates are the six entries of a Cauchy stress [Pa], then
//! a force h_i on each particle [N], of which only what is orthogonal to all affine motions counts.

use super::{Corners, Group, Rest, Shape};
use crate::element::Unattainable;
use crate::element::tet::{STRESS_ENTRIES, isotropic_weight};
use crate::material::inverse::strains_from_cauchy;
use crate::material::principal::symmetric_from;
use crate::math::{Mat3, Vec3, symmetric_eigen};

/// Force coordinates of a group of this width.
pub(super) fn coordinates(width: usize) -> usize {
    STRESS_ENTRIES.len() + 3 * width
}

/// The stress that the first coordinates are.
fn stress_of(s: &[f64]) -> Mat3 {
    let mut stress = Mat3::zeros();
    for (&(row, column), value) in STRESS_ENTRIES.iter().zip(s) {
        stress[(row, column)] = *value;
        stress[(column, row)] = *value;
    }
    stress
}

impl Shape<'_> {
    /// Volume times the gradient of an affine field by particle i: m_i V Q_c^-1 r_i [m^2].
    fn area(&self, i: usize) -> Vec3 {
        self.masses[i] * self.volume * (self.inverse_moments * self.arms[i])
    }

    /// Takes off forces what has a net force or a moment: h - m_i (mean + M Q_c^-1 r_i). Twice, for what rounding left.
    fn take_affine_off(&self, forces: &mut [Vec3]) {
        let total: f64 = self.masses.iter().sum();
        for _ in 0..2 {
            let mean = forces.iter().sum::<Vec3>() / total;
            let moment: Mat3 = forces.iter().zip(&self.arms).map(|(h, r)| h * r.transpose()).sum::<Mat3>() * self.inverse_moments;
            for (i, force) in forces.iter_mut().enumerate() {
                *force -= self.masses[i] * (mean + moment * self.arms[i]);
            }
        }
    }

    /// Stress and h of forces without net force and torque.
    #[cfg(test)]
    fn coordinates_of(&self, forces: &[Vec3], s: &mut [f64]) {
        let virial: Mat3 = forces.iter().zip(&self.arms).map(|(f, r)| f * r.transpose()).sum();
        let stress = -0.5 * (virial + virial.transpose()) / self.volume;
        let (first, others) = s.split_at_mut(STRESS_ENTRIES.len());
        first.iter_mut().zip(&STRESS_ENTRIES).for_each(|(s, &(row, column))| *s = stress[(row, column)]);
        let mut left: Vec<Vec3> = forces.iter().enumerate().map(|(i, f)| f + stress * self.area(i)).collect();
        self.take_affine_off(&mut left);
        others.as_chunks_mut::<3>().0.iter_mut().zip(&left).for_each(|(s, h)| *s = (*h).into());
    }

    /// Forces of the coordinates.
    fn forces(&self, s: &[f64], out: &mut [Vec3]) {
        let (first, others) = s.split_at(STRESS_ENTRIES.len());
        out.iter_mut().zip(others.as_chunks::<3>().0).for_each(|(out, h)| *out = Vec3::from(*h));
        self.take_affine_off(out);
        let stress = stress_of(first);
        out.iter_mut().enumerate().for_each(|(i, out)| *out -= stress * self.area(i));
    }
}

impl Group {
    /// Inverse weight of the stress: isotropic elasticity over the current volume, weighed by the square of the quality of the shape, as of
    /// [tetrahedra](crate::element::Tet). That of h_i is kappa m_i.
    fn inverse_weight(&self, shape: &Shape) -> [[f64; 6]; 6] {
        isotropic_weight(&self.material.lame(), shape.quality_squared / shape.volume)
    }

    /// The coordinates W^-1 B^T y of displacements.
    pub(super) fn coordinates_from_dual(&self, x: &Corners, y: &Corners, factor: f64, s: &mut [f64]) {
        let Ok(shape) = Shape::of(self, x) else { return s.fill(0.0) };
        let affine: Mat3 = (0..x.len()).map(|i| y.edge(i) * shape.area(i).transpose()).sum();
        let dual = STRESS_ENTRIES.map(
            |(row, column)| {
                if row == column { -affine[(row, row)] } else { -(affine[(row, column)] + affine[(column, row)]) }
            },
        );
        let (first, others) = s.split_at_mut(STRESS_ENTRIES.len());
        for (s, row) in first.iter_mut().zip(&self.inverse_weight(&shape)) {
            *s = row.iter().zip(&dual).map(|(w, d)| w * d).sum::<f64>() / factor;
        }
        let mut h: Vec<Vec3> = self.masses.iter().enumerate().map(|(i, m)| self.stabiliser / factor * *m * y.edge(i)).collect();
        shape.take_affine_off(&mut h);
        others.as_chunks_mut::<3>().0.iter_mut().zip(&h).for_each(|(s, h)| *s = (*h).into());
    }

    /// Blocks of B W^-1 B^T [N/m], row by row.
    pub(super) fn compliance_blocks(&self, x: &Corners, factor: f64, blocks: &mut [Mat3]) {
        let Ok(shape) = Shape::of(self, x) else { return blocks.fill(Mat3::zeros()) };
        let width = self.width();
        let weight = self.inverse_weight(&shape);
        let (lambda, mu) = (weight[0][1] / factor, weight[3][3] / factor);
        let kappa = self.stabiliser / factor;
        let areas: Vec<Vec3> = (0..width).map(|i| shape.area(i)).collect();
        for i in 0..width {
            let across = shape.masses[i] * (shape.inverse_moments * shape.arms[i]);
            for j in i..width {
                let (a, b) = (&areas[i], &areas[j]);
                let ab = a * b.transpose();
                let mut block = lambda * ab + mu * ab.transpose() + Mat3::from_diagonal_element(mu * a.dot(b));
                let own = if i == j { shape.masses[i] } else { 0.0 };
                let affine = shape.masses[j] * (shape.masses[i] / self.total_mass + across.dot(&shape.arms[j]));
                block += Mat3::from_diagonal_element(kappa * (own - affine));
                let block = if i == j { 0.5 * (block + block.transpose()) } else { block };
                blocks[i * width + j] = block;
                blocks[j * width + i] = block.transpose();
            }
        }
    }

    /// s^T W s [N m], whatever weight it was given.
    pub(super) fn weighed_square(&self, x: &Corners, s: &[f64]) -> f64 {
        let Ok(shape) = Shape::of(self, x) else { return f64::INFINITY };
        let inverse = nalgebra::Matrix6::from(self.inverse_weight(&shape));
        let (first, others) = s.split_at(STRESS_ENTRIES.len());
        let stress = nalgebra::Vector6::from_column_slice(first);
        let of_stress = inverse.cholesky().map_or(f64::INFINITY, |factor| stress.dot(&factor.solve(&stress)));
        let squares = others.as_chunks::<3>().0.iter().zip(&self.masses).map(|(h, m)| Vec3::from(*h).norm_squared() / m);
        of_stress + squares.sum::<f64>() / self.stabiliser
    }

    /// The forces B s [N].
    pub(super) fn forces_of(&self, x: &Corners, s: &[f64], out: &mut [Vec3]) {
        match Shape::of(self, x) {
            Ok(shape) => shape.forces(s, out),
            Err(_) => out.fill(Vec3::zeros()),
        }
    }

    /// Coordinates of the force that it makes now.
    #[cfg(test)]
    pub(super) fn force_coordinates(&self, x: &Corners, s: &mut [f64]) {
        let Ok(shape) = Shape::of(self, x) else { return s.fill(0.0) };
        let mut forces = vec![Vec3::zeros(); self.width()];
        self.gradient(x, &mut forces);
        forces.iter_mut().for_each(|force| *force = -*force);
        shape.coordinates_of(&forces, s);
    }

    /// Changes the rest state so that the force at `x` has coordinates s; where there is none, it stays as it is. As F is known up to a
    /// rotation of the rest shape, it is taken symmetric.
    pub(super) fn fit(&mut self, x: &Corners, s: &[f64]) -> Result<(), Unattainable> {
        let shape = Shape::of(self, x)?;
        let (first, others) = s.split_at(STRESS_ENTRIES.len());
        let mut offsets: Vec<Vec3> = others.as_chunks::<3>().0.iter().map(|h| Vec3::from(*h)).collect();
        shape.take_affine_off(&mut offsets);
        let kappa = self.stiffening * self.stabiliser;
        offsets.iter_mut().zip(&self.masses).for_each(|(d, m)| *d /= -kappa * m);
        let spread = super::moments(&self.masses, &offsets) / shape.volume;
        let stress = stress_of(first) - kappa * spread;
        let principal = symmetric_eigen(&stress);
        let strain = strains_from_cauchy(&*self.material, &(principal.values / self.stiffening))?;
        let given_gradient = symmetric_from(&principal.vectors, &strain);
        let inverse = symmetric_from(&principal.vectors, &strain.map(|d| 1.0 / (1.0 + d)));
        let mut places: Vec<Vec3> = shape.arms.iter().map(|r| inverse * r).collect();
        let volume = shape.volume / strain.add_scalar(1.0).product();
        let mut rest = Rest::of(&shape, x, &places, given_gradient, volume)?;
        places.iter_mut().zip(&offsets).for_each(|(place, d)| *place -= inverse * d);
        (rest.places, rest.given_offsets) = (places, offsets);
        self.take(rest);
        Ok(())
    }
}

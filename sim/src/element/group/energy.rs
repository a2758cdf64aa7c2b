//! Energy of a group, and its derivatives.

use super::{Corners, Group};
use crate::element::tet::principal_block;
use crate::element::volume_filter;
use crate::material::principal::{self, first_piola, principal_frame, principal_hessian};
use crate::math::{Mat3, Vec3};

impl Group {
    /// What energy densities of the authored law are multiplied by [m^3].
    fn stiffened_volume(&self) -> f64 {
        self.stiffening * self.rest.volume
    }

    pub(super) fn energy(&self, x: &Corners) -> f64 {
        let gradient = self.displacement_gradient(x);
        let mut squares = 0.0;
        self.offsets(x, &gradient, |i, d| squares += self.masses[i] * d.norm_squared());
        let elastic = self.stiffened_volume() * principal::energy(&*self.material, &gradient, &self.turn);
        elastic + 0.5 * self.stiffening * self.stabiliser * squares
    }

    /// Gradient by each particle [N].
    pub(super) fn gradient(&self, x: &Corners, out: &mut [Vec3]) {
        let gradient = self.displacement_gradient(x);
        let (mut sum, mut torque) = (Vec3::zeros(), Mat3::zeros());
        self.offsets(x, &gradient, |i, d| {
            out[i] = self.masses[i] * d;
            sum += out[i];
            torque += out[i] * self.rest.places[i].transpose();
        });
        let kappa = self.stiffening * self.stabiliser;
        let stress = self.stiffened_volume() * first_piola(&*self.material, &gradient, &self.turn) - kappa * torque;
        let mean = sum / self.total_mass;
        for ((out, m), g) in out.iter_mut().zip(&self.masses).zip(&self.rest.shape_gradients) {
            *out = stress * g + kappa * (*out - *m * mean);
        }
    }

    /// Second derivatives [N/m], row by row; `projected`: clamped to positive semidefinite.
    pub(super) fn hessian(&self, x: &Corners, projected: bool, blocks: &mut [Mat3]) {
        let frame = principal_frame(&*self.material, &self.displacement_gradient(x), &self.turn);
        let h = principal_hessian(&*self.material, &frame.strain, projected);
        let (volume, kappa, width) = (self.stiffened_volume(), self.stiffening * self.stabiliser, self.width());
        let (g, places, masses) = (&self.rest.shape_gradients, &self.rest.places, &self.masses);
        let moments = super::moments(masses, places);
        let turned = |i: usize| frame.v.transpose() * g[i];
        for i in 0..width {
            let (gi, spread) = (turned(i), moments * g[i]);
            for j in i..width {
                let elastic = frame.u * principal_block(&h, &gi, &turned(j)) * frame.u.transpose();
                let mut stabilised = spread.dot(&g[j]) - masses[i] * masses[j] / self.total_mass;
                stabilised -= masses[i] * g[j].dot(&places[i]) + masses[j] * g[i].dot(&places[j]);
                if i == j {
                    stabilised += masses[i];
                }
                let block = volume * elastic + Mat3::from_diagonal_element(kappa * stabilised);
                // The diagonal blocks are symmetric but for round-off.
                let block = if i == j { 0.5 * (block + block.transpose()) } else { block };
                blocks[i * width + j] = block;
                blocks[j * width + i] = block.transpose();
            }
        }
    }

    /// The largest step in [0, 1] along `dx` that keeps a fifth of det F, as [tetrahedra](crate::element::Tet) do.
    pub(super) fn max_step(&self, x: &Corners, dx: &Corners) -> f64 {
        let f = self.displacement_gradient(x) + Mat3::identity();
        let change: Mat3 = self.rest.shape_gradients.iter().enumerate().map(|(i, g)| dx.edge(i) * g.transpose()).sum();
        volume_filter::max_step_of(&*self.material, &f, &change)
    }
}

//! [`InverseProblem`]: the net force on each node in the given shape as a function of the rest shape, and its derivative.

use rayon::prelude::*;

use super::settled::settled;
use super::supports::Supports;
use super::tangent::rest_tangent;
use crate::bodies::solid::Solid;
use crate::element::batch::{Potential, RestFit};
use crate::element::{Batch, Tet, volume_filter};
use crate::linear::Couplings;
use crate::math::{Mat3, Vec3, largest_norm};
use crate::system::System;

/// f_int(x; X) + share (M(X) g + dead loads) = 0 at every free node, for the rest shape X; x is the given shape.
pub struct InverseProblem<'a> {
    system: &'a System,
    /// What of X is given.
    pub supports: Supports,
    elements: Batch<Tet, 4, 6>,
    /// Of each element [kg/m^3].
    density: Vec<f64>,
    /// Masses with the present rest shape [kg].
    live: Vec<f64>,
    /// Masses of nodes that nothing but contact holds [kg], fixed for a while: the contact forces were solved for these.
    masses: Vec<f64>,
    /// Loads that no rest shape changes, contact forces among them [N].
    dead: Vec<Vec3>,
    /// What residuals are measured by [N].
    pub largest_load: f64,
}

impl<'a> InverseProblem<'a> {
    /// At the naive rest shape, without contact forces. `None` if the system is not made of tetrahedra alone, of known density.
    pub fn new(system: &'a System, supports: Supports) -> Option<Self> {
        let [family] = system.families.as_slice() else { return None };
        let mut elements = family.tetrahedra()?.clone();
        elements.reset_rest(&system.positions);
        // As authored: no other program knows of the stiffening.
        elements.elements.iter_mut().for_each(|tet| (tet.material, tet.stiffening) = (settled(&tet.material), 1.0));
        let density = densities(system);
        let known = density.len() == elements.len();
        let largest_load = system.largest_load();
        let masses = system.masses.clone();
        known.then(|| Self { system, supports, elements, density, live: masses.clone(), masses, dead: Vec::new(), largest_load })
    }

    /// Loads that no rest shape changes [N], and the masses of floating nodes [kg] with which they are in balance.
    pub fn set_loads(&mut self, dead: Vec<Vec3>, masses: Vec<f64>) {
        (self.dead, self.masses) = (dead, masses);
    }

    /// Takes over a rest shape; false, with some of it taken, where a tetrahedron would have no volume.
    pub fn set_rest(&mut self, rest: &[Vec3]) -> bool {
        self.live = self.system.masses_at(rest);
        self.elements.reset_rest(rest).is_empty()
    }

    /// Net force on each node under a share of the loads, zero where X is given [N].
    pub fn net_force(&self, share: f64) -> Vec<Vec3> {
        let load = |n: usize| {
            let mass = if self.supports.part_of[n].is_some() { self.masses[n] } else { self.live[n] };
            -share * (mass * self.system.gravity + self.dead[n])
        };
        let mut net: Vec<Vec3> = (0..self.live.len()).map(load).collect();
        self.elements.add_gradient(&self.system.positions, &mut net);
        net.iter_mut().for_each(|net| *net = -*net);
        self.supports.take(self.system, &mut net);
        net
    }

    /// Size of a net force: its largest over the largest load.
    pub fn size(&self, net: &[Vec3]) -> f64 {
        largest_norm(net) / self.largest_load
    }

    /// Blocks of the derivative of the net force by the rest shape [N/m], 4 x 4 an element, row by row.
    pub fn tangent(&self, share: f64, blocks: &mut Vec<Mat3>) {
        let x = &self.system.positions;
        blocks.resize(16 * self.elements.len(), Mat3::zeros());
        let elements = self.elements.elements.par_iter().zip(self.elements.connectivity()).zip(&self.density);
        blocks.par_chunks_mut(16).zip(elements).with_min_len(64).for_each(|(out, ((tet, nodes), density))| {
            let floating = self.supports.part_of[nodes[0] as usize].is_some();
            let weight = if floating { Vec3::zeros() } else { share * density * tet.rest_volume * self.system.gravity };
            out.copy_from_slice(rest_tangent(tet, &nodes.map(|n| x[n as usize]), &weight).as_flattened());
        });
    }

    /// Nodes of each tetrahedron.
    pub fn tets(&self) -> &[[u32; 4]] {
        self.elements.connectivity()
    }

    /// The given shape [m].
    pub fn positions(&self) -> &[Vec3] {
        &self.system.positions
    }

    /// The largest step in [0, 1] from the rest shape `rest` along `direction` that leaves every tetrahedron a fifth of its volume.
    pub fn max_step(&self, rest: &[Vec3], direction: &[Vec3]) -> f64 {
        let of = |nodes: &[u32; 4]| {
            let edges = |x: &[Vec3]| {
                let [a, b, c, d] = nodes.map(|n| x[n as usize]);
                Mat3::from_columns(&[b - a, c - a, d - a])
            };
            volume_filter::max_step(&edges(rest), &edges(direction))
        };
        self.elements.connectivity().par_iter().with_min_len(256).map(of).reduce(|| 1.0, f64::min)
    }
}

/// Density of each tet of solids [kg/m^3].
pub fn densities(system: &System) -> Vec<f64> {
    system.bodies.iter().filter_map(|body| body.matter.solid()).flat_map(Solid::densities).collect()
}

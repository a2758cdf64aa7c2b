//! The family of tetrahedra, made of a mesh.

use std::sync::Arc;

use rayon::prelude::*;

use super::{Batch, Tet, Unattainable};
use crate::material::Material;
use crate::math::Vec3;

/// Tetrahedra made by one task.
const AT_A_TIME: usize = 256;

impl Batch<Tet, 4, 6> {
    /// Tetrahedra undeformed at `positions` [m]; `materials` has one entry a tetrahedron.
    ///
    /// # Errors
    /// Every tetrahedron without positive volume.
    pub fn at_rest(positions: &[Vec3], tets: &[[u32; 4]], materials: &[Arc<dyn Material>]) -> Result<Self, Vec<(usize, Unattainable)>> {
        let make = |(tet, material): (&[u32; 4], &Arc<dyn Material>)| Tet::new(material.clone(), &tet.map(|n| positions[n as usize]));
        let made: Vec<_> = tets.par_iter().zip(materials).with_min_len(AT_A_TIME).map(make).collect();
        let degenerate = made.iter().enumerate().filter_map(|(e, made)| Some((e, made.as_ref().err()?.clone()))).collect();
        let elements: Result<Vec<Tet>, _> = made.into_iter().collect();
        elements.map(|elements| Self::new(elements, tets.to_vec())).map_err(|_| degenerate)
    }

    /// Gives each tetrahedron its stiffness-proportional damping [s], in order.
    pub fn damp(&mut self, damping: impl IntoIterator<Item = f64>) {
        self.elements.iter_mut().zip(damping).for_each(|(tet, damping)| tet.damping = damping);
    }
}

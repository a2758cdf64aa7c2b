//! The family of tetrahedra, made of a mesh.

use std::sync::Arc;

use super::{Batch, Tet, Unattainable};
use crate::material::Material;
use crate::math::Vec3;

impl Batch<Tet, 4, 6> {
    /// Tetrahedra undeformed at `positions` [m]; `materials` has one entry a tetrahedron.
    ///
    /// # Errors
    /// Every tetrahedron without positive volume.
    pub fn at_rest(positions: &[Vec3], tets: &[[u32; 4]], materials: &[Arc<dyn Material>]) -> Result<Self, Vec<(usize, Unattainable)>> {
        let mut elements = Vec::with_capacity(tets.len());
        let mut degenerate = Vec::new();
        for (e, (tet, material)) in tets.iter().zip(materials).enumerate() {
            match Tet::new(material.clone(), &tet.map(|n| positions[n as usize])) {
                Ok(element) => elements.push(element),
                Err(why) => degenerate.push((e, why)),
            }
        }
        if degenerate.is_empty() { Ok(Self::new(elements, tets.to_vec())) } else { Err(degenerate) }
    }

    /// Gives each tetrahedron its stiffness-proportional damping [s], in order.
    pub fn damp(&mut self, damping: impl IntoIterator<Item = f64>) {
        self.elements.iter_mut().zip(damping).for_each(|(tet, damping)| tet.damping = damping);
    }
}

//! The family of tetrahedra: construction from a mesh, and the fields worth looking at.

use std::sync::Arc;

use rayon::prelude::*;

use super::{Batch, ElementField, Family, RestFit, Tet, Unattainable};
use crate::material::Material;
use crate::math::{Mat3, Vec3, symmetric_eigen};

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

    fn map<T: Send>(&self, x: &[Vec3], value: impl Fn(&Tet, &[Vec3; 4]) -> T + Sync) -> Vec<T> {
        self.elements.par_iter().zip(self.connectivity()).map(|(tet, nodes)| value(tet, &nodes.map(|n| x[n as usize]))).collect()
    }
}

impl Family for Batch<Tet, 4, 6> {
    fn name(&self) -> &'static str {
        "tetrahedra"
    }

    fn compression(&self, x: &[Vec3]) -> Vec<f64> {
        self.map(x, |tet, x| tet.deformation_gradient(x).determinant())
    }

    fn rest_volumes(&self) -> Vec<f64> {
        self.elements.iter().map(|tet| tet.rest_volume).collect()
    }

    fn fields(&self, x: &[Vec3]) -> Vec<ElementField> {
        let stress = self.map(x, |tet, x| tet.cauchy_stress(x));
        let of_stress = |name, value: fn(&Mat3) -> f64| ElementField { name, unit: "Pa", values: stress.par_iter().map(value).collect() };
        vec![
            ElementField { name: "compression ratio", unit: "", values: self.compression(x) },
            of_stress("von Mises stress", von_mises),
            of_stress("pressure", |stress| -stress.trace() / 3.0),
            of_stress("largest principal stress", |stress| symmetric_eigen(stress).values.max()),
            ElementField { name: "stiffening factor", unit: "", values: self.stiffening() },
        ]
    }

    /// Twenty a tet: the inverse rest edges, column by column, the rest volume, the factor on the stiffness, and F - I in the given
    /// shape, column by column.
    fn rest_numbers(&self) -> Vec<f64> {
        let of = |tet: &Tet| {
            let scalars = [tet.rest_volume, tet.stiffening];
            tet.inverse_rest_edges.into_iter().copied().chain(scalars).chain(tet.given_gradient.into_iter().copied()).collect::<Vec<_>>()
        };
        self.elements.iter().flat_map(of).collect()
    }

    fn set_rest_numbers(&mut self, numbers: &[f64]) {
        assert_eq!(numbers.len(), 20 * self.elements.len(), "twenty numbers a tet");
        for (tet, numbers) in self.elements.iter_mut().zip(numbers.as_chunks::<20>().0) {
            tet.inverse_rest_edges = Mat3::from_column_slice(&numbers[..9]);
            [tet.rest_volume, tet.stiffening] = [numbers[9], numbers[10]];
            tet.given_gradient = Mat3::from_column_slice(&numbers[11..]);
            tet.turn = Mat3::zeros();
        }
    }

    fn given_at(&mut self, x: &[Vec3]) {
        self.for_each(x, Tet::given_at);
    }

    fn tetrahedra(&self) -> Option<&Self> {
        Some(self)
    }

    fn boxed_clone(&self) -> Box<dyn Family> {
        Box::new(self.clone())
    }
}

/// sqrt(3/2) times the norm of the stress deviator [Pa].
fn von_mises(stress: &Mat3) -> f64 {
    let deviator = stress - Mat3::from_diagonal_element(stress.trace() / 3.0);
    1.5f64.sqrt() * deviator.norm()
}

//! Fields over the vertices of a body: factors that vary from place to place.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Factors on the stiffness of a body's elements, vertex by vertex. An element has the geometric mean of those of its vertices.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StiffnessField {
    /// Vertices as in the `vertices` of regions; those that are not named have a factor of 1, and inside of a body that of the nearest
    /// point of its surface.
    pub vertices: Vec<u32>,
    /// The factor of each.
    #[schemars(inner(range(min = 1e-3, max = 1e3)))]
    pub factors: Vec<f64>,
}

impl StiffnessField {
    /// Smallest and largest factor.
    pub const LIMITS: (f64, f64) = (1e-3, 1e3);

    /// That of a factor for each of all vertices; `None` where all are 1.
    pub fn of(factors: &[f64]) -> Option<Self> {
        let (vertices, factors): (Vec<u32>, Vec<f64>) = (0..).zip(factors.iter().copied()).filter(|(_, factor)| *factor != 1.0).unzip();
        (!vertices.is_empty()).then_some(Self { vertices, factors })
    }

    /// The factor of each of so many vertices, where one is named.
    pub fn named(&self, count: usize) -> Vec<Option<f64>> {
        let mut named = vec![None; count];
        for (&vertex, &factor) in self.vertices.iter().zip(&self.factors) {
            if let Some(named) = named.get_mut(vertex as usize) {
                *named = Some(factor);
            }
        }
        named
    }

    /// The factor of each of so many vertices: 1 where none is named.
    pub fn factors(&self, count: usize) -> Vec<f64> {
        self.named(count).into_iter().map(|factor| factor.unwrap_or(1.0)).collect()
    }
}

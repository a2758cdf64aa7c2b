//! What is known of points, at the vertices of the surface around them: remembered while it stays the same, as pictures are asked for more
//! often than surfaces are made.

use std::sync::Arc;

use super::{Cloud, Made};
use crate::session::ModelBody;

/// Tints, four bytes each.
type Tints = Arc<[[u8; 4]]>;
/// A field of the points, and what it is on the surface.
type Carried = (Arc<[f64]>, Arc<[f64]>);

/// A body's field and tints.
#[derive(Debug, Default)]
pub struct Dressed {
    made: Option<Arc<Made>>,
    values: Option<Carried>,
    /// The tints of the points, and those of the triangles.
    tints: Option<(Tints, Option<Tints>)>,
}

impl Dressed {
    /// Forgets what is of other surfaces than these.
    pub fn follow(&mut self, made: &Arc<Made>) {
        if !self.made.as_ref().is_some_and(|known| Arc::ptr_eq(known, made)) {
            *self = Self { made: Some(Arc::clone(made)), ..Self::default() };
        }
    }

    /// A field of all nodes, at the vertices of the surface.
    pub fn values(&mut self, cloud: &Cloud, body: &ModelBody, values: &Arc<[f64]>) -> Arc<[f64]> {
        if let Some((_, seen)) = self.values.as_ref().filter(|(known, _)| Arc::ptr_eq(known, values)) {
            return Arc::clone(seen);
        }
        let seen = cloud.scalars(body, values);
        self.values = Some((Arc::clone(values), Arc::clone(&seen)));
        seen
    }

    /// The tints of the points, at the triangles; none where nothing is tinted.
    pub fn tints(&mut self, cloud: &Cloud, tints: &Tints) -> Option<Tints> {
        if let Some((_, seen)) = self.tints.as_ref().filter(|(known, _)| Arc::ptr_eq(known, tints)) {
            return seen.clone();
        }
        let seen = cloud.tints(tints);
        self.tints = Some((Arc::clone(tints), seen.clone()));
        seen
    }
}

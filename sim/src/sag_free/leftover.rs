//! [`Leftover`]: what one global stage leaves for the next, of another scene or of another look at the same one. Orders and memory serve again
//! where nodes and couplings are the same, factors where every number of the matrix is: then only loads, or friction, were changed.

use std::sync::Arc;

use super::global::GlobalMatrix;
use super::newton::Left;
use crate::linear::{CholeskyFactor, NodeMatrixPattern};
use crate::system::kept::Slot;

/// No more is kept [bytes]: a factor of about 200 000 tets.
const MOST: u64 = 1 << 29;

/// Factors, and memory for them.
#[derive(Default)]
pub(super) struct Leftover {
    /// Of the whole matrix, for problems without contact.
    pub whole: Option<Whole>,
    /// For contacts between the nodes of these stencils, ascending.
    pub newton: Option<(Vec<Vec<u32>>, Left)>,
}

/// The factor of a whole matrix.
pub(super) struct Whole {
    pub factor: CholeskyFactor,
    /// Factorisations that it took; none where it is of no matrix at hand.
    pub factorisations: Option<usize>,
}

impl Whole {
    /// Memory for a factor.
    pub fn new(pattern: &NodeMatrixPattern) -> Self {
        Self { factor: CholeskyFactor::new(pattern), factorisations: None }
    }
}

impl Leftover {
    fn outdated(self) -> Self {
        let whole = self.whole.map(|whole| Whole { factorisations: None, ..whole });
        let newton = self.newton.map(|(stencils, left)| (stencils, left.outdated()));
        Self { whole, newton }
    }

    fn bytes(&self, pattern: &NodeMatrixPattern) -> u64 {
        let newton = self.newton.as_ref().map_or(0, |(_, left)| left.bytes());
        newton + self.whole.as_ref().map_or(0, |_| pattern.factor_bytes())
    }
}

/// A leftover, and all that it depends on.
struct Kept {
    pattern: Arc<NodeMatrixPattern>,
    matrix: GlobalMatrix,
    regularization: f64,
    left: Leftover,
}

/// What is in `slot` for a stage with this matrix in this pattern.
pub(super) fn take(slot: Option<&Slot>, pattern: &Arc<NodeMatrixPattern>, matrix: &GlobalMatrix, regularization: f64) -> Leftover {
    let kept = slot.and_then(Slot::take::<Kept>).filter(|kept| Arc::ptr_eq(&kept.pattern, pattern));
    match kept {
        None => Leftover::default(),
        Some(kept) if kept.regularization == regularization && kept.matrix.is_same(matrix) => kept.left,
        Some(kept) => kept.left.outdated(),
    }
}

/// Puts into `slot` what a stage with this matrix left, unless it is too much.
pub(super) fn put(slot: Option<&Slot>, pattern: &Arc<NodeMatrixPattern>, matrix: GlobalMatrix, regularization: f64, left: Leftover) {
    if let Some(slot) = slot.filter(|_| left.bytes(pattern) <= MOST) {
        slot.put(Kept { pattern: Arc::clone(pattern), matrix, regularization, left });
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::sag_free::initialise::rest_state;
    use crate::scene::Method;
    use crate::scene_file::{gallery, load};
    use crate::system::{self, System};
    use crate::watch::Unwatched;

    /// Whether a factor is there that need not be made.
    fn serves(left: &Leftover) -> bool {
        let whole = left.whole.as_ref().is_some_and(|whole| whole.factorisations.is_some());
        whole || left.newton.as_ref().is_some_and(|(_, left)| matches!(left, Left::Reduced(left) if left.is_made()))
    }

    /// Without contact, and with it.
    #[test]
    fn factors_serve_on_while_nothing_that_they_depend_on_has_changed() {
        for name in ["hanging_beam", "slope"] {
            let entry = gallery::find(name).unwrap();
            let scene = load(&entry.path()).unwrap();
            let mut kept = system::Kept::default();
            let system = System::build_with(&scene, entry.path().parent().unwrap(), &mut kept, &Unwatched).unwrap();
            let slot = &system.kept.as_ref().unwrap().global_stage;
            let after = |change: &dyn Fn(&mut Kept)| {
                rest_state(&system, Method::SagFree, &Unwatched).unwrap();
                let left: Kept = slot.take().unwrap();
                assert!(serves(&left.left) && left.left.bytes(&left.pattern) > 1000, "{name}");
                let GlobalMatrix { ref stiffness, scale } = left.matrix;
                let matrix = GlobalMatrix { stiffness: stiffness.clone(), scale };
                let mut now =
                    Kept { pattern: Arc::clone(&left.pattern), matrix, regularization: left.regularization, left: Leftover::default() };
                slot.put(left);
                change(&mut now);
                take(Some(slot), &now.pattern, &now.matrix, now.regularization)
            };
            assert!(serves(&after(&|_| {})), "{name}");
            // Orders and memory are still there where numbers differ, and nothing where others are coupled.
            let left = [after(&|now| now.matrix.stiffness.scale(1.0 + f64::EPSILON)), after(&|now| now.regularization *= 2.0)];
            assert!(left.iter().all(|left| !serves(left) && (left.whole.is_some() || left.newton.is_some())), "{name}");
            let free: Vec<bool> = system.fixed.iter().map(|fixed| !fixed).collect();
            let left = after(&|now| now.pattern = Arc::new(NodeMatrixPattern::new(&free, &system.families)));
            assert!(left.whole.is_none() && left.newton.is_none(), "{name}");
            assert!(!slot.clear(), "{name}: what was taken is no longer there");
        }
    }
}

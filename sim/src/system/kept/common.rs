//! [`Common`]: what systems that are built one after the other have in common, found there by the later and left there by the earlier.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::element::Family;
use crate::linear::NodeMatrixPattern;

/// Patterns that are remembered: of an edit, of the one before, and of what an undo brings back.
const PATTERNS: usize = 3;

/// What is had in common.
#[derive(Default)]
pub struct Common {
    pub(in crate::system) patterns: KeptPatterns,
    /// What the last global stage left.
    pub global_stage: Slot,
}

/// Something that a later stage keeps. What it is, is that stage's affair.
#[derive(Default)]
pub struct Slot(Mutex<Option<Box<dyn Any + Send>>>);

impl Slot {
    /// What is in it, if it is of this sort; it is empty then.
    pub fn take<T: Any>(&self) -> Option<T> {
        let found = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        found.and_then(|found| found.downcast().ok()).map(|found| *found)
    }

    /// Puts `kept` in the place of what is in it.
    pub fn put<T: Any + Send>(&self, kept: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(kept));
    }

    /// Lets go of what is in it; whether there was something.
    pub fn clear(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().is_some()
    }
}

/// Patterns with what they were made of, the latest at the end.
#[derive(Default)]
pub struct KeptPatterns(Mutex<VecDeque<KeptPattern>>);

struct KeptPattern {
    free: Vec<bool>,
    /// Of each family the nodes an element, and those of all elements.
    couplings: Vec<(usize, Vec<u32>)>,
    pattern: Arc<NodeMatrixPattern>,
}

impl KeptPatterns {
    /// The pattern of `families` on the nodes for which `free` holds.
    pub(in crate::system) fn of(&self, free: &[bool], families: &[Box<dyn Family>]) -> Arc<NodeMatrixPattern> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().position(|one| one.free == free && is_coupled_alike(&one.couplings, families));
        let one = match found.and_then(|at| known.remove(at)) {
            Some(one) => one,
            None => KeptPattern {
                free: free.to_vec(),
                couplings: families.iter().map(|family| couplings(family.as_ref())).collect(),
                pattern: Arc::new(NodeMatrixPattern::new(free, families)),
            },
        };
        let pattern = Arc::clone(&one.pattern);
        known.push_back(one);
        while known.len() > PATTERNS {
            known.pop_front();
        }
        pattern
    }
}

fn couplings(family: &dyn Family) -> (usize, Vec<u32>) {
    (family.nodes_per_element(), (0..family.len()).flat_map(|e| family.nodes(e)).copied().collect())
}

fn is_coupled_alike(known: &[(usize, Vec<u32>)], families: &[Box<dyn Family>]) -> bool {
    #[allow(clippy::borrowed_box, reason = "it is what iterating over the families gives")]
    let is_alike = |((width, nodes), family): (&(usize, Vec<u32>), &Box<dyn Family>)| {
        *width == family.nodes_per_element()
            && nodes.len() == width * family.len()
            && nodes.chunks_exact(*width).enumerate().all(|(e, nodes)| nodes == family.nodes(e))
    };
    known.len() == families.len() && known.iter().zip(families).all(is_alike)
}

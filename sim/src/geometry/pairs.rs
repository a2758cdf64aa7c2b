//! The pairs of overlapping boxes of two trees, or of one with itself.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::MeetingRules;
use super::tree::Tree;
use crate::watch::{Cancelled, Watch};

/// Leaves that are handled together.
const CHUNK: usize = 64;

/// Finds pairs of features, and sorts them. Keeps its buffers.
#[derive(Debug, Clone, Default)]
pub struct PairFinder {
    /// What each chunk of leaves has found.
    found: Vec<Vec<(u32, u32)>>,
    /// Where the pairs of each first feature end.
    ends: Vec<u32>,
}

/// What makes two features a pair.
pub struct Criterion<'a, Rules: MeetingRules, Fits: Fn(u32, u32) -> bool + Sync> {
    /// What may meet at all.
    pub rules: &'a Rules,
    /// Largest gap between the boxes along an axis [m].
    pub reach: f64,
    /// Asked last.
    pub fits: Fits,
}

impl PairFinder {
    /// Pairs (feature of `a`, feature of `b`), ascending. Without a `b`: pairs within `a`, the smaller index first.
    /// Returns false, and leaves `pairs` as they were, where there are more than `most`.
    pub fn find<Rules: MeetingRules, Fits: Fn(u32, u32) -> bool + Sync>(
        &mut self,
        a: &Tree,
        b: Option<&Tree>,
        criterion: &Criterion<Rules, Fits>,
        most: usize,
        pairs: &mut Vec<(u32, u32)>,
    ) -> bool {
        let total = AtomicUsize::new(0);
        let leaves = a.leaves();
        self.found.resize_with(leaves.div_ceil(CHUNK), Vec::new);
        self.found.par_iter_mut().enumerate().for_each(|(chunk, found)| {
            found.clear();
            for leaf in CHUNK * chunk..leaves.min(CHUNK * (chunk + 1)) {
                let before = found.len();
                match b {
                    Some(b) if b.leaves() > 0 => search(a, leaf, b, 0, criterion, |first, second| found.push((first, second))),
                    Some(_) => {}
                    None => search(a, leaf, a, leaf, criterion, |first, second| found.push((first.min(second), first.max(second)))),
                }
                // Stopping early changes nothing but the time: the whole is too much then, whoever notices first.
                if total.fetch_add(found.len() - before, Ordering::Relaxed) > most {
                    break;
                }
            }
        });
        let few = total.into_inner() <= most;
        if few {
            self.sort(a.features(), pairs);
        }
        few
    }

    /// Gathers what was found: by counting over the first feature, then each feature's short list for itself.
    fn sort(&mut self, features: usize, pairs: &mut Vec<(u32, u32)>) {
        self.ends.clear();
        self.ends.resize(features + 1, 0);
        for (first, _) in self.found.iter().flatten() {
            self.ends[*first as usize + 1] += 1;
        }
        for feature in 0..features {
            self.ends[feature + 1] += self.ends[feature];
        }
        pairs.resize(self.ends[features] as usize, (0, 0));
        // Each start moves up to its end.
        for &pair in self.found.iter().flatten() {
            let at = &mut self.ends[pair.0 as usize];
            pairs[*at as usize] = pair;
            *at += 1;
        }
        pairs.par_chunk_by_mut(|a, b| a.0 == b.0).for_each(<[_]>::sort_unstable);
    }
}

/// Asks `criterion.fits` about every pair within `tree`, and keeps none. Returns false where more than `most` fit: then not every
/// pair was asked about.
pub fn visit<Rules: MeetingRules, Fits: Fn(u32, u32) -> bool + Sync>(
    tree: &Tree,
    criterion: &Criterion<Rules, Fits>,
    most: usize,
    watch: &dyn Watch,
) -> Result<bool, Cancelled> {
    let total = AtomicUsize::new(0);
    (0..tree.leaves()).into_par_iter().with_min_len(CHUNK).try_for_each(|leaf| {
        watch.check()?;
        // Whoever notices first, the whole is too much.
        if total.load(Ordering::Relaxed) <= most {
            let mut met = 0;
            search(tree, leaf, tree, leaf, criterion, |_, _| met += 1);
            total.fetch_add(met, Ordering::Relaxed);
        }
        Ok(())
    })?;
    Ok(total.into_inner() <= most)
}

/// Reports the pairs of one leaf of `a` with the leaves of `b` from `from` on; of a leaf with itself each pair once.
#[inline]
fn search<Rules: MeetingRules, Fits: Fn(u32, u32) -> bool + Sync>(
    a: &Tree,
    leaf: usize,
    b: &Tree,
    from: usize,
    criterion: &Criterion<Rules, Fits>,
    mut report: impl FnMut(u32, u32),
) {
    let label = a.leaf_label(leaf);
    let (features, boxes) = a.leaf(leaf);
    let own = std::ptr::eq(a, b);
    let passes = |other| label.may_meet(other, criterion.rules);
    b.visit(&a.leaf_box(leaf).grown(criterion.reach).query(), from, passes, |other| {
        let (other_features, other_boxes) = b.leaf(other);
        for (i, &feature) in features.iter().enumerate() {
            let mut met = other_boxes.meets(&boxes.get(i).grown(criterion.reach).query());
            if own && other == leaf {
                met &= !0 << (i + 1);
            }
            while met != 0 {
                let other = other_features[met.trailing_zeros() as usize];
                met &= met - 1;
                if (criterion.fits)(feature, other) {
                    report(feature, other);
                }
            }
        }
    });
}

//! How far a Newton step may go: no surfaces may touch, and no preloaded gap may close.

use rayon::prelude::*;

use super::potential::SurfacePotential;
use super::slots::PairSlot;
use crate::contact::broad_phase::Candidates;
use crate::contact::pairs::Pair;
use crate::contact::stencil::StencilKind;
use crate::contact::surface::CollisionSurface;
use crate::math::Vec3;

/// Share of its distance that a pair keeps in one Newton step.
const KEPT_SHARE: f64 = 0.1;

/// Pairs looked at by one task; fixed, so that results do not depend on the number of threads.
const CHUNK: usize = 256;

impl SurfacePotential<'_> {
    /// The part of the step `dx`, in [0, limit], on which nothing touches: every pair of primitives keeps a share of its true
    /// distance, and every preloaded contact a share of its gap.
    pub fn max_step(&mut self, x: &[Vec3], dx: &[Vec3], limit: f64) -> f64 {
        let surface = self.space.surface;
        if !surface.is_active() {
            return limit;
        }
        // A pair that stays further apart than this all the way is not in danger.
        let reach = KEPT_SHARE * self.contacts.barrier.distance;
        let (share, candidates) = self.contacts.near.candidates.ensure_swept(surface, x, dx, reach);
        let limit = free_share(surface, candidates, x, dx, limit.min(share));
        self.slots.iter().fold(limit, |limit, slot| open_until(slot, x, dx, limit))
    }
}

/// The part of the step `dx` [m] from `x` [m], in [0, limit], on which the pairs of `candidates` keep a share of their distance.
pub fn free_share(surface: &CollisionSurface, candidates: &Candidates, x: &[Vec3], dx: &[Vec3], limit: f64) -> f64 {
    let of_kind = |limit: f64, kind: StencilKind| {
        let until = |limit: f64, &features: &(u32, u32)| limit.min(Pair { kind, features }.free_share(surface, x, dx, limit, KEPT_SHARE));
        candidates.of(kind).par_chunks(CHUNK).map(|pairs| pairs.iter().fold(limit, until)).reduce(|| limit, f64::min)
    };
    Candidates::KINDS.into_iter().fold(limit, of_kind)
}

/// The part of the step in [0, limit] after which the gap of `slot` is still open by a share of what it is now. The gap changes
/// almost in proportion to the step.
fn open_until(slot: &PairSlot, x: &[Vec3], dx: &[Vec3], limit: f64) -> f64 {
    let gap = slot.gap(x);
    let kept = KEPT_SHARE * gap;
    let mut step = limit;
    loop {
        let left = slot.gap_after(x, dx, step);
        // Half of it, so that rounding does not keep the search from its end.
        if left >= 0.5 * kept || step == 0.0 {
            return step;
        }
        step *= if left.is_finite() { (gap - kept) / (gap - left) } else { 0.5 };
    }
}

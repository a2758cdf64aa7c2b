//! [`PairSlot`]: the preload of a vertex or an edge on the surface of another part (or of its own).
//!
//! The offset is never positive, so that the barrier of a preloaded contact ends at a positive true distance and no
//! force can push surfaces through each other unseen. A slot belongs to a vertex, or an edge, and the part that it
//! touches; the feature that it faces is found anew as it slides.

use super::common_point::Carrier;
use super::feature::{Facing, Fans, Feature, FeatureKind};
use super::term::{Pose, Term};
use super::touch::Touch;
use crate::contact::barrier::Barrier;
use crate::contact::primitive::{DistanceFrame, Nearest};
use crate::contact::reach::Reach;
use crate::contact::surface::CollisionSurface;
use crate::math::{Mat3, Vec3};

/// A solved contact force between two primitives, to be there from the first instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairPreload {
    /// What touches what.
    pub touch: Touch,
    /// Unit normal towards the first primitive.
    pub normal: Vec3,
    /// Normal force on the first primitive, away from the second [N]; negative only for the pinned baseline.
    pub normal_force: f64,
    /// Friction force on the first primitive [N].
    pub friction_force: Vec3,
    /// True distance in the given shape [m].
    pub distance: f64,
}

/// Memory of one preloaded contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairSlot {
    /// Part of the vertex or edge, and the part that it touches.
    pub parts: [u32; 2],
    /// What the vertex faces, or the edge that the edge crosses.
    pub facing: Facing,
    /// What of it is nearest, kept while a step is solved.
    pub feature: Feature,
    /// How far both parts reach around their features, together [m].
    pub radius: f64,
    /// From the feature to the vertex or edge when the feature was found; tells the sides of a plane.
    pub side: Vec3,
    /// Added to the true distance to give the effective gap [m]; never positive.
    pub offset: f64,
    /// The offset before sliding faded it [m].
    pub initial_offset: f64,
    /// Share of the barrier's force that is left; the contacts without memory take over the rest.
    pub share: f64,
    /// Length slid since the offset was set [m].
    pub path: f64,
    /// Tangential slip from the anchor [m].
    pub slip: Vec3,
    /// Normal force at the end of the last step [N].
    pub force: f64,
    /// Share of the barrier's distance at which it begins to push.
    pub reach: f64,
    /// What carries the friction.
    pub carrier: Option<Carrier>,
}

impl PairSlot {
    /// A slot of two primitives as they face one another in the positions `x`, with no force yet; none if the surface has no such
    /// primitives.
    pub fn new(surface: &CollisionSurface, fans: &Fans, reach: &Reach, touch: &Touch, x: &[Vec3]) -> Option<Self> {
        let (feature, facing) = touch.feature(surface, fans, x)?;
        let parts = touch.parts(surface)?;
        Some(Self {
            parts,
            facing,
            feature,
            radius: touch.radius(surface, parts),
            side: feature.nearest(x).offset,
            offset: 0.0,
            initial_offset: 0.0,
            share: 1.0,
            path: 0.0,
            slip: Vec3::zeros(),
            force: 0.0,
            reach: reach.share(&touch.nodes()),
            carrier: None,
        })
    }

    /// True distance of the surfaces at the feature [m]; minus infinity on the wrong side of a plane.
    pub fn distance(&self, x: &[Vec3]) -> f64 {
        self.distance_of(&self.feature.nearest(x))
    }

    /// Effective gap [m].
    pub fn gap(&self, x: &[Vec3]) -> f64 {
        self.distance(x) + self.offset
    }

    /// Effective gap after the part `step` of the motion `dx` [m].
    pub fn gap_after(&self, x: &[Vec3], dx: &[Vec3], step: f64) -> f64 {
        self.distance_of(&self.feature.nearest_of(|node| x[node] + step * dx[node])) + self.offset
    }

    /// Takes the slip [m] from the anchor at the end of a step, cut back to `longest`: the anchor follows by the rest.
    pub fn slide(&mut self, slip: Vec3, longest: f64) {
        let norm = slip.norm();
        self.slip = if norm > longest { slip * (longest / norm) } else { slip };
        self.path += (norm - longest).max(0.0);
    }

    /// Normal force on the vertex or edge [N].
    pub fn normal_force(&self, barrier: &Barrier, x: &[Vec3]) -> f64 {
        self.share * barrier.narrowed(self.reach).force(self.gap(x))
    }

    /// Sets the offset at which the barrier makes the normal force `force` [N] at the true distance `distance` [m].
    pub fn preload(&mut self, barrier: &Barrier, force: f64, distance: f64) {
        let barrier = barrier.narrowed(self.reach);
        let offset = (barrier.gap_for_force(force / self.share) - distance).min(0.0);
        // What sliding has left of it is the same share as before.
        self.initial_offset *= if self.offset == 0.0 { 0.0 } else { offset / self.offset };
        if self.path == 0.0 {
            self.initial_offset = offset;
        }
        self.offset = offset;
        self.force = self.share * barrier.force(distance + self.offset);
    }

    /// Finds the feature anew. True if the gap changed by more than `tolerance` [m].
    pub fn repick(&mut self, surface: &CollisionSurface, fans: &Fans, x: &[Vec3], tolerance: f64) -> bool {
        let before = self.distance(x);
        (self.feature, self.facing) = fans.repicked(surface, &self.feature, self.facing, x);
        self.side = self.feature.nearest(x).offset;
        let after = self.distance(x);
        // A feature that comes up nearer than the gap is wide would close it: the offset gives way.
        let gap = before + self.offset;
        if after + self.offset < KEPT_GAP * gap {
            self.offset = (KEPT_GAP * gap - after).min(0.0);
        }
        (after - before).abs() > tolerance
    }

    /// Moves the offset towards what is left of it after sliding `path` of `length`, by at most half the gap; after as long a
    /// path again nothing of the force is left either.
    pub fn fade(&mut self, gap: f64, length: f64) {
        let left = smooth_step_down(self.path / length);
        let change = left * self.initial_offset - self.offset;
        self.offset = (self.offset + change.clamp(0.0, (0.5 * gap).max(0.0))).min(0.0);
        self.share = smooth_step_down(self.path / length - 1.0);
    }

    fn distance_of(&self, nearest: &Nearest) -> f64 {
        let crossed = self.feature.kind == FeatureKind::Plane && nearest.offset.dot(&self.side) <= 0.0;
        if crossed { f64::NEG_INFINITY } else { nearest.distance() - self.radius }
    }
}

/// Of the gap that it had, what a contact keeps when its feature changes.
const KEPT_GAP: f64 = 0.5;

/// 1 up to 0, 0 from 1 on, smooth between.
fn smooth_step_down(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    1.0 - t * t * (3.0 - 2.0 * t)
}

impl Term<4> for PairSlot {
    fn nodes(&self) -> [u32; 4] {
        self.feature.nodes
    }

    fn energy(&self, pose: &Pose) -> f64 {
        self.share * pose.barrier.narrowed(self.reach).energy(self.gap(pose.x))
    }

    fn gradient(&self, pose: &Pose) -> [Vec3; 4] {
        let nearest = self.feature.nearest(pose.x);
        let force = self.share * pose.barrier.narrowed(self.reach).force(self.distance_of(&nearest) + self.offset);
        DistanceFrame::new(&nearest).gradient().map(|slope| -force * slope)
    }

    fn hessian(&self, pose: &Pose, projected: bool) -> [[Mat3; 4]; 4] {
        let nearest = self.feature.nearest(pose.x);
        let frame = DistanceFrame::new(&nearest);
        let gap = self.distance_of(&nearest) + self.offset;
        let barrier = pose.barrier.narrowed(self.reach);
        let (slope, curvature) = (-self.share * barrier.force(gap), self.share * barrier.second_derivative(gap));
        let mut hessian = [[Mat3::zeros(); 4]; 4];
        if projected {
            frame.add_projected_hessian(slope, curvature, &mut hessian);
        } else {
            frame.add_hessian(slope, curvature, &mut hessian);
        }
        hessian
    }
}

//! [`LaggedFriction`]: friction of one pair of primitives. Normal force, tangent plane and closest points are lagged (Li et
//! al. 2020, section 5.4), so that it is the gradient of an energy; the weights of the closest points sum to zero, so
//! that it changes no momentum.

use super::anchors::in_plane;
use super::term::{Pose, Term};
use crate::contact::friction::{ForceShare, SlipPotential};
use crate::contact::stencil::NO_NODE;
use crate::math::{Mat3, Vec3};

/// Friction with all frozen that a solve does not change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LaggedFriction {
    /// Nodes of both primitives; [`NO_NODE`] where there are fewer than four.
    pub nodes: [u32; 4],
    /// Weights of the nodes in the vector between the closest points; zero for missing nodes.
    pub weights: [f64; 4],
    /// Unit normal of the tangent plane.
    pub normal: Vec3,
    /// Slip from the anchor at the step's start, in the tangent plane [m].
    pub slip: Vec3,
    /// Potential of the slip.
    pub potential: SlipPotential,
    /// What Newton's method knows of the force.
    pub known: Option<ForceShare>,
}

impl LaggedFriction {
    /// Slip from the anchor in the pose [m].
    pub fn slip_after(&self, pose: &Pose) -> Vec3 {
        self.slip + self.moved(pose)
    }

    /// Tangential relative displacement within the step [m].
    pub fn moved(&self, pose: &Pose) -> Vec3 {
        in_plane(&self.displacement(pose), &self.normal)
    }

    /// Relative displacement of the closest points within the step [m].
    pub fn displacement(&self, pose: &Pose) -> Vec3 {
        let moved = |(node, weight): (u32, f64)| weight * (pose.x[node as usize] - pose.origin[node as usize]);
        self.nodes.into_iter().zip(self.weights).filter(|(node, _)| *node != NO_NODE).map(moved).sum()
    }

    /// Friction force on the first primitive [N].
    pub fn force(&self, pose: &Pose) -> Vec3 {
        -self.potential.gradient(&self.slip_after(pose))
    }
}

impl Term for LaggedFriction {
    fn nodes(&self) -> [u32; 4] {
        self.nodes
    }

    fn energy(&self, pose: &Pose) -> f64 {
        self.potential.energy(&self.slip_after(pose))
    }

    fn gradient(&self, pose: &Pose) -> [Vec3; 4] {
        let gradient = self.potential.gradient(&self.slip_after(pose));
        self.weights.map(|weight| weight * gradient)
    }

    /// Positive semidefinite as it is; `projected` takes the curvature from above, unless Newton's method follows it.
    fn hessian(&self, pose: &Pose, projected: bool) -> [[Mat3; 4]; 4] {
        let slip = self.slip_after(pose);
        let hessian = match &self.known {
            Some(force) => self.potential.hessian_with(&slip, &self.normal, force),
            None => self.potential.hessian(&slip, &self.normal, projected),
        };
        self.weights.map(|row| self.weights.map(|column| row * column * hessian))
    }
}

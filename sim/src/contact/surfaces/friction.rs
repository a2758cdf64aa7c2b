//! [`LaggedFriction`]: friction of one pair of primitives. Normal force, tangent plane and closest points are lagged (Li et
//! al. 2020, section 5.4), so that it is the gradient of an energy. It acts on both sides at one point, so that it changes
//! neither linear nor angular momentum.

use super::anchors::in_plane;
use super::common_point::{CommonPoint, MOST_NODES};
use super::term::{Pose, Term};
use crate::contact::friction::{ForceShare, SlipPotential};
use crate::math::{Mat3, Vec3};

/// Friction with all frozen that a solve does not change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LaggedFriction {
    /// Where it acts.
    pub at: CommonPoint,
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

    /// Relative displacement within the step [m].
    pub fn displacement(&self, pose: &Pose) -> Vec3 {
        self.at.displacement(|node| pose.x[node] - pose.origin[node])
    }

    /// Friction force on the first primitive [N].
    pub fn force(&self, pose: &Pose) -> Vec3 {
        -self.potential.gradient(&self.slip_after(pose))
    }
}

impl Term<MOST_NODES> for LaggedFriction {
    fn nodes(&self) -> [u32; MOST_NODES] {
        self.at.nodes
    }

    fn energy(&self, pose: &Pose) -> f64 {
        self.potential.energy(&self.slip_after(pose))
    }

    fn gradient(&self, pose: &Pose) -> [Vec3; MOST_NODES] {
        let gradient = self.potential.gradient(&self.slip_after(pose));
        std::array::from_fn(|k| self.at.force_on(k, &gradient))
    }

    /// Positive semidefinite as it is; `projected` takes the curvature from above, unless Newton's method follows it.
    fn hessian(&self, pose: &Pose, projected: bool) -> [[Mat3; MOST_NODES]; MOST_NODES] {
        let slip = self.slip_after(pose);
        let hessian = match &self.known {
            Some(force) => self.potential.hessian_with(&slip, &self.normal, force),
            None => self.potential.hessian(&slip, &self.normal, projected),
        };
        let maps: [Mat3; MOST_NODES] = std::array::from_fn(|k| self.at.map(k));
        maps.map(|row| maps.map(|column| row.tr_mul(&(hessian * column))))
    }
}

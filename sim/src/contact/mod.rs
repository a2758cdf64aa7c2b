//! Contact: nodes with obstacles that are signed distances, and surfaces with one another and with mesh obstacles.
//!
//! ```text
//! obstacle -> distance -> barrier, friction -> slots (what a contact remembers) -> potential (one time step)
//! surface -> broad_phase -> reach, active -> primitive, stencil -> surfaces (memory, and the potential of one time step), ccd
//! ```

pub mod active;
mod balance;
pub mod barrier;
pub mod broad_phase;
pub mod ccd;
pub mod clear;
pub mod distance;
pub mod expanded;
pub mod friction;
pub mod intersection;
pub mod obstacle;
mod pairs;
pub mod points;
pub mod potential;
pub mod primitive;
pub mod reach;
pub mod slots;
mod space;
pub mod stencil;
pub mod step_contact;
pub mod surface;
pub mod surfaces;

pub use active::ActiveSet;
pub use balance::{Balance, BalancedContact};
pub use broad_phase::{CandidateCache, Candidates};
pub use expanded::SurfaceHessian;
pub use obstacle::{Distance, PlacedObstacle};
pub use pairs::{Pair, at};
pub use points::{ContactPoints, InsetPoint};
pub use potential::{ContactPotential, ContactSummary};
pub use slots::{ObstacleContacts, Slot};
pub use space::{Burden, Burdened, ContactSpace, TouchPair};
pub use stencil::{Closest, PairTraits, Stencil, StencilKind};
pub use step_contact::{ContactForce, ContactMemory, StepContact};
pub use surface::{CollisionSurface, PairRules, PartForm, PartInput, Thinness, TightPlaces};

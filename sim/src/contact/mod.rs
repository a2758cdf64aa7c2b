//! Contact with rigid obstacles: signed distances, barrier, friction, and the preload that makes the contact
//! force of the first instant the solved one.
//!
//! ```text
//! obstacle -> distance -> barrier, friction -> slots (what a contact remembers) -> potential (one time step)
//! ```

pub mod active;
pub mod barrier;
pub mod broad_phase;
pub mod ccd;
pub mod distance;
pub mod friction;
pub mod intersection;
pub mod obstacle;
pub mod potential;
pub mod primitive;
pub mod slots;
pub mod stencil;
pub mod surface;

pub use active::ActiveSet;
pub use broad_phase::{CandidateCache, Candidates};
pub use obstacle::{Distance, PlacedObstacle};
pub use potential::{ContactPotential, ContactSummary};
pub use slots::{Contacts, Slot};
pub use stencil::{Closest, Stencil, StencilKind};
pub use surface::{CollisionSurface, PairRules, PartInput};

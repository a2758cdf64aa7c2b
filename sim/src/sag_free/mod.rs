//! Sag-free initialisation (Hsu et al. 2022): find internal and contact forces that balance the loads in the given
//! shape (global stage), then the rest state of each element that makes its share (local stage).
//!
//! ```text
//! contacts -> problem -> global (cones where there is contact) -> local -> feasibility, stability -> verdict
//! ```

pub mod cone;
mod contact_forces;
#[cfg(test)]
mod contact_tests;
pub mod contacts;
mod determinate;
pub mod equilibrium;
pub mod feasibility;
pub mod friction_in_hand;
pub mod global;
mod grid;
pub mod initialise;
mod interior_point;
#[cfg(test)]
mod interior_point_tests;
mod leftover;
pub mod less_push;
pub mod local;
mod newton;
pub mod particles;
pub mod parts;
mod points;
pub mod problem;
#[cfg(test)]
mod random_tests;
mod reduced;
mod rigid;
mod row;
#[cfg(test)]
mod scenes;
pub mod stability;
pub mod stage;
pub mod tension;
pub mod verdict;
pub mod within_reach;

pub use contacts::{FoundContact, Touching};
pub use initialise::{InitSeconds, InitialiseError};
pub use problem::{BalanceProblem, Between, ContactSite};

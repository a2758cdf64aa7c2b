//! Results to disk: one file a format.

pub mod medit;
pub mod vtu;

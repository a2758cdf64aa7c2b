//! Results to disk: one file a format.

pub mod medit;

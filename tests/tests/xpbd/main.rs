//! Steps by positions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

#[path = "../spring_scene/mod.rs"]
mod spring_scene;
#[path = "../strand_scene/mod.rs"]
mod strand_scene;

mod closed;
mod contact;
mod far;
mod groups;
mod rest;
mod solids;
mod strands;
mod turns;

//! Springs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

#[path = "../spring_scene/mod.rs"]
mod spring_scene;

mod attachments;
mod bodies;
mod networks;

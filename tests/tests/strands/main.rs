//! Strands.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

#[path = "../spring_scene/mod.rs"]
mod spring_scene;
#[path = "../strand_scene/mod.rs"]
mod strand_scene;

mod contact;
mod cosserat;
mod discrete;

//! What is read and written, and the command line.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod cli;
mod crash;
mod exports;
mod filling;
mod import_damage;
mod mends;
mod overwrite;
mod prepared;
mod real_meshes;
mod schema;
mod unusual_scenes;

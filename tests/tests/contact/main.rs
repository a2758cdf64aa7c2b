//! What touches.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod balance;
mod boxes;
mod entrance;
mod follows;
mod friction;
mod impacts;
mod momentum;
mod obstacles;
mod oracle;
mod pairs;
mod points;
mod small_obstacles;
mod steps;
mod touching;

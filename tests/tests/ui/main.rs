//! The editor without a window.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

#[path = "../editor/mod.rs"]
mod editor;
#[path = "../mouse/mod.rs"]
mod mouse;

mod browser;
mod certificate;
mod drag;
mod driven;
mod dynamics;
mod entries;
mod files;
mod forms;
mod gizmos;
mod going_on;
mod import;
mod import_materials;
mod layout;
mod legend;
mod live;
mod nets;
mod outcome;
mod painting;
mod palette;
mod pattern;
mod pictures;
mod plots;
mod points;
mod probes;
mod recording;
mod regions;
mod selection;
mod shown;
mod slice;
mod start;
mod stories;
mod timeline;

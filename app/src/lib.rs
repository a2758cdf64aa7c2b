//! The editor and the command line; the binary only calls [`cli`].

pub mod app;
pub mod cli;
pub mod document;
pub mod drawing;
pub mod layout;
pub mod offscreen;
pub mod panels;
pub mod preview;
pub mod profile;
pub mod region_map;
pub mod session;
pub mod sewing_pattern;
pub mod sources;
pub mod theme;
pub mod thumbnails;
pub mod viewport;
pub mod widgets;
pub mod window;

//! The editor and the command line; the binary only calls [`cli`].

pub mod cli;
pub mod viewport;
pub mod window;

//! The editor and the command line; the binary only calls [`cli`].

pub mod viewport;

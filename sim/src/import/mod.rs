//! Mesh files: one file a format.

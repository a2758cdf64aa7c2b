//! Results to disk: one file a format.

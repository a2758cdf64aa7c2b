//! Sparse linear algebra on the node graph.

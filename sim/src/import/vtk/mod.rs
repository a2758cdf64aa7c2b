//! VTK's files of meshes: the old `.vtk` ("legacy") and the XML `.vtu` and `.vtp` (VTK user's guide, "VTK file formats").

mod array;
mod budget;
pub(super) mod bytes;
mod cell_type;
mod cells;
pub mod legacy;
mod legacy_data;
mod number;
mod piece;
pub(crate) mod stored;
mod tag;
pub mod xml;

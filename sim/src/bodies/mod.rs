//! Kinds of bodies, one folder each: from what a scene says of a body to a mesh over its nodes, masses and elements.
//! [`crate::system`] puts the bodies of a scene together and does not know the kinds apart.

pub mod cloth;
pub mod groups;
pub mod keys;
mod kind;
pub mod particles;
mod placed;
pub mod select;
pub mod solid;
pub mod springs;
pub mod stiffness;
pub mod strands;
pub mod supports;
pub mod transfer;
mod unfilled;

pub use kind::{
    BODY_KINDS, BodyKind, Degenerate, Families, InternalNode, Matter, Schema, add_body_kind, body_kind, body_kinds, kind_named,
};
pub use placed::{Misplaced, PlacedMesh, place, to_file};

//! [`FamilyKind`]: what a family of elements is called, and what its elements tell of themselves.

/// What all elements of a family have in common.
#[derive(Debug)]
pub struct FamilyKind {
    /// Name (`tetrahedra`), as in prepared assets.
    pub name: &'static str,
    /// How many numbers the rest state of an element takes.
    pub rest_numbers: usize,
    /// What its elements can be looked at for.
    pub fields: &'static [FieldKind],
}

/// A quantity that each element of a family has.
#[derive(Debug, PartialEq, Eq)]
pub struct FieldKind {
    /// Name, in the words of the field (`compression ratio`, `von Mises stress`).
    pub name: &'static str,
    /// Unit; empty for none.
    pub unit: &'static str,
}

/// The factor on the authored stiffness, which elements of every family have.
pub const STIFFENING: FieldKind = FieldKind { name: "stiffening factor", unit: "" };

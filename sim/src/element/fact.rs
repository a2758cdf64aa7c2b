//! What a single element or node tells of itself, beside the fields that all of its kind have.

/// A number, or a few, with a name and a unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// Name, in the words of the field.
    pub name: &'static str,
    /// Unit; empty for none.
    pub unit: &'static str,
    /// What it is, in a line.
    pub doc: &'static str,
    /// The numbers: one, or the components of a vector, or several of one sort.
    pub values: Vec<f64>,
}

impl Fact {
    /// One number.
    pub fn one(name: &'static str, unit: &'static str, doc: &'static str, value: f64) -> Self {
        Self { name, unit, doc, values: vec![value] }
    }

    /// Several.
    pub fn several(name: &'static str, unit: &'static str, doc: &'static str, values: impl IntoIterator<Item = f64>) -> Self {
        Self { name, unit, doc, values: values.into_iter().collect() }
    }
}

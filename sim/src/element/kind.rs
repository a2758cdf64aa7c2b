//! [`FamilyKind`]: what a family of elements is called, and what its elements tell of themselves.

/// What all elements of a family have in common.
#[derive(Debug)]
pub struct FamilyKind {
    /// Name (`tetrahedra`), as in prepared assets.
    pub name: &'static str,
    /// How many numbers the rest state of an element takes; of elements with any number of nodes, beside those of the nodes.
    pub rest_numbers: usize,
    /// What its elements can be looked at for.
    pub fields: &'static [FieldKind],
}

/// A quantity that elements or nodes have, and how it is looked at.
#[derive(Debug, PartialEq, Eq)]
pub struct FieldKind {
    /// Name, in the words of the field (`compression ratio`, `von Mises stress`).
    pub name: &'static str,
    /// Short name, for a list to choose from.
    pub label: &'static str,
    /// Unit; empty for none.
    pub unit: &'static str,
    /// What it is, in a line.
    pub doc: &'static str,
    /// Between which values its colours lie.
    pub scale: Scale,
}

/// Between which values the colours of a field lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// From 0 to the largest.
    From0,
    /// From 1 to the largest.
    From1,
    /// As far below 0 as above: two colours meet at 0.
    About0,
    /// As far below 1 as above: two colours meet at 1.
    About1,
}

impl Scale {
    /// Limits of a legend for `values`; those that are not finite do not count.
    pub fn limits(self, values: &[f64]) -> (f64, f64) {
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let high = || finite().fold(0.0, f64::max);
        let reach = |middle: f64| finite().map(|value| (value - middle).abs()).fold(0.0, f64::max);
        let some = |size: f64| if size > 0.0 { size } else { 1.0 };
        match self {
            Self::From0 => (0.0, some(high())),
            Self::From1 => (1.0, high().max(1.001)),
            Self::About0 => (-some(reach(0.0)), some(reach(0.0))),
            Self::About1 => (1.0 - reach(1.0).max(1e-3), 1.0 + reach(1.0).max(1e-3)),
        }
    }
}

/// The factor on the authored stiffness, which elements of every family have.
pub static STIFFENING: FieldKind = FieldKind {
    name: "stiffening factor",
    label: "Stiffening",
    unit: "",
    doc: "factor on the stiffness of elements that were too soft; 1 as authored",
    scale: Scale::From1,
};

#[cfg(test)]
mod tests {
    use super::Scale;

    #[test]
    fn limits_of_legends() {
        let values = [0.5, f64::NAN, 1.25, f64::INFINITY, -3.0];
        let of = |scale: Scale| scale.limits(&values);
        assert_eq!(
            [Scale::From0, Scale::From1, Scale::About0, Scale::About1].map(of),
            [(0.0, 1.25), (1.0, 1.25), (-3.0, 3.0), (-3.0, 5.0)]
        );
        let of = |scale: Scale| scale.limits(&[]);
        assert_eq!([Scale::From0, Scale::From1, Scale::About0].map(of), [(0.0, 1.0), (1.0, 1.001), (-1.0, 1.0)]);
        assert_eq!(Scale::About1.limits(&[1.0]), (0.999, 1.001));
    }
}

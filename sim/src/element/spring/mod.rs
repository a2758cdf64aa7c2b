//! A spring between two nodes: one unknown force, its tension T along the line of its ends (Hsu et al. 2022, eq. 14, 15).
//!
//! In the length, a stiff spring's strain of 1e-7 has lost half of its digits. So the spring knows its edge d0 and its elongation e0 in
//! the given shape, and e = e0 + |d| - |d0| with |d| - |d0| = (d - d0) . (d + d0) / (|d| + |d0|): in the given shape it is e0 to the
//! last bit.

mod clamp;
mod law;
mod stiffness;
#[cfg(test)]
mod tests;

pub use clamp::Clamp;
pub use law::{SPRING_LAWS, SpringLaw, Stretch, first_law, list_laws, spring_law};
pub use stiffness::Stiffness;

use super::{Constraint, Element, Fact, FamilyKind, FieldKind, Scale, Unattainable};
use crate::math::{Mat3, Vec3};

/// A spring.
#[derive(Debug, Clone)]
pub struct Spring {
    /// Its law.
    pub law: &'static SpringLaw,
    /// Modulus of the law: a stiffness [N/m], or a force [N] ([`SpringLaw::modulus_is_force`]).
    pub modulus: f64,
    /// How its Hessian is clamped.
    pub clamp: Clamp,
    /// d0: from its first end to its second in the given shape [m], as it is rounded.
    given_edge: Vec3,
    /// Its length [m].
    given_length: f64,
    /// e0: length in the given shape over the rest length [m].
    given_elongation: f64,
    /// Factor on the authored modulus.
    stiffening: f64,
    /// Stiffness-proportional damping [s].
    damping: f64,
    /// Whether a rest state that is solved for may only let it pull.
    only_pulls: bool,
    /// How much of its body it stands for, where that is not its length.
    bulk: Option<f64>,
}

static KIND: FamilyKind = FamilyKind { name: "springs", rest_numbers: 3, fields: &[TENSION, STRAIN] };
/// What a spring pulls with.
pub(super) const TENSION: FieldKind = FieldKind {
    name: "tension",
    label: "Tension",
    unit: "N",
    doc: "force along a spring: positive where it pulls, negative where it pushes",
    scale: Scale::About0,
};
const STRAIN: FieldKind =
    FieldKind { name: "strain", label: "Strain", unit: "", doc: "elongation of a spring over its rest length", scale: Scale::About0 };

impl Spring {
    /// A spring that is undeformed at `x`.
    ///
    /// # Errors
    /// [`Unattainable::Degenerate`] where it has no length.
    pub fn new(law: &'static SpringLaw, modulus: f64, clamp: Clamp, x: &[Vec3; 2]) -> Result<Self, Unattainable> {
        let given_edge = x[1] - x[0];
        let given_length = given_edge.norm();
        let spring = Self {
            law,
            modulus,
            clamp,
            given_edge,
            given_length,
            given_elongation: 0.0,
            stiffening: 1.0,
            damping: 0.0,
            only_pulls: false,
            bulk: None,
        };
        if given_length > 0.0 && given_length.is_finite() { Ok(spring) } else { Err(Unattainable::Degenerate) }
    }

    /// The same spring, which may or may not only pull in a rest state that is solved for.
    #[must_use]
    pub fn only_pulling(self, only_pulls: bool) -> Self {
        Self { only_pulls, ..self }
    }

    /// The same spring, which stands for so much of a body whose other elements count in another unit than lengths.
    #[must_use]
    pub fn standing_for(self, bulk: f64) -> Self {
        Self { bulk: Some(bulk), ..self }
    }

    /// Rest length [m].
    pub fn rest_length(&self) -> f64 {
        self.given_length - self.given_elongation
    }

    fn stiffened_modulus(&self) -> f64 {
        self.stiffening * self.modulus
    }

    fn stretch(&self, edge: &Vec3) -> Stretch {
        let length = edge.norm();
        let longer = (edge - self.given_edge).dot(&(edge + self.given_edge)) / (length + self.given_length);
        Stretch { length, elongation: self.given_elongation + longer }
    }

    fn tension(&self, edge: &Vec3) -> f64 {
        (self.law.tension)(self.stiffened_modulus(), &self.stretch(edge))
    }
}

impl Element<2, 1> for Spring {
    fn kind() -> &'static FamilyKind {
        &KIND
    }

    fn energy(&self, x: &[Vec3; 2]) -> f64 {
        (self.law.energy)(self.stiffened_modulus(), &self.stretch(&(x[1] - x[0])))
    }

    fn gradient(&self, x: &[Vec3; 2]) -> [Vec3; 2] {
        let edge = x[1] - x[0];
        let pull = self.tension(&edge) * direction(&edge);
        [-pull, pull]
    }

    fn hessian(&self, x: &[Vec3; 2], projected: bool) -> [[Mat3; 2]; 2] {
        let edge = x[1] - x[0];
        let (modulus, stretch) = (self.stiffened_modulus(), self.stretch(&edge));
        let (along, across) = match stretch {
            _ if projected && stretch.elongation < 0.0 => self.clamp.compressed(self.law, modulus, &stretch),
            // Where its ends meet, a spring has no direction: it resists as it would along itself.
            Stretch { length: 0.0, .. } => [(self.law.slope)(modulus, &stretch); 2].into(),
            _ => ((self.law.slope)(modulus, &stretch), (self.law.tension)(modulus, &stretch) / stretch.length),
        };
        let unit = direction(&edge);
        let block = (along - across) * (unit * unit.transpose()) + Mat3::from_diagonal_element(across);
        [[block, -block], [-block, block]]
    }

    fn force_basis(&self, x: &[Vec3; 2]) -> [[Vec3; 2]; 1] {
        let unit = direction(&(x[1] - x[0]));
        [[unit, -unit]]
    }

    fn inverse_weight(&self, x: &[Vec3; 2]) -> [[f64; 1]; 1] {
        [[(self.law.stiffness)(self.modulus, (x[1] - x[0]).norm())]]
    }

    fn is_tension() -> bool {
        true
    }

    fn tells_pushes() -> bool {
        true
    }

    fn push_weight(&self, x: &[Vec3; 2], s: &[f64; 1]) -> Option<[[f64; 1]; 1]> {
        (s[0] < 0.0).then(|| self.inverse_weight(x).map(|row| row.map(f64::recip)))
    }

    fn is_one_sided(&self) -> bool {
        self.only_pulls
    }

    fn facts(&self, x: &[Vec3; 2]) -> Vec<Fact> {
        let length = (x[1] - x[0]).norm();
        vec![
            Fact::one("length", "m", "its length now", length),
            Fact::one("rest length", "m", "its length where it is undeformed", self.rest_length()),
            Fact::one("stiffness", "N/m", "of its law at this length, as authored", (self.law.stiffness)(self.modulus, length)),
        ]
    }

    fn force_coordinates(&self, x: &[Vec3; 2]) -> [f64; 1] {
        [self.tension(&(x[1] - x[0]))]
    }

    fn with_rest_for(&self, x: &[Vec3; 2], s: &[f64; 1]) -> Result<Self, Unattainable> {
        let given_edge = x[1] - x[0];
        let given_length = given_edge.norm();
        match (self.law.elongation)(self.stiffened_modulus(), given_length, s[0]) {
            // Rounding can leave nothing of a rest length that is just above zero.
            Ok(given_elongation) if given_elongation < given_length => Ok(Self { given_edge, given_length, given_elongation, ..*self }),
            Ok(_) => Err(Unattainable::NoRestLength { attainable_share: 1.0 }),
            Err(attainable_share) => Err(Unattainable::NoRestLength { attainable_share }),
        }
    }

    fn at_rest(&self, x: &[Vec3; 2]) -> Result<Self, Unattainable> {
        let Self { stiffening, damping, only_pulls, bulk, .. } = *self;
        Ok(Self { stiffening, damping, only_pulls, bulk, ..Self::new(self.law, self.modulus, self.clamp, x)? })
    }

    fn damping(&self) -> f64 {
        self.damping
    }

    fn set_damping(&mut self, damping: f64) {
        self.damping = damping;
    }

    fn bulk(&self, x: &[Vec3; 2]) -> f64 {
        self.bulk.unwrap_or_else(|| (x[1] - x[0]).norm())
    }

    fn stiffening(&self) -> f64 {
        self.stiffening
    }

    fn stiffened(&self, factor: f64) -> Self {
        Self { stiffening: factor, ..*self }
    }

    fn fields(&self, x: &[Vec3; 2], values: &mut [f64]) {
        let edge = x[1] - x[0];
        let stretch = self.stretch(&edge);
        values.copy_from_slice(&[self.tension(&edge), stretch.elongation / stretch.rest_length()]);
    }

    /// Rest length, elongation in the given shape, factor on the stiffness.
    fn rest_numbers(&self, numbers: &mut [f64]) {
        numbers.copy_from_slice(&[self.rest_length(), self.given_elongation, self.stiffening]);
    }

    fn set_rest_numbers(&mut self, numbers: &[f64]) {
        (self.given_elongation, self.stiffening) = (numbers[1], numbers[2]);
    }

    fn given_at(&mut self, x: &[Vec3; 2]) {
        let edge = x[1] - x[0];
        self.given_elongation = self.stretch(&edge).elongation;
        (self.given_edge, self.given_length) = (edge, edge.norm());
    }

    fn kept_edges() -> &'static [[usize; 2]] {
        &[[0, 1]]
    }

    fn compliance(&self, _k: usize) -> Option<f64> {
        Some((self.law.compliance)(self.stiffened_modulus(), self.rest_length()))
    }

    fn constraint(&self, _k: usize, x: &[Vec3; 2]) -> Constraint<2> {
        let edge = x[1] - x[0];
        let [value, slope] = (self.law.constraint)(&self.stretch(&edge));
        let by = slope * direction(&edge);
        Constraint { value, gradients: [-by, by] }
    }

    /// Across the spring, whose direction turns; of no law is it more along it.
    fn curvatures(&self, _k: usize, x: &[Vec3; 2]) -> [f64; 2] {
        let edge = x[1] - x[0];
        let [_, slope] = (self.law.constraint)(&self.stretch(&edge));
        [slope / edge.norm(); 2]
    }

    fn is_line() -> bool {
        true
    }

    fn by_distance(&self, edge: &Vec3) -> [f64; 2] {
        (self.law.constraint)(&self.stretch(edge))
    }

    /// Springs may turn over.
    fn max_step(&self, _: &[Vec3; 2], _: &[Vec3; 2]) -> f64 {
        1.0
    }
}

/// Unit vector along an edge; none where it has no length.
fn direction(edge: &Vec3) -> Vec3 {
    edge.try_normalize(0.0).unwrap_or_else(Vec3::zeros)
}

//! [`Stiffness`]: how stiff springs are said to be, whatever their lengths.

use super::SpringLaw;

/// Stiffness of springs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stiffness {
    /// That of each spring [N/m], or of a piece of one metre, E A [N].
    pub value: f64,
    /// Whether it is that of a metre.
    pub is_per_length: bool,
}

impl Stiffness {
    /// The one that is given of the stiffness of `each` [N/m] and of a metre [N].
    ///
    /// # Errors
    /// Where both are given, the key that is too much, and what to do.
    pub fn one_of(each: Option<f64>, per_length: Option<f64>) -> Result<Option<Self>, (&'static str, &'static str)> {
        match (each, per_length) {
            (Some(_), Some(_)) => {
                Err(("stiffness_per_length", "\"stiffness\" says how stiff springs are already; leave one of the two out"))
            }
            (Some(value), None) => Ok(Some(Self { value, is_per_length: false })),
            (None, per_length) => Ok(per_length.map(|value| Self { value, is_per_length: true })),
        }
    }

    /// The modulus for a law of a spring with this rest length [m].
    pub fn modulus(&self, law: &SpringLaw, rest_length: f64) -> f64 {
        match (law.modulus_is_force, self.is_per_length) {
            (true, true) | (false, false) => self.value,
            (true, false) => self.value * rest_length,
            (false, true) => self.value / rest_length,
        }
    }
}

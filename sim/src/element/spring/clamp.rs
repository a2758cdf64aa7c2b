//! [`Clamp`]: how the Hessian of a compressed spring is kept positive semidefinite.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{SpringLaw, Stretch};

/// What Newton's method sees of a compressed spring, whose curvature across itself is negative. Directions differ, equilibria do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Clamp {
    /// Every negative eigenvalue becomes zero.
    #[default]
    Eigenvalues,
    /// The term that is negative in compression is left out.
    Drop,
    /// Nothing across; along the spring the slope of the chord from its rest, so that deep compression stays stiff (in the manner of
    /// Choi and Ko 2002, who give compression a positive stiffness along the spring only).
    ChoiKo,
}

impl Clamp {
    /// Eigenvalues of the curvature along and across a spring that is in compression, neither of them negative [N/m].
    pub(super) fn compressed(self, law: &SpringLaw, modulus: f64, stretch: &Stretch) -> (f64, f64) {
        let along = match self {
            Self::Eigenvalues => (law.slope)(modulus, stretch).max(0.0),
            Self::Drop => (law.slope_without_compression)(modulus, stretch),
            Self::ChoiKo => (law.tension)(modulus, stretch) / stretch.elongation,
        };
        (along, 0.0)
    }
}

//! [`Unattainable`]: why a force cannot be had, and what would give it.

/// Why an element cannot make the force asked of it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Unattainable {
    /// The law has no stable stretch with this stress; `attainable_share` of it is the most it can make.
    #[error("the material can make only {} of the stress asked for", part(*attainable_share))]
    TooSoft {
        /// Largest tau in [0, 1) for which tau times the stress is attainable; 1 / tau is the least stiffness factor.
        attainable_share: f64,
    },
    /// No positive rest length makes this tension, or this compression; `attainable_share` of it is the bound.
    #[error("a positive rest length makes only {} of the force asked for", part(*attainable_share))]
    NoRestLength {
        /// As of [`Unattainable::TooSoft`].
        attainable_share: f64,
    },
    /// The rest angle of a hinge would be farther from the given one than a radian, or of flat cloth than a radian past flat; `attainable_share` of the moment is the bound.
    #[error(
        "its rest angle would be about {:.3} rad from the given one, and beyond {} it folds shut when it is released",
        most / attainable_share,
        if *most == 1.0 { "one radian".into() } else { format!("{most:.3} rad, a radian past flat,") }
    )]
    RestAngle {
        /// As of [`Unattainable::TooSoft`].
        attainable_share: f64,
        /// How far it may be from the given one [rad].
        most: f64,
    },
    /// The rest state of a joint of a rod would be farther from the given one than half a radian, or no rotation at all; `attainable_share` of
    /// the moment is the bound.
    #[error(
        "its rest angle would be about {angle:.3} rad from the given one, and beyond {:.3} rad the rod buckles when it is released",
        angle * attainable_share
    )]
    RestBend {
        /// As of [`Unattainable::TooSoft`].
        attainable_share: f64,
        /// How far it would have to be from the given one [rad].
        angle: f64,
    },
    /// Two segments of a rod whose directions are opposite have no curvature.
    #[error("it goes straight back along the segment before it in the given shape, where a discrete elastic rod has no curvature")]
    FoldedBack,
    /// The element has no volume (or length) in the given shape.
    #[error("the element is degenerate in the given shape")]
    Degenerate,
}

/// A share below 1 in words: rounding never makes a whole of it, and only nothing is nothing.
fn part(share: f64) -> String {
    match 100.0 * share {
        percent if percent <= 0.0 => "nothing".to_owned(),
        percent if percent < 1.0 => "less than 1 %".to_owned(),
        percent => format!("{:.0} %", percent.floor().min(99.0)),
    }
}

/// What a stiffened element has beyond the least stiffness that makes its force. At the least stiffness itself, where the law's curve
/// of stress turns, the element resists no further strain in one direction; a twentieth away, where the curve is a parabola, it has about
/// a fifth of its resistance there.
pub const STIFFENING_MARGIN: f64 = 1.05;

impl Unattainable {
    /// The share of the force that the element can make; `None` where that is not known.
    pub fn attainable_share(&self) -> Option<f64> {
        match *self {
            Self::TooSoft { attainable_share } | Self::NoRestLength { attainable_share } => Some(attainable_share),
            Self::RestAngle { attainable_share, .. } | Self::RestBend { attainable_share, .. } => Some(attainable_share),
            Self::FoldedBack | Self::Degenerate => None,
        }
    }

    /// The factor on the stiffness with which the element would make its force, margin included; `None` if no factor does.
    pub fn cure(&self) -> Option<f64> {
        self.attainable_share().filter(|share| *share > 0.0).map(|share| STIFFENING_MARGIN / share)
    }
}

#[cfg(test)]
mod tests {
    use super::Unattainable;

    #[test]
    fn what_is_too_little_is_never_told_as_all() {
        for (attainable_share, told) in [
            (0.9999, "only 99 % of"),
            (0.995, "only 99 % of"),
            (0.42, "only 42 % of"),
            (0.004, "only less than 1 % of"),
            (0.0, "only nothing of"),
        ] {
            let message = Unattainable::TooSoft { attainable_share }.to_string();
            assert!(message.contains(told), "{attainable_share}: {message}");
        }
    }
}

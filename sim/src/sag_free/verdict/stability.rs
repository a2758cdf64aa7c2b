//! Whether an equilibrium is stable, and what a nudge shows of it.

use serde::Serialize;

use crate::scene::Cure;

/// Verdict from the inertia of the Hessian on the free masses, or from kicks where no Hessian tells.
#[derive(Debug, Clone, Serialize)]
pub struct Stability {
    /// Number of negative eigenvalues.
    pub negative_eigenvalues: usize,
    /// Smallest eigenvalue [N/m] against the masses over their mean, neutral motions left out; a bound above it where it was not
    /// reached; 0 where nothing can move or is in balance.
    pub smallest_eigenvalue: f64,
    /// In a word.
    pub verdict: Verdict,
    /// Why it is `undecided`, or by what it was judged where that is not the whole energy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Rigid motions that nothing resists: neither stable nor unstable, and not counted as either.
    pub neutral_motions: usize,
    /// The softest modes, ascending.
    pub softest: Vec<SoftMode>,
    /// Cures that were tried because the equilibrium was unstable, also those that do not help.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cures: Vec<CureReport>,
    /// The cure that was applied; all else in the report is after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cured_by: Option<Cure>,
}

/// What a cure does to an unstable equilibrium.
#[derive(Debug, Clone, Serialize)]
pub struct CureReport {
    /// Which.
    pub cure: Cure,
    /// Whether the equilibrium is stable with it, and in balance.
    pub helps: bool,
    /// Largest factor on a stiffness; `None` where only forces are others.
    pub factor: Option<f64>,
    /// Strain of the tension; `None` for other cures.
    pub tension: Option<f64>,
    /// Share of the tension that is left of it in the forces in balance; `None` for other cures. Where a free end gives way to it, it is small.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tension_survives: Option<f64>,
    /// How many times as much a spring that pushes counts as one that pulls; `None` for other cures.
    pub push_weight: Option<f64>,
    /// What the spring that pushes most pushes with then [N].
    pub largest_push: f64,
    /// Elements that are stiffer with it.
    pub stiffened_elements: usize,
    /// Their share of the mass.
    pub stiffened_mass: f64,
    /// Negative eigenvalues that are left.
    pub negative_eigenvalues: usize,
    /// Smallest eigenvalue with it [N/m].
    pub smallest_eigenvalue: f64,
    /// Largest change of det F of an element.
    pub max_compression_change: f64,
    /// Share of the largest load that is out of balance with it.
    pub residual: f64,
    /// Where cures were tried in turn: each of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<CureStage>,
    /// Wall seconds that finding it took.
    pub seconds: f64,
}

/// What came of a cure when its turn came.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CureStage {
    /// Which.
    pub cure: Cure,
    /// Directions in which the pose falls away with it, and with those that were kept before.
    pub negative_eigenvalues: usize,
    /// Whether it was kept: fewer than before.
    pub kept: bool,
}

impl Stability {
    /// What a nudge test says where nothing else does; `None` where eigenvalues do.
    pub fn by_kicks(report: &NudgeReport) -> Option<Self> {
        if report.agrees.is_some() {
            return None;
        }
        let verdict = match report.verdict {
            NudgeVerdict::Returns => Verdict::Stable,
            NudgeVerdict::Leaves => Verdict::Unstable,
        };
        let kicks = report.kicks.iter().filter(|kick| kick.verdict == report.verdict);
        let (velocity, seconds) =
            kicks.fold((0.0, 0.0), |(v, t): (f64, f64), kick| (v.max(kick.velocity), t.max(kick.steps as f64 * kick.step_size)));
        let what = match verdict {
            Verdict::Stable => "and nothing grew",
            _ => "it left",
        };
        let reason = format!("kicked with {velocity:.1e} m/s, {what} in {seconds:.2} s");
        Some(Self { reason: Some(reason), ..Self::without_modes(verdict, 0.0) })
    }
}

/// A small motion about the equilibrium.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SoftMode {
    /// Its stiffness [N/m], against the masses over their mean; negative where the pose falls away along it.
    pub eigenvalue: f64,
    /// Angular frequency, or the rate of its exponential growth where the eigenvalue is negative [1/s].
    pub rate: f64,
    /// Share of the mode that the eigenvalue solver left unresolved.
    pub residual: f64,
}

/// Report of a nudge test.
#[derive(Debug, Clone, Serialize)]
pub struct NudgeReport {
    /// `leaves` if the body left after one of the kicks.
    pub verdict: NudgeVerdict,
    /// Whether that is what the eigenvalues say; `None` where there are none, and the kicks decide.
    pub agrees: Option<bool>,
    /// Each kick.
    pub kicks: Vec<KickReport>,
    /// How softly the body answers a push; `None` where it is unstable.
    pub compliance: Option<Compliance>,
    /// Wall seconds.
    pub seconds: f64,
}

/// Whether a kicked body comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NudgeVerdict {
    /// It does.
    Returns,
    /// It does not.
    Leaves,
}

/// How the masses are kicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KickDirection {
    /// Along the softest mode.
    SoftestMode,
    /// All alike, along (1, 1, 1).
    Uniform,
    /// Long waves of the bodies' box at random, always the same.
    Waves,
}

/// What one kick came to.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct KickReport {
    /// Its direction.
    pub direction: KickDirection,
    /// Largest speed given to a node [m/s].
    pub velocity: f64,
    /// Step size [s].
    pub step_size: f64,
    /// Steps taken, until it was clear what becomes of the body.
    pub steps: usize,
    /// Largest displacement of a node [m].
    pub peak: f64,
    /// Displacement of the farthest node at the end [m].
    pub end: f64,
    /// `end` over `peak`.
    pub decay: f64,
    /// Whether the body came back.
    pub verdict: NudgeVerdict,
    /// Contacts that pushed before.
    pub contacts_before: usize,
    /// Contacts that push at the end.
    pub contacts_after: usize,
    /// Whether they push as much as before, within a twentieth.
    pub contact_kept: bool,
}

/// Displacement for a small static force along the softest mode [m/N].
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Compliance {
    /// With the rest states that hold the shape.
    pub sag_free: f64,
    /// With undeformed elements in the same place.
    pub naive: f64,
    /// The one over the other; far below 1, the body has turned stiff.
    pub ratio: f64,
}

/// Stable or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// No negative eigenvalue.
    Stable,
    /// At least one.
    Unstable,
    /// Not in balance, so the question has no meaning.
    NotInBalance,
    /// The physics was not decided; the reason is given.
    Undecided,
    /// No eigenvalues tell, and nobody has kicked it yet.
    NotTried,
}

//! The report of `init`.

use serde::Serialize;

use super::{Infeasibility, InitSeconds, NudgeReport, Outcome, Residual, Stability};
use crate::element::FieldKind;
use crate::sag_free::stability::forecast::Forecast;
use crate::sag_free::within_reach::Limited;
use crate::scene::Method;

/// How material points stand on their grid at the first instant, as the stepper moves them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct GridReport {
    /// Edge of a cell [m].
    pub spacing_m: f64,
    /// Largest acceleration of a point, over that of gravity, or over 1 m/s^2 where there is none.
    pub acceleration_max: f64,
    /// The root of the mean square of the same, by masses.
    pub acceleration_rms: f64,
    /// Deviators that liquids keep, as a root mean square, over their mean pressure; none where no liquid keeps one.
    pub kept_deviator: Option<f64>,
}

/// How bodies beside material points are by themselves: they go one way, and do not feel the points.
#[derive(Debug, Clone, Serialize)]
pub struct OneWayReport {
    /// Names of the bodies.
    pub bodies: Vec<String>,
    /// What this means, in words.
    pub note: &'static str,
    /// max |net force| over max |load| of them alone.
    pub residual: Residual,
    /// Stability of their equilibrium.
    pub stability: Option<Stability>,
}

impl OneWayReport {
    /// What it means that bodies go one way.
    pub const NOTE: &str = "the points feel these bodies, and the bodies do not feel the points: they move as if there were none";
}

/// Report of the initialisation.
#[derive(Debug, Clone, Serialize)]
pub struct InitReport {
    /// How the rest state was chosen.
    pub method: Method,
    /// What came of it: all else in the report are the numbers behind it.
    pub outcome: Outcome,
    /// Number of bodies.
    pub bodies: usize,
    /// Number of elements.
    pub elements: usize,
    /// Number of masses (nodes), fixed ones included.
    pub masses: usize,
    /// Number of contacts offered to the solver: nodes at obstacles, and pairs of surface features.
    pub contacts: usize,
    /// Unknowns of the global stage.
    pub unknowns: usize,
    /// Threads used.
    pub threads: usize,
    /// Wall seconds by phase.
    pub seconds: InitSeconds,
    /// Iterations of the interior point, or Tikhonov refinements where there is no contact; of conjugate gradients where material points are balanced
    /// without a factorisation.
    pub iterations: usize,
    /// Duality gap that the interior point ended with, over the work of the loads: contact forces are right to its square root.
    /// `None` without contact.
    pub gap: Option<f64>,
    /// Whether the gap is as small as it should be.
    pub gap_reached: bool,
    /// Crossings of edges that were taken in because there was no balance with the other contacts.
    pub reserve_contacts: usize,
    /// Contacts of bodies with themselves that were left out because there was no balance with them.
    pub self_contact_dropped: usize,
    /// Numerical factorisations.
    pub factorisations: usize,
    /// Entries of the Cholesky factor.
    pub nonzeros_in_factor: usize,
    /// max |net force| over max |load|, on the free masses, contact included.
    pub residual: Residual,
    /// How material points stand on their grid; `None` where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<GridReport>,
    /// How bodies that points meet one way are by themselves; `None` where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_way: Option<OneWayReport>,
    /// The sorts of elements that there are.
    pub families: Vec<FamilyReport>,
    /// What the elements have become, quantity by quantity.
    pub fields: Vec<FieldReport>,
    /// det F of the elements; `None` where it has no meaning.
    pub compression: Option<Distribution>,
    /// Volume of the elements, now and at rest; `None` where none has one.
    pub rest_volume: Option<RestVolume>,
    /// How far rest shapes are from the sewing patterns; `None` where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<PatternReport>,
    /// Contact forces.
    pub contact: ContactReport,
    /// Stability of the equilibrium.
    pub stability: Option<Stability>,
    /// Factors on the stiffness that are painted, of the elements that have one; `None` where none is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stiffness_field: Option<FieldSpread>,
    /// How far it will have drifted after a while; `None` where nobody asked.
    pub forecast: Option<Forecast>,
    /// What became of particles that were to settle; `None` where none were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled: Option<Settled>,
    /// Elements that were stiffened.
    pub stiffened: Stiffened,
    /// Elements that cannot make the force asked of them.
    pub unattainable: Unattainable,
    /// With `initialise.within_reach`: elements that were limited to what they can make; `None` where none had to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limited: Option<Limited>,
    /// What is wrong with the problem itself, in words; empty if balance was reached.
    pub infeasible: Vec<Infeasibility>,
    /// Peak memory of the process [bytes].
    pub peak_memory_bytes: u64,
}

/// What became of particles that settled.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Settled {
    /// Time that they ran for [s].
    pub seconds: f64,
    /// Steps.
    pub steps: usize,
    /// Farthest that one has moved [m].
    pub farthest: f64,
    /// Mean distance that they have moved [m].
    pub mean: f64,
    /// The speed below which they count as at rest: 1e-3 sqrt(g H), H being their height along gravity [m/s].
    pub at_rest: f64,
    /// Their largest speed at the end [m/s].
    pub fastest: f64,
    /// Whether they came to rest in the time that they are given.
    pub rests: bool,
}

/// How far the rest shapes of triangles are from their sewing pattern: of each the larger |ln| of the two stretches between them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PatternReport {
    /// Triangles with a pattern.
    pub triangles: usize,
    /// Mean, by area in the given shape.
    pub mean: f64,
    /// Largest.
    pub largest: f64,
}

/// How factors are spread over elements.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FieldSpread {
    /// The least.
    pub min: f64,
    /// The mean.
    pub mean: f64,
    /// The largest.
    pub max: f64,
}

/// The elements of one sort.
#[derive(Debug, Clone, Serialize)]
pub struct FamilyReport {
    /// Its name, in the plural.
    pub name: &'static str,
    /// How many there are.
    pub elements: usize,
    /// Names of the quantities that they can be looked at for.
    pub fields: Vec<&'static str>,
}

/// A quantity of the elements in the given shape.
#[derive(Debug, Clone, Serialize)]
pub struct FieldReport {
    /// What it is.
    #[serde(flatten, serialize_with = "named")]
    pub kind: &'static FieldKind,
    /// How many elements have it.
    pub elements: usize,
    /// Its values.
    #[serde(flatten)]
    pub distribution: Distribution,
}

/// The name of a quantity and its unit.
#[derive(Serialize)]
struct Named {
    name: &'static str,
    unit: &'static str,
}

fn named<S: serde::Serializer>(kind: &&'static FieldKind, serializer: S) -> Result<S::Ok, S::Error> {
    Named { name: kind.name, unit: kind.unit }.serialize(serializer)
}

/// How values are spread.
#[derive(Debug, Clone, Serialize)]
pub struct Distribution {
    /// Smallest.
    pub min: f64,
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub std: f64,
    /// Largest.
    pub max: f64,
    /// Histogram.
    pub histogram: Histogram,
}

/// Counts between edges; `edges` has one entry more than `counts`.
#[derive(Debug, Clone, Serialize)]
pub struct Histogram {
    /// Edges of the bins.
    pub edges: Vec<f64>,
    /// Values in each bin.
    pub counts: Vec<usize>,
}

impl InitReport {
    /// Takes in what a nudge test of the equilibrium showed, where kicks alone tell whether it is stable.
    pub fn take_nudge(&mut self, nudge: &NudgeReport) {
        if let Some(stability) = Stability::by_kicks(nudge) {
            self.outcome = Outcome::of_equilibrium().with(Some(&stability));
            self.stability = Some(stability);
        }
    }
}

impl Histogram {
    /// The bin that `value` belongs to; the nearest one for a value outside.
    pub fn bin(&self, value: f64) -> usize {
        self.edges.partition_point(|&edge| edge <= value).clamp(1, self.counts.len().max(1)) - 1
    }
}

/// Solved contact forces.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ContactReport {
    /// Of all contacts, those between surfaces.
    pub pairs: usize,
    /// Contacts that carry force.
    pub active: usize,
    /// How far inside of their surfaces bodies touch that lie on one another or nearly [m]; 0 where all touch at their surfaces.
    pub inset: f64,
    /// Largest net torque of the forces between two bodies, over the sum of all loads times the diagonal.
    pub couple: f64,
    /// Smallest normal force [N]; `None` without contacts.
    pub min_normal_force: Option<f64>,
    /// Sum of the normal forces [N].
    pub total_normal_force: f64,
    /// Largest (|tangential| - mu normal) / (mu normal), at least 0.
    pub max_cone_violation: f64,
    /// Share of each friction coefficient that the solver was allowed to use; `None` without contacts.
    pub friction_used: Option<f64>,
    /// The share that it left in hand.
    pub friction_in_hand: Option<f64>,
}

/// Volume of all elements that have one.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct RestVolume {
    /// In the given shape [m^3].
    pub given: f64,
    /// At rest [m^3].
    pub rest: f64,
}

/// Elements made stiffer than authored.
#[derive(Debug, Clone, Serialize)]
pub struct Stiffened {
    /// How many.
    pub elements: usize,
    /// Largest factor; 1 for none.
    pub max_factor: f64,
    /// Their indices, up to 100.
    pub indices: Vec<usize>,
}

/// Elements that cannot make their force.
#[derive(Debug, Clone, Serialize)]
pub struct Unattainable {
    /// How many.
    pub elements: usize,
    /// Their indices, up to 100.
    pub indices: Vec<usize>,
    /// The factor on the stiffness that is advised: as `initialise.stiffen_up_to`, or on the moduli of all bodies where no tension is asked
    /// for, all of them can make their force. `None` if no factor helps.
    pub stiffness_factor: Option<f64>,
}

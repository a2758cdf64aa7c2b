//! Why there is no equilibrium, and where.

use serde::Serialize;

use crate::scene::Mend;

/// Why there is no equilibrium, and where.
#[derive(Debug, Clone, Serialize)]
pub struct Infeasibility {
    /// The kind.
    pub code: InfeasibilityCode,
    /// Name of the body.
    pub body: String,
    /// Number of the face-connected component in the body.
    pub component: usize,
    /// Nodes or elements concerned, up to 100, counted in the body.
    pub indices: Vec<usize>,
    /// Middle of the place [m].
    pub place: [f64; 3],
    /// What, and what to do.
    pub message: String,
    /// What would mend it, where that is a number of the scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<Mend>,
}

/// Kinds of infeasibility.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InfeasibilityCode {
    /// No fixed vertex and no contact holds the component.
    Unsupported,
    /// A component hangs on the rest by an edge or a vertex, or contacts leave it a free motion.
    Hinged,
    /// Its elements can move in a way that none of them resists, and the load moves them so.
    Mechanism,
    /// Its elements only pull, and they can move in a way that lengthens none of them and that the load does work on.
    OnlyPulls,
    /// Contacts hold it, but not with this little friction.
    TooLittleFriction,
    /// Balance would need more than its material bears before it flows.
    Yields,
    /// The law cannot make the stress.
    TooSoft,
    /// No pressures of its particles balance the given arrangement.
    Disordered,
    /// Its particles did not come to rest.
    Unsettled,
    /// Supports may well hold it, but the forces were not found.
    Undecided,
}

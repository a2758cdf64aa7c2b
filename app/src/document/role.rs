//! Kinds of regions, as the user chooses them.

use aplomb_sim::scene::{
    AttachSettings, AxisAngle, Keyframe, KindSettings, MotionSettings, PressureSettings, Region, RegionRole, Scene, Selector,
};
use serde_json::{Map, Value};

use super::role_color;

/// Kinds of regions, without their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoleKind {
    /// Vertices that stay where they are.
    Fixed,
    /// Vertices that slide along a plane.
    Sliding,
    /// Vertices that follow keyframes.
    Moved,
    /// Vertices that go along with an obstacle.
    Following,
    /// Faces pushed in one direction.
    Traction,
    /// Faces pushed along their normal.
    Pressure,
    /// Faces pushed by water.
    Water,
    /// Vertices that may touch obstacles.
    Contact,
    /// Another material, or other settings of the body's kind.
    Material,
    /// Vertices joined to another body by springs.
    Attached,
    /// A place with a name.
    Named,
}

impl RoleKind {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Fixed,
        Self::Sliding,
        Self::Moved,
        Self::Following,
        Self::Traction,
        Self::Pressure,
        Self::Water,
        Self::Contact,
        Self::Material,
        Self::Attached,
        Self::Named,
    ];

    /// The kind of a role.
    pub fn of(role: &RegionRole) -> Self {
        match role {
            RegionRole::Dirichlet { motion: Some(_), .. } => Self::Moved,
            RegionRole::Dirichlet { follows: Some(_), .. } => Self::Following,
            RegionRole::Dirichlet { slip: Some(_), .. } => Self::Sliding,
            RegionRole::Dirichlet { .. } => Self::Fixed,
            RegionRole::Traction { .. } => Self::Traction,
            RegionRole::Pressure(PressureSettings { surface: Some(_), .. }) => Self::Water,
            RegionRole::Pressure(_) => Self::Pressure,
            RegionRole::Contact { .. } => Self::Contact,
            RegionRole::Material(_) | RegionRole::As(_) => Self::Material,
            RegionRole::Attach(_) => Self::Attached,
            RegionRole::Named {} => Self::Named,
        }
    }

    /// For people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Fixed => "Fixed",
            Self::Sliding => "Sliding",
            Self::Moved => "Moved",
            Self::Following => "Following",
            Self::Traction => "Traction",
            Self::Pressure => "Pressure",
            Self::Water => "Water",
            Self::Contact => "Contact",
            Self::Material => "Material",
            Self::Attached => "Attached",
            Self::Named => "Named",
        }
    }

    /// What it does, in a sentence.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Fixed => "Its vertices do not move (Dirichlet)",
            Self::Sliding => "Its vertices slide along a plane and never leave it (slip)",
            Self::Moved => "Its vertices follow keyframes (moving Dirichlet)",
            Self::Following => "Its vertices go along with an obstacle, as if they were sewn to it",
            Self::Traction => "Its faces are pushed in one direction (Neumann)",
            Self::Pressure => "Its faces are pushed along their normal",
            Self::Water => "Its faces are pushed by water, the harder the deeper",
            Self::Contact => "Only painted vertices may touch obstacles",
            Self::Material => "Another material, reaching into the volume",
            Self::Attached => "Springs join its vertices to another body",
            Self::Named => "Nothing by itself: a place for others to be attached to",
        }
    }

    /// A role of this kind for a body of `scene` to begin with. A material begins as a solid's at half the stiffness; what is attached, at
    /// the first other body; what follows, at the first obstacle.
    pub fn role(self, scene: &Scene, body: usize) -> RegionRole {
        let own = &scene.bodies[body];
        match self {
            Self::Fixed => RegionRole::FIXED,
            Self::Sliding => RegionRole::Dirichlet { slip: Some([0.0, 1.0, 0.0]), motion: None, follows: None },
            Self::Moved => RegionRole::Dirichlet { slip: None, motion: Some(first_motion()), follows: None },
            Self::Following => {
                let first = scene.obstacles.first().map(|obstacle| obstacle.name.clone()).unwrap_or_default();
                RegionRole::Dirichlet { slip: None, motion: None, follows: Some(first) }
            }
            Self::Traction => RegionRole::Traction { force: [0.0, -1000.0, 0.0], ramp: 0.0 },
            Self::Pressure => RegionRole::Pressure(PressureSettings::uniform(1000.0)),
            Self::Water => RegionRole::Pressure(PressureSettings::water(0.0)),
            Self::Contact => RegionRole::Contact { friction: None, obstacles: None },
            Self::Material => match (&own.kind, &own.material) {
                (Some(own), _) => RegionRole::As(KindSettings { kind: own.kind.clone(), settings: Value::Object(Map::new()) }),
                (None, material) => {
                    let mut material = material.clone().unwrap_or_default();
                    material.young *= 0.5;
                    RegionRole::Material(material)
                }
            },
            Self::Attached => {
                let other = scene.bodies.iter().find(|other| other.name != own.name).map_or("", |other| &other.name);
                RegionRole::Attach(AttachSettings::new(other, FIRST_STIFFNESS))
            }
            Self::Named => RegionRole::Named {},
        }
    }
}

/// Stiffness of the springs of a new attachment [N/m].
const FIRST_STIFFNESS: f64 = 1000.0;

/// An empty region of a body of `scene`, to be painted.
pub fn new_region(scene: &Scene, body: usize, kind: RoleKind) -> Region {
    let role = kind.role(scene, body);
    let body = &scene.bodies[body];
    let name = free_name(&kind.label().to_lowercase(), body.regions.iter().map(|region| region.name.as_str()));
    let color = Some(role_color(&role, body.regions.len()));
    Region { name, color, locked: false, role, select: vec![Selector::Vertices(Vec::new())] }
}

/// `stem`, or the first of "stem 2", "stem 3", ... that is not `taken`.
pub fn free_name<'a>(stem: &str, taken: impl Iterator<Item = &'a str> + Clone) -> String {
    let numbered = (2..).map(|number| format!("{stem} {number}"));
    let free = std::iter::once(stem.to_owned()).chain(numbered).find(|name| !taken.clone().any(|taken| taken == name));
    free.unwrap_or_else(|| stem.to_owned())
}

/// A motion to begin with: one keyframe, after a second, that goes nowhere yet.
pub fn first_motion() -> MotionSettings {
    MotionSettings { pivot: None, keyframes: vec![Keyframe { time: 1.0, translate: [0.0; 3], rotate: None }] }
}

/// The keyframe that goes on from the last one of `motion`, a second later.
pub fn next_keyframe(motion: &MotionSettings) -> Keyframe {
    motion.keyframes.last().map_or(first_motion().keyframes[0], |last| Keyframe { time: last.time + 1.0, ..*last })
}

/// The rotation of a keyframe made to be by `degrees`, about the axis that it has, or that the one before it had.
pub fn turned(motion: &MotionSettings, keyframe: usize, degrees: f64) -> Option<AxisAngle> {
    let known = motion.keyframes.iter().take(keyframe + 1).rev().find_map(|keyframe| keyframe.rotate);
    Some(AxisAngle { axis: known.map_or([0.0, 1.0, 0.0], |rotate| rotate.axis), degrees })
}

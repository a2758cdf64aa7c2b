//! Painting: strokes of the brush become vertex lists of a region.

use aplomb_sim::mesh::TetMesh;
use aplomb_sim::scene::{Body, Region, RegionRole, Scene, Selector};
use aplomb_sim::system::select::region_vertices;

/// Colours of regions that were given none, sRGB, in the order in which regions are made.
pub const PALETTE: [[u8; 3]; 8] =
    [[79, 148, 255], [255, 159, 67], [72, 199, 142], [196, 113, 237], [255, 107, 129], [46, 204, 224], [241, 206, 82], [160, 170, 190]];

/// Kinds of regions, without their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoleKind {
    /// Fixed vertices.
    Dirichlet,
    /// Faces pushed in one direction.
    Traction,
    /// Faces pushed along their normal.
    Pressure,
    /// Vertices that may touch obstacles.
    Contact,
    /// Another material.
    Material,
}

impl RoleKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Dirichlet, Self::Traction, Self::Pressure, Self::Contact, Self::Material];

    /// The kind of a role.
    pub fn of(role: &RegionRole) -> Self {
        match role {
            RegionRole::Dirichlet { .. } => Self::Dirichlet,
            RegionRole::Traction { .. } => Self::Traction,
            RegionRole::Pressure { .. } => Self::Pressure,
            RegionRole::Contact { .. } => Self::Contact,
            RegionRole::Material(_) => Self::Material,
        }
    }

    /// For people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Dirichlet => "Fixed",
            Self::Traction => "Traction",
            Self::Pressure => "Pressure",
            Self::Contact => "Contact",
            Self::Material => "Material",
        }
    }

    /// What it does, in a sentence.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Dirichlet => "Its vertices do not move (Dirichlet)",
            Self::Traction => "Its faces are pushed in one direction (Neumann)",
            Self::Pressure => "Its faces are pushed along their normal",
            Self::Contact => "Only painted vertices may touch obstacles",
            Self::Material => "Another material, reaching into the volume",
        }
    }
}

/// Colour of the region with this number.
pub fn region_color(region: &Region, index: usize) -> [u8; 3] {
    region.color.unwrap_or(PALETTE[index % PALETTE.len()])
}

/// An empty region of a body, to be painted. A material region begins as the body's material at half the stiffness.
pub fn new_region(body: &Body, kind: RoleKind) -> Region {
    let stem = kind.label().to_lowercase();
    let taken = |name: &str| body.regions.iter().any(|region| region.name == name);
    let numbered = (2..).map(|number| format!("{stem} {number}"));
    let name = std::iter::once(stem.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(stem);
    let role = match kind {
        RoleKind::Dirichlet => RegionRole::FIXED,
        RoleKind::Traction => RegionRole::Traction { force: [0.0, -1000.0, 0.0], ramp: 0.0 },
        RoleKind::Pressure => RegionRole::Pressure { pressure: 1000.0, ramp: 0.0 },
        RoleKind::Contact => RegionRole::Contact { friction: None, obstacles: None },
        RoleKind::Material => {
            let mut material = body.material.clone();
            material.young *= 0.5;
            RegionRole::Material(material)
        }
    };
    Region { name, color: Some(PALETTE[body.regions.len() % PALETTE.len()]), role, select: vec![Selector::Vertices(Vec::new())] }
}

/// A stroke over a region: which vertices it holds so far.
#[derive(Debug, Clone)]
pub struct Stroke {
    body: usize,
    region: usize,
    held: Vec<bool>,
}

impl Stroke {
    /// Begins at what the region holds now; places and tags become indices of `mesh`, which is the body's.
    pub fn begin(scene: &Scene, body: usize, region: usize, mesh: &TetMesh) -> Option<Self> {
        let painted = scene.bodies.get(body)?.regions.get(region)?;
        let mut held = vec![false; mesh.positions.len()];
        for vertex in region_vertices(mesh, painted) {
            held[vertex as usize] = true;
        }
        Some(Self { body, region, held })
    }

    /// The body that is painted.
    pub fn body(&self) -> usize {
        self.body
    }

    /// Adds or takes away vertices; the scene with the stroke so far.
    pub fn over(&mut self, scene: &Scene, vertices: &[u32], erase: bool) -> Scene {
        for &vertex in vertices {
            if let Some(held) = self.held.get_mut(vertex as usize) {
                *held = !erase;
            }
        }
        let mut scene = scene.clone();
        let held = self.held.iter().enumerate().filter(|(_, held)| **held).map(|(vertex, _)| vertex as u32);
        if let Some(region) = scene.bodies.get_mut(self.body).and_then(|body| body.regions.get_mut(self.region)) {
            region.select = vec![Selector::Vertices(held.collect())];
        }
        scene
    }
}

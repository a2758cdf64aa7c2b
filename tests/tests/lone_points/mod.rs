//! The kind `dust`: lone points, each held to its place by a tether, and neighbours by threads.

use std::path::Path;
use std::sync::{Arc, Once};

use aplomb_sim::bodies::{BodyKind, Degenerate, Families, Matter, Misplaced, PlacedMesh, Schema, add_body_kind};
use aplomb_sim::element::spring::{Clamp, SPRING_LAWS, Spring};
use aplomb_sim::element::{Batch, Element, FamilyKind, FieldKind, Scale, Unattainable};
use aplomb_sim::import;
use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::mesh::{BodyMesh, Cells, to_scene};
use aplomb_sim::scene::Body;
use aplomb_sim::watch::Watch;
use serde_json::{Value, json};

/// Mass of a grain [kg].
pub const MASS: f64 = 0.01;
/// How stiffly a grain stays [N/m].
pub const STIFFNESS: f64 = 20.0;
/// Stiffness of a thread [N/m].
const THREAD: f64 = 0.5;

static TETHERS: FamilyKind = FamilyKind {
    name: "tethers",
    rest_numbers: 4,
    fields: &[FieldKind { name: "grain pull", label: "Pull", unit: "N", doc: "what holds a grain", scale: Scale::From0 }],
};

/// A spring of no length between a point and its place.
#[derive(Clone)]
struct Tether {
    stiffness: f64,
    place: Vec3,
    factor: f64,
}

impl Tether {
    fn pull(&self, [x]: &[Vec3; 1]) -> Vec3 {
        self.factor * self.stiffness * (self.place - x)
    }
}

impl Element<1, 3> for Tether {
    fn kind() -> &'static FamilyKind {
        &TETHERS
    }
    fn is_anchored() -> bool {
        true
    }
    fn energy(&self, x: &[Vec3; 1]) -> f64 {
        0.5 * self.factor * self.stiffness * (x[0] - self.place).norm_squared()
    }
    fn gradient(&self, x: &[Vec3; 1]) -> [Vec3; 1] {
        [-self.pull(x)]
    }
    fn hessian(&self, _: &[Vec3; 1], _: bool) -> [[Mat3; 1]; 1] {
        [[Mat3::from_diagonal_element(self.factor * self.stiffness)]]
    }
    fn force_basis(&self, _: &[Vec3; 1]) -> [[Vec3; 1]; 3] {
        [[Vec3::x()], [Vec3::y()], [Vec3::z()]]
    }
    fn inverse_weight(&self, _: &[Vec3; 1]) -> [[f64; 3]; 3] {
        std::array::from_fn(|row| std::array::from_fn(|column| if row == column { self.stiffness } else { 0.0 }))
    }
    fn force_coordinates(&self, x: &[Vec3; 1]) -> [f64; 3] {
        self.pull(x).into()
    }
    fn with_rest_for(&self, x: &[Vec3; 1], s: &[f64; 3]) -> Result<Self, Unattainable> {
        Ok(Self { place: x[0] + Vec3::from(*s) / (self.factor * self.stiffness), ..*self })
    }
    fn at_rest(&self, x: &[Vec3; 1]) -> Result<Self, Unattainable> {
        Ok(Self { place: x[0], ..*self })
    }
    fn damping(&self) -> f64 {
        0.0
    }
    fn set_damping(&mut self, _: f64) {}
    fn bulk(&self, _: &[Vec3; 1]) -> f64 {
        1.0
    }
    fn stiffening(&self) -> f64 {
        self.factor
    }
    fn stiffened(&self, factor: f64) -> Self {
        Self { factor, ..*self }
    }
    fn fields(&self, x: &[Vec3; 1], values: &mut [f64]) {
        values[0] = self.pull(x).norm();
    }
    fn rest_numbers(&self, numbers: &mut [f64]) {
        numbers.copy_from_slice(&[self.place.x, self.place.y, self.place.z, self.factor]);
    }
    fn set_rest_numbers(&mut self, numbers: &[f64]) {
        (self.place, self.factor) = (Vec3::new(numbers[0], numbers[1], numbers[2]), numbers[3]);
    }
    fn max_step(&self, _: &[Vec3; 1], _: &[Vec3; 1]) -> f64 {
        1.0
    }
}

#[derive(Debug)]
struct Dust {
    stiffness: f64,
}

impl Matter for Dust {
    fn masses(&self, mesh: &BodyMesh, _: &[Vec3]) -> Vec<f64> {
        vec![MASS; mesh.positions.len()]
    }

    fn elements(&self, mesh: &BodyMesh, rest: &[Vec3], given: &[Vec3]) -> Result<Families, Degenerate> {
        let tethers = rest.iter().map(|&place| Tether { stiffness: self.stiffness, place, factor: 1.0 }).collect();
        let grains = (0..mesh.positions.len() as u32).map(|grain| [grain]).collect();
        let ends: Vec<[u32; 2]> = (1..mesh.positions.len() as u32).map(|grain| [grain - 1, grain]).collect();
        let thread = |[a, b]: &[u32; 2]| {
            let at = |x: &[Vec3]| [x[*a as usize], x[*b as usize]];
            let mut spring = Spring::new(&SPRING_LAWS[0], THREAD, Clamp::default(), &at(rest)).map_err(|why| vec![(*a as usize, why)])?;
            spring.given_at(&at(given));
            Ok(spring)
        };
        let threads = ends.iter().map(thread).collect::<Result<Vec<Spring>, Degenerate>>()?;
        Ok(vec![Box::new(Batch::new(tethers, grains)), Box::new(Batch::new(threads, ends))])
    }
}

fn number(body: &Body, key: &str) -> f64 {
    body.kind.as_ref().and_then(|kind| kind.settings[key].as_f64()).unwrap_or(1.0)
}

fn place(body: &Body, folder: &Path, watch: &dyn Watch) -> Result<PlacedMesh, Misplaced> {
    let raw = import::read(&folder.join(&body.mesh), watch).map_err(|error| Misplaced { key: "mesh", message: error.to_string() })?;
    let mut positions: Vec<Vec3> = raw.positions.iter().map(|p| to_scene(p, body.unit.metres(), body.up)).collect();
    body.transform.apply(&mut positions);
    let count = positions.len() as u32;
    let mesh = BodyMesh {
        positions,
        cells: Cells::Points((0..count).map(|grain| [grain]).collect()),
        tags: vec![0; count as usize],
        components: (0..count).collect(),
        source_vertices: (0..count).collect(),
        radius: number(body, "grain"),
        ..BodyMesh::default()
    };
    Ok(PlacedMesh { mesh, rest: None })
}

fn settings() -> Schema {
    let number = |doc: &str, unit: &str, affects: &str| json!({ "description": format!("{doc} [{unit}]."), "type": "number", "exclusiveMinimum": 0.0, "x-affects": affects });
    let properties = json!({
        "stiffness": number("how stiffly a grain stays", "N/m", "physics"),
        "grain": number("radius of a grain", "m", "geometry"),
    });
    json!({ "type": "object", "properties": properties, "required": ["stiffness"], "additionalProperties": false })
        .try_into()
        .expect("an object")
}

/// Adds the kind, once.
pub fn add_dust() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let kind = BodyKind {
            name: "dust",
            label: "Dust",
            doc: "points, each held to its place",
            settings: Some(settings),
            region_settings: None,
            check: |_, _| Vec::new(),
            imported: |_, _| Some::<Value>(json!({ "stiffness": STIFFNESS, "grain": 0.02 })),
            accepts: |_| Ok(()),
            place,
            matter: |body, _, _, _| Arc::new(Dust { stiffness: number(body, "stiffness") }),
        };
        assert!(add_body_kind(kind));
    });
}

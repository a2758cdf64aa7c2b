//! Strands: hair, rods and cables as Cosserat rods or discrete elastic rods along lines, round and of one material. Each segment has a frame, which is
//! an internal node.

mod chains;
mod cosserat;
mod discrete;
mod frames;
mod placing;
mod settings;

use std::sync::Arc;

use nalgebra::Quaternion;

pub use settings::{StrandModel, StrandSettings};

use self::chains::{Chains, joints};
use self::frames::frames;
use super::stiffness::cell_factors;
use super::unfilled::{self, Words};
use super::{BodyKind, Degenerate, Families, InternalNode, Matter};
use crate::element::{Element, Unattainable};
use crate::import::RawMesh;
use crate::math::Vec3;
use crate::mesh::{BodyMesh, lumped};
use crate::scene::{Body, SceneProblem};

/// Name of the kind.
pub const NAME: &str = "strands";

const WORDS: Words = Words { name: NAME, has_its: "strands have their", has: "strands have" };

/// Bodies of strands.
pub(super) const KIND: BodyKind = BodyKind {
    name: NAME,
    label: "Strands",
    doc: "hair, rods or cables along lines, which resist stretching, bending and twist",
    settings: Some(StrandSettings::schema),
    region_settings: None,
    check,
    imported: |raw, unit| serde_json::to_value(imported(raw, unit)).ok(),
    accepts,
    place: placing::place,
    matter,
};

/// What the strands of a body are made of.
#[derive(Debug)]
pub struct Strands {
    settings: StrandSettings,
    /// Factor on the stiffness of each segment; empty: 1 for all.
    factors: Vec<f64>,
}

impl Strands {
    fn mass_per_length(&self) -> f64 {
        self.settings.density * self.settings.area()
    }

    fn factor(&self, segment: usize) -> f64 {
        self.factors.get(segment).copied().unwrap_or(1.0)
    }
}

impl Matter for Strands {
    fn masses(&self, mesh: &BodyMesh, rest: &[Vec3]) -> Vec<f64> {
        lumped::of_lines(mesh.lines(), rest, self.mass_per_length())
    }

    /// The frames of the segments. About the axis of a round segment its moment of inertia is m r^2 / 2, which is taken about all axes: what
    /// it has beyond that about the others is in the masses of its ends.
    fn internal_nodes(&self, mesh: &BodyMesh, rest: &[Vec3]) -> Vec<InternalNode> {
        let segments = mesh.lines();
        let mut meeting = vec![0; rest.len()];
        segments.as_flattened().iter().for_each(|&v| meeting[v as usize] += 1);
        let of_segment = |&vertices: &[u32; 2]| {
            let [a, b] = vertices.map(|v| rest[v as usize]);
            // One without length is no element, which is told later.
            let arm = (b - a).norm().max(f64::MIN_POSITIVE);
            let of_body = self.mass_per_length() * arm;
            InternalNode {
                arm,
                mass: 0.5 * of_body * (self.settings.radius / arm).powi(2),
                of_body,
                vertices,
                held_with: vertices.map(|v| self.settings.clamped && meeting[v as usize] == 1),
            }
        };
        segments.iter().map(of_segment).collect()
    }

    fn elements(&self, mesh: &BodyMesh, _: &[Vec3], given: &[Vec3]) -> Result<Families, Degenerate> {
        let lines = mesh.lines();
        let edge = |&[a, b]: &[u32; 2]| given[b as usize] - given[a as usize];
        let edges: Vec<Vec3> = lines.iter().map(edge).collect();
        let has_length = |edge: &Vec3| edge.norm() > 0.0 && edge.norm().is_finite();
        let degenerate: Vec<usize> = (0..edges.len()).filter(|&s| !has_length(&edges[s])).collect();
        if !degenerate.is_empty() {
            return Err(degenerate.into_iter().map(|s| (s, Unattainable::Degenerate)).collect());
        }
        let lines =
            Lines { segments: lines, joints: joints(lines), given, frames: frames(&edges, |s| lines[s - 1][1] != lines[s][0]), edges };
        match self.settings.model {
            StrandModel::Cosserat => cosserat::families(self, &lines),
            StrandModel::DiscreteElastic => discrete::families(self, &lines),
        }
    }

    fn stiffer(&self, factor: f64, bending: bool) -> String {
        match (bending, self.settings.bending_stiffness) {
            (true, Some(own)) => format!("a bending and twisting stiffness {factor:.2} times as large (of {:.3e} N m^2)", factor * own),
            (true, None) => format!("a `bending_stiffness` of {:.3e} N m^2", factor * self.settings.bending()),
            (false, _) => format!("a stiffness {factor:.2} times as large"),
        }
    }

    fn stiffness_factors(&self) -> &[f64] {
        &self.factors
    }
}

/// The strands of a body in the given shape.
struct Lines<'s> {
    /// The vertices of each segment.
    segments: &'s [[u32; 2]],
    /// The segments on both sides of each joint.
    joints: Vec<[u32; 2]>,
    /// Where the vertices are [m].
    given: &'s [Vec3],
    /// Of each segment [m], none without length.
    edges: Vec<Vec3>,
    /// Of each segment, its third axis along it.
    frames: Vec<Quaternion<f64>>,
}

impl Lines<'_> {
    /// The internal node of a segment.
    fn frame_of(&self, segment: usize) -> u32 {
        (self.given.len() + segment) as u32
    }
}

impl Strands {
    /// Factor on the stiffness of a joint between two segments.
    fn factor_between(&self, pair: [usize; 2]) -> f64 {
        0.5 * (self.factor(pair[0]) + self.factor(pair[1]))
    }

    fn damped<E: Element<N, 3>, const N: usize>(&self, mut element: E) -> E {
        element.set_damping(self.settings.damping);
        element
    }
}

/// The settings of a body of strands.
///
/// # Errors
/// In words, what does not fit.
pub fn settings_of(body: &Body) -> Result<StrandSettings, String> {
    body.kind.as_ref().filter(|kind| kind.kind == NAME).ok_or("the body is not of strands")?.parse()
}

fn accepts(raw: &RawMesh) -> Result<(), String> {
    if raw.strands.is_empty() {
        return Err("strands run along lines, and the file has none".into());
    }
    Chains::of(raw).map_err(placing::branches).map(|_| ())
}

/// Density [kg/m^3], and radius over the length of the longest strand, where a file is imported.
const IMPORTED: (f64, f64) = (1300.0, 0.002);
/// How far a joint of the longest strand is bent by its own weight where a file is imported, held sideways by one end [rad].
const BENT: f64 = 0.1;

/// Settings that suit the size of what is in a file, whose coordinates are in this unit [m].
fn imported(raw: &RawMesh, unit: f64) -> StrandSettings {
    let (density, slender) = IMPORTED;
    let chains = Chains::of(raw).unwrap_or_default();
    let lengths = chains.segments.iter().map(|&[a, b]| unit * (raw.positions[b as usize] - raw.positions[a as usize]).norm());
    let mut of_strand = vec![0.0; chains.strand_of.last().map_or(0, |&last| last as usize + 1)];
    chains.strand_of.iter().zip(lengths.clone()).for_each(|(&strand, length)| of_strand[strand as usize] += length);
    let (longest, segment) = (of_strand.into_iter().fold(0.0, f64::max), lengths.fold(0.0, f64::max));
    let radius = (slender * longest).clamp(1e-7, 10.0);
    // Of the moment w L^2 / 2 at the root, over E I / l.
    let plain = StrandSettings::new(radius, density, 1.0);
    let young = 0.5 * 9.81 * density * plain.area() * longest * longest * segment / (BENT * plain.bending());
    let digit = 10f64.powf(young.max(1e-3).log10().floor());
    StrandSettings { young: ((young / digit).ceil() * digit).clamp(1e-3, 1e15), ..plain }
}

fn check(body: &Body, path: &str) -> Vec<SceneProblem> {
    let fault = settings_of(body).err().map(|message| (None, message));
    unfilled::problems(&WORDS, body, path, fault, |_| Some((None, "strands are the same everywhere; leave this role out".into())))
}

fn matter(body: &Body, mesh: &BodyMesh, path: &str, problems: &mut Vec<SceneProblem>) -> Arc<dyn Matter> {
    problems.extend(check(body, path));
    let settings = settings_of(body).unwrap_or_else(|_| StrandSettings::new(1.0, 1.0, 1.0));
    let factors = body.stiffness_field.as_ref().map_or_else(Vec::new, |field| cell_factors(field, mesh));
    Arc::new(Strands { settings, factors })
}

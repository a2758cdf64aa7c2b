//! Small contact scenes for tests: boxes on planes and on one another, with sites made by hand.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use aplomb_sim::element::{Batch, Family, Tet};
use aplomb_sim::linear::NodeMatrixPattern;
use aplomb_sim::material::registry::MATERIALS;
use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::mesh::structured::{CubeCut, box_mesh};
use aplomb_sim::sag_free::global::{GlobalMatrix, GlobalOptions, GlobalSolver};
use aplomb_sim::sag_free::problem::{BalanceProblem, Between, ContactSite, Forces};
use aplomb_sim::watch::Unwatched;

pub const OPTIONS: GlobalOptions = GlobalOptions { regularization: 1e-13, tolerance: 1e-9 };
const DENSITY: f64 = 1000.0;
const NEAR: f64 = 1e-9;

/// Boxes of one material under gravity, and their contacts.
#[derive(Default)]
pub struct Boxes {
    pub positions: Vec<Vec3>,
    pub tets: Vec<[u32; 4]>,
    pub free: Vec<bool>,
    pub slides: Vec<(u32, Mat3)>,
    pub sites: Vec<ContactSite>,
}

/// The vertices and tets of one box.
pub type Added = (std::ops::Range<usize>, std::ops::Range<usize>);

impl Boxes {
    /// Adds a box whose lower corner is the origin, moved by `place`.
    pub fn add(&mut self, size: Vec3, cells: [usize; 3], place: impl Fn(&Vec3) -> Vec3) -> Added {
        let (positions, tets) = box_mesh(size, cells, CubeCut::Five);
        let (first, first_tet) = (self.positions.len(), self.tets.len());
        self.positions.extend(positions.iter().map(place));
        self.tets.extend(tets.iter().map(|tet| tet.map(|n| n + first as u32)));
        self.free.resize(self.positions.len(), true);
        (first..self.positions.len(), first_tet..self.tets.len())
    }

    /// Contacts of the free vertices that lie on a plane.
    pub fn rest_on_plane(&mut self, point: Vec3, normal: Vec3, friction: f64) {
        let normal = normal.normalize();
        for node in (0..self.positions.len()).filter(|&n| self.free[n]) {
            let distance = normal.dot(&(self.positions[node] - point));
            if distance.abs() < NEAR {
                let (shares, point) = (vec![(node as u32, Mat3::identity())], self.positions[node]);
                let between = Between::Obstacle(self.sites.len() as u32);
                self.sites.push(ContactSite { between, shares, point, normal, friction, distance });
            }
        }
    }

    /// Contacts of the vertices of `upper` that lie on faces of tets of `lower`, one each, with `normal` towards the upper.
    pub fn rest_on_box(&mut self, upper: &Added, lower: &Added, normal: Vec3, friction: f64) {
        for node in upper.0.clone() {
            let p = self.positions[node];
            let faces = self.tets[lower.1.clone()].iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, b, d], [a, c, d], [b, c, d]]);
            let on = faces.into_iter().find_map(|face| {
                let [a, b, c] = face.map(|n| self.positions[n as usize]);
                let area = (b - a).cross(&(c - a));
                if area.cross(&normal).norm() > 1e-9 * area.norm() || (p - a).dot(&normal).abs() > NEAR {
                    return None;
                }
                let share = |u: Vec3, v: Vec3| u.cross(&v).dot(&area) / area.norm_squared();
                let weights = [share(b - p, c - p), share(c - p, a - p), share(a - p, b - p)];
                weights.iter().all(|w| *w > -1e-9).then_some((face, weights))
            });
            let Some((face, weights)) = on else { continue };
            let shares = [(node as u32, 1.0), (face[0], -weights[0]), (face[1], -weights[1]), (face[2], -weights[2])];
            self.sites.push(ContactSite {
                between: Between::Obstacle(self.sites.len() as u32),
                shares: shares.map(|(node, share)| (node, share * Mat3::identity())).to_vec(),
                point: p,
                normal,
                friction,
                distance: 0.0,
            });
        }
    }

    /// Fixes vertices.
    pub fn fix(&mut self, chosen: impl Fn(&Vec3) -> bool) {
        self.positions.iter().zip(&mut self.free).filter(|(x, _)| chosen(x)).for_each(|(_, free)| *free = false);
    }

    /// Everything that [`BalanceProblem`] borrows.
    pub fn assembled(&self) -> Assembled {
        let material = (MATERIALS.iter().find(|law| law.name == "neo_hookean").unwrap().build)(1e5, 0.3);
        let mut loads = vec![Vec3::zeros(); self.positions.len()];
        let mut elements = Vec::new();
        for tet in &self.tets {
            let x = tet.map(|n| self.positions[n as usize]);
            let volume = (x[1] - x[0]).cross(&(x[2] - x[0])).dot(&(x[3] - x[0])) / 6.0;
            tet.iter().for_each(|&n| loads[n as usize].y -= 9.81 * DENSITY * volume / 4.0);
            elements.push(Tet::new(material.clone(), &x).unwrap());
        }
        let families: Vec<Box<dyn Family>> = vec![Box::new(Batch::new(elements, self.tets.clone()))];
        let pattern = NodeMatrixPattern::new(&self.free, &families);
        Assembled { loads, families, pattern }
    }

    /// The problem on what was assembled.
    pub fn problem<'a>(&'a self, assembled: &'a Assembled) -> BalanceProblem<'a> {
        BalanceProblem {
            positions: &self.positions,
            internal: [self.positions.len(); 2],
            loads: &assembled.loads,
            free: &self.free,
            slides: &self.slides,
            families: &assembled.families,
            sites: &self.sites,
            cables: &[],
        }
    }

    /// The forces that balance them.
    pub fn solve(&self) -> Forces {
        let assembled = self.assembled();
        let problem = self.problem(&assembled);
        let matrix = GlobalMatrix::assemble(&problem, &assembled.pattern);
        GlobalSolver::new(&assembled.pattern, &matrix, OPTIONS).solve(&problem, &Unwatched).unwrap()
    }
}

/// Loads, elements and pattern of [`Boxes`].
pub struct Assembled {
    pub loads: Vec<Vec3>,
    pub families: Vec<Box<dyn Family>>,
    pub pattern: NodeMatrixPattern,
}

/// How far the worst force lies outside its friction cone, over the largest force.
pub fn cone_violation(sites: &[ContactSite], forces: &[Vec3]) -> f64 {
    let largest = forces.iter().map(|f| f.norm()).fold(f64::MIN_POSITIVE, f64::max);
    let outside = |(site, force): (&ContactSite, &Vec3)| {
        let normal = force.dot(&site.normal);
        ((force - normal * site.normal).norm() - site.friction * normal).max(-normal)
    };
    sites.iter().zip(forces).map(outside).fold(0.0, f64::max) / largest
}

/// What the contacts do to each node: unlike the force of each site, this is unique.
pub fn on_nodes(problem: &BalanceProblem, forces: &Forces) -> Vec<Vec3> {
    let mut nodes = vec![Vec3::zeros(); problem.positions.len()];
    for (site, force) in problem.sites.iter().zip(&forces.contacts) {
        site.add_force(force, &mut nodes);
    }
    problem.take_supported(&mut nodes);
    nodes
}

/// A box on the ground.
pub fn box_on_ground(cells: [usize; 3], friction: f64) -> Boxes {
    let mut scene = Boxes::default();
    scene.add(Vec3::new(0.3, 0.2, 0.25), cells, Vec3::clone);
    scene.rest_on_plane(Vec3::zeros(), Vec3::y(), friction);
    scene
}

/// A box on a slope of `degrees`.
pub fn box_on_slope(cells: [usize; 3], degrees: f64, friction: f64) -> Boxes {
    let mut scene = Boxes::default();
    let turn = nalgebra::Rotation3::from_axis_angle(&Vec3::z_axis(), degrees.to_radians());
    scene.add(Vec3::new(0.3, 0.1, 0.2), cells, |x| turn * x);
    scene.rest_on_plane(Vec3::zeros(), turn * Vec3::y(), friction);
    scene
}

/// Boxes on one another, with grids that do not match.
pub fn stack(grids: &[[usize; 3]], friction: f64) -> Boxes {
    let mut scene = Boxes::default();
    let mut below: Option<Added> = None;
    for (level, &cells) in grids.iter().enumerate() {
        let size = Vec3::new(0.3, 0.15, 0.3) - Vec3::new(0.02, 0.0, 0.03) * level as f64;
        let corner = Vec3::new(0.012, 0.15, 0.013) * level as f64;
        let added = scene.add(size, cells, |x| x + corner);
        if let Some(below) = &below {
            scene.rest_on_box(&added, below, Vec3::y(), friction);
        }
        below = Some(added);
    }
    scene.rest_on_plane(Vec3::zeros(), Vec3::y(), friction);
    scene
}

/// A beam held between two vertical walls by friction and by the squeeze of its own forces.
pub fn bridge(cells: [usize; 3], friction: f64) -> Boxes {
    let mut scene = Boxes::default();
    scene.add(Vec3::new(0.6, 0.1, 0.1), cells, Vec3::clone);
    scene.rest_on_plane(Vec3::zeros(), Vec3::x(), friction);
    scene.rest_on_plane(Vec3::new(0.6, 0.0, 0.0), -Vec3::x(), friction);
    scene
}

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod baraff_witkin;
mod budget;
mod consistent;
mod derivatives;
mod held;
mod linear_solvers;
mod minimum;
mod particle;
mod refusal;
mod slip;
mod solid;
mod ties;
mod touching;
mod unsolved;

use super::{Implicit, Scheme, Tally};
use crate::bodies::solid::Solid;
use crate::contact::Balance;
use crate::contact::{PlacedObstacle, Slot};
use crate::element::tet::Tet;
use crate::element::{Batch, Family};
use crate::material::registry::MATERIALS;
use crate::math::{Vec3, bounding_diagonal};
use crate::mesh::TetMesh;
use crate::scene::{MaterialSettings, Shape, SimulateSettings};
use crate::step::{State, StepStats, Stepper, instant};
use crate::system::{PlacedBody, Span, System, TouchPair};
use crate::watch::Unwatched;
use std::sync::Arc;

pub const G: f64 = 9.81;
pub const H: f64 = 0.01;

pub fn ground(normal: Vec3) -> PlacedObstacle {
    obstacle(Shape::HalfSpace { point: [0.0; 3], normal: normal.into() })
}

pub fn obstacle(shape: Shape) -> PlacedObstacle {
    PlacedObstacle::new("ground", shape)
}

/// Free masses without elements, each of which may touch each obstacle; lengths are shares of one metre.
pub fn particles(positions: Vec<Vec3>, obstacles: Vec<PlacedObstacle>, friction: f64) -> System {
    let count = positions.len();
    let touch = |n: usize| (0..obstacles.len()).map(move |o| TouchPair { node: n as u32, obstacle: o as u32, friction });
    System {
        masses: vec![0.5; count],
        fixed: vec![false; count],
        gravity: Vec3::new(0.0, -G, 0.0),
        pairs: (0..count).flat_map(touch).collect(),
        obstacles,
        diagonal: 1.0,
        simulate: SimulateSettings { tolerance: 1e-9, ..SimulateSettings::default() },
        positions,
        ..System::default()
    }
}

/// A block of cubes of edge `edge`, each cut into six tets around its diagonal, with its lowest corner at `corner`.
pub fn block(cubes: [usize; 3], edge: f64, corner: Vec3, law: &str, young: f64, damping: f64) -> System {
    let [nx, ny, nz] = cubes;
    let index = |i: usize, j: usize, k: usize| ((i * (ny + 1) + j) * (nz + 1) + k) as u32;
    let mut positions = Vec::new();
    for i in 0..=nx {
        for j in 0..=ny {
            positions.extend((0..=nz).map(|k| corner + edge * Vec3::new(i as f64, j as f64, k as f64)));
        }
    }
    let mut tets = Vec::new();
    for (i, j, k) in (0..nx).flat_map(|i| (0..ny).flat_map(move |j| (0..nz).map(move |k| (i, j, k)))) {
        for [a, b, c] in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
            let mut at = [i, j, k];
            let mut path = [index(i, j, k); 4];
            for (step, axis) in [a, b, c].into_iter().enumerate() {
                at[axis] += 1;
                path[step + 1] = index(at[0], at[1], at[2]);
            }
            let [p, q, r, s] = path.map(|n| positions[n as usize]);
            if (q - p).cross(&(r - p)).dot(&(s - p)) < 0.0 {
                path.swap(2, 3);
            }
            tets.push(path);
        }
    }
    let entry = MATERIALS.iter().find(|m| m.name == law).unwrap();
    let material = (entry.build)(young, 0.3);
    let elements = tets.iter().map(|t| Tet::new(material.clone(), &t.map(|n| positions[n as usize])).unwrap()).collect();
    let mut masses = vec![0.0; positions.len()];
    for node in tets.iter().flatten() {
        masses[*node as usize] += 1000.0 * edge.powi(3) / 24.0;
    }
    let material = MaterialSettings { law: law.into(), young, poisson: 0.3, density: 1000.0, damping };
    let body = PlacedBody {
        name: "block".into(),
        nodes: 0..positions.len(),
        internal: 0..0,
        spans: vec![Span { family: 0, elements: 0..tets.len() }],
        mesh: TetMesh { positions: positions.clone(), tets: tets.clone(), ..TetMesh::default() }.into(),
        matter: Arc::new(Solid::uniform(material, tets.len())),
    };
    let mut system = particles(positions, Vec::new(), 0.0);
    system.diagonal = bounding_diagonal(&system.positions);
    system.masses = masses;
    system.families = vec![Box::new(Batch::new(elements, tets)) as Box<dyn Family>];
    system.set_damping(damping);
    system.bodies = vec![body];
    system
}

/// Lets every node touch `obstacles`.
pub fn onto(mut system: System, obstacles: Vec<PlacedObstacle>, friction: f64) -> System {
    let count = obstacles.len() as u32;
    let touch = |node: u32| (0..count).map(move |obstacle| TouchPair { node, obstacle, friction });
    system.pairs = (0..system.positions.len() as u32).flat_map(touch).collect();
    system.obstacles = obstacles;
    system
}

/// A run with its last statistics.
pub struct Run {
    pub system: System,
    pub stepper: Implicit,
    pub state: State,
}

impl Run {
    pub fn new(system: System, balance: &Balance) -> Self {
        Self::by(Scheme::BackwardEuler, system, balance)
    }

    pub fn by(scheme: Scheme, system: System, balance: &Balance) -> Self {
        let mut stepper = Implicit::new(scheme);
        stepper.warm_start(&system, balance);
        Self { state: State::at_rest(&system), system, stepper }
    }

    /// What the contacts with obstacles remember.
    pub fn slots(&mut self) -> &[Slot] {
        &self.stepper.contacts(&self.system).obstacles.slots
    }

    /// Net force on each node [N].
    pub fn net_force(&mut self) -> Vec<Vec3> {
        instant::net_force(&self.system, self.stepper.contacts(&self.system), &self.state)
    }

    pub fn step(&mut self) -> StepStats {
        self.stepper.step(&mut self.system, &mut self.state, H, &Unwatched).unwrap()
    }

    pub fn steps(&mut self, count: usize) -> Vec<StepStats> {
        (0..count).map(|_| self.step()).collect()
    }
}

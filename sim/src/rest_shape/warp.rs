//! [`Warp`]: steps in the rest shape that turn as they go.
//!
//! What is given is the shape under load, and with it bending moments; a direction of Newton's method has the right curvatures almost from
//! the start. But it moves nodes along straight lines, so that what turns by an angle becomes longer by its secant, and forces of stretch hide
//! all else. So each tetrahedron is deformed by itself, by exp(t w) (1 + t e) for the antisymmetric and the symmetric part
//! of the direction's gradient, and the mesh nearest to these is taken (rotation-strain coordinates; Huang et al. 2011). To first order
//! in t that is the straight step.

use std::sync::Arc;

use nalgebra::Rotation3;
use rayon::prelude::*;

use super::problem::InverseProblem;
use crate::linear::{LinearSystem, NodeMatrixPattern, SolverChoice};
use crate::math::{Mat3, Vec3};

/// Below this angle steps are straight.
const SMALL_ANGLE: f64 = 0.05;

/// Poisson's equation on the given shape, to which the deformed tetrahedra are fitted.
pub struct Warp {
    linear: LinearSystem,
    /// Whether it is factorised: `None` as long as nobody asked.
    solves: Option<bool>,
}

impl Warp {
    /// For matrices in `pattern`; nothing is factorised before it is needed.
    pub fn new(pattern: Arc<NodeMatrixPattern>) -> Self {
        Self { linear: LinearSystem::new(pattern, SolverChoice::Direct), solves: None }
    }

    /// Along `direction` from `rest`; `None` where nothing turns enough, so that it may as well go straight.
    pub fn path(&mut self, problem: &InverseProblem, rest: &[Vec3], direction: &[Vec3]) -> Option<Path> {
        let gradients: Vec<Mat3> = problem
            .tets()
            .par_iter()
            .with_min_len(256)
            .map(|nodes| edges(nodes, rest).try_inverse().map_or_else(Mat3::zeros, |inverse| edges(nodes, direction) * inverse))
            .collect();
        let largest = gradients.iter().map(|gradient| angle(gradient).norm()).fold(0.0, f64::max);
        (largest > SMALL_ANGLE && largest.is_finite() && self.is_ready(problem)).then_some(Path { gradients })
    }

    /// The rest shape at `t` on a path from `rest` along `direction`.
    pub fn at(&mut self, path: &Path, t: f64, problem: &InverseProblem, rest: &[Vec3], direction: &[Vec3]) -> Vec<Vec3> {
        let straight: Vec<Vec3> = rest.iter().zip(direction).map(|(rest, d)| rest + t * d).collect();
        let pulls: Vec<[Vec3; 4]> = (problem.tets(), &path.gradients)
            .into_par_iter()
            .with_min_len(256)
            .map(|(nodes, gradient)| {
                let (b, volume) = given(nodes, problem.positions());
                let strain = 0.5 * (gradient + gradient.transpose());
                let turned = Rotation3::new(t * angle(gradient)) * (Mat3::identity() + t * strain) * edges(nodes, rest);
                let missing = turned - edges(nodes, &straight);
                // Gradient of what is missing, by the given shape.
                let missing = missing * Mat3::from_columns(&[b[1], b[2], b[3]]).transpose();
                b.map(|b| volume * missing * b)
            })
            .collect();
        let mut correction = vec![Vec3::zeros(); rest.len()];
        for (nodes, pulls) in problem.tets().iter().zip(&pulls) {
            nodes.iter().zip(pulls).for_each(|(&node, pull)| correction[node as usize] += pull);
        }
        self.linear.solve(&mut correction);
        straight.iter().zip(&correction).map(|(x, c)| x + c).collect()
    }

    fn is_ready(&mut self, problem: &InverseProblem) -> bool {
        let linear = &mut self.linear;
        *self.solves.get_or_insert_with(|| {
            let of_tet = |nodes: &[u32; 4]| {
                let (b, volume) = given(nodes, problem.positions());
                let block = |i: usize, j: usize| Mat3::from_diagonal_element(volume * b[i].dot(&b[j]));
                std::array::from_fn::<Mat3, 16, _>(|k| block(k / 4, k % 4))
            };
            let blocks: Vec<Mat3> = problem.tets().iter().flat_map(of_tet).collect();
            let none = vec![Mat3::zeros(); problem.positions().len()];
            linear.prepare(&[]);
            linear.assemble(&[blocks], &none, &[], &[], &problem.supports.slides);
            linear.factorize().is_ok()
        })
    }
}

/// How each tetrahedron is deformed along a direction: its gradient by the rest shape.
pub struct Path {
    gradients: Vec<Mat3>,
}

/// Axis times angle of the turn in a gradient of displacement.
fn angle(gradient: &Mat3) -> Vec3 {
    0.5 * Vec3::new(gradient[(2, 1)] - gradient[(1, 2)], gradient[(0, 2)] - gradient[(2, 0)], gradient[(1, 0)] - gradient[(0, 1)])
}

fn edges(nodes: &[u32; 4], x: &[Vec3]) -> Mat3 {
    let [a, b, c, d] = nodes.map(|n| x[n as usize]);
    Mat3::from_columns(&[b - a, c - a, d - a])
}

/// Gradients of a tetrahedron's shape functions in the shape `x` [1/m], and its volume there [m^3].
fn given(nodes: &[u32; 4], x: &[Vec3]) -> ([Vec3; 4], f64) {
    let edges = edges(nodes, x);
    let inverse = edges.try_inverse().unwrap_or_else(Mat3::zeros).transpose();
    let [b1, b2, b3] = [0, 1, 2].map(|k| inverse.column(k).into_owned());
    ([-(b1 + b2 + b3), b1, b2, b3], edges.determinant() / 6.0)
}

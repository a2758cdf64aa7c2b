//! The global stage with contact and exact friction cones, as the dual
//!
//! ```text
//! min 1/2 u^T K u - f^T u   with   u_n >= mu |u_t|  at each contact,
//! ```
//!
//! whose multipliers are the contact forces: they lie in the friction cone by construction. A primal-dual interior point
//! with Nesterov-Todd scaling and Mehrotra's corrector; each iteration adds 3x3 blocks on the contact nodes to the same
//! sparse matrix, so that the symbolic work is done once.

use super::cone::{Cone, Scaling};
use super::global::{GlobalError, GlobalMatrix, GlobalOptions};
use super::problem::{BalanceProblem, ContactSite, Forces};
use crate::linear::{CholeskyFactor, NodeMatrix, NodeMatrixPattern};
use crate::math::{Mat3, Vec3, largest_norm};
use crate::watch::Watch;

/// Iterations at most; feasible problems take 5 to 20.
const ITERATIONS: usize = 60;
/// Share of the way to the boundary of the cones that a step may go.
const BACK_OFF: f64 = 0.995;
/// Corrections after the last iteration.
const POLISHES: usize = 3;
/// A dual displacement this large (in units of load over stiffness) means that nothing holds the body.
const RUNAWAY: f64 = 1e10;

/// One contact in scaled coordinates: x = rows * u, force = frame^T z.
struct Row {
    node: usize,
    cone: Cone,
    /// Normal, then mu times two tangents.
    frame: Mat3,
    /// The same, without the directions that a plane holds at a sliding node.
    rows: Mat3,
}

impl Row {
    fn new(site: &ContactSite, projector: Option<&Mat3>) -> Self {
        let normal = site.normal;
        let other = if normal.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
        let first = normal.cross(&other).normalize();
        let second = normal.cross(&first);
        let mu = site.friction;
        let cone = if mu > 0.0 { Cone::SecondOrder } else { Cone::HalfLine };
        let frame = Mat3::from_rows(&[normal.transpose(), mu * first.transpose(), mu * second.transpose()]);
        Self { node: site.nodes[0] as usize, cone, frame, rows: projector.map_or(frame, |projector| frame * projector) }
    }
}

/// Iterate in scaled units: forces over the largest load, displacements times the matrix' scale.
#[derive(Clone)]
struct Iterate {
    u: Vec<Vec3>,
    s: Vec<Vec3>,
    z: Vec<Vec3>,
}

/// A search direction, and the corner terms of the complementarity it came from.
struct Direction {
    u: Vec<Vec3>,
    s: Vec<Vec3>,
    z: Vec<Vec3>,
}

struct Solver<'a> {
    pattern: &'a NodeMatrixPattern,
    matrix: &'a GlobalMatrix,
    rows: Vec<Row>,
    /// Loads over the largest load, less what supports take.
    load: Vec<Vec3>,
    rho: f64,
    kkt: NodeMatrix,
    factor: CholeskyFactor,
    factorisations: usize,
    product: Vec<Vec3>,
}

impl Solver<'_> {
    /// K + rho I + sum G^T W^-2 G, factorised.
    fn factorize(&mut self, scalings: &[Scaling]) -> Result<(), GlobalError> {
        let mut diagonal = self.matrix.held.clone();
        for (row, scaling) in self.rows.iter().zip(scalings) {
            let scaled = scaling.inverse * row.rows;
            diagonal[row.node] += scaled.transpose() * scaled;
        }
        loop {
            let regularised: Vec<Mat3> = diagonal.iter().map(|d| d + Mat3::from_diagonal_element(self.rho)).collect();
            self.kkt.assemble(self.pattern, &self.matrix.blocks, self.matrix.scale, &regularised);
            self.factorisations += 1;
            match self.factor.factorize(self.pattern, &self.kkt) {
                Ok(()) => return Ok(()),
                Err(failure) if self.rho >= 1e-3 => return Err(failure.into()),
                Err(_) => self.rho = (self.rho * 100.0).max(1e-13),
            }
        }
    }

    /// G^T z scattered to the nodes.
    fn add_contact_forces(&self, z: &[Vec3], nodes: &mut [Vec3]) {
        for (row, z) in self.rows.iter().zip(z) {
            nodes[row.node] += row.rows.tr_mul(z);
        }
    }

    /// (K u - f - G^T z, G u - s).
    fn residuals(&mut self, at: &Iterate) -> (Vec<Vec3>, Vec<Vec3>) {
        self.matrix.stiffness.multiply(self.pattern, &at.u, &mut self.product);
        let mut forces = self.load.clone();
        self.add_contact_forces(&at.z, &mut forces);
        let dual = self.product.iter().zip(&forces).map(|(product, force)| product - force).collect();
        let primal = self.rows.iter().zip(&at.s).map(|(row, s)| row.rows * at.u[row.node] - s).collect();
        (dual, primal)
    }

    /// Solves the Newton system for the corner terms `corner` = lambda \ d.
    fn direction(&mut self, scalings: &[Scaling], dual: &[Vec3], primal: &[Vec3], corner: &[Vec3]) -> Direction {
        let mut u: Vec<Vec3> = dual.iter().map(|r| -r).collect();
        let contact: Vec<Vec3> = scalings.iter().zip(primal).zip(corner).map(|((w, r), c)| w.inverse * (c - w.inverse * r)).collect();
        self.add_contact_forces(&contact, &mut u);
        self.factor.solve(self.pattern, &mut u);
        // ds straight from du: the other way round it loses all digits near the end.
        let s: Vec<Vec3> = self.rows.iter().zip(primal).map(|(row, r)| row.rows * u[row.node] + r).collect();
        let z = scalings.iter().zip(&s).zip(corner).map(|((w, ds), c)| w.inverse * (c - w.inverse * ds)).collect();
        Direction { u, s, z }
    }

    fn step_to_boundary(&self, at: &Iterate, direction: &Direction) -> f64 {
        let mut step: f64 = 1.0 / BACK_OFF;
        for (i, row) in self.rows.iter().enumerate() {
            step = row.cone.step_to_boundary(&at.s[i], &direction.s[i], step);
            step = row.cone.step_to_boundary(&at.z[i], &direction.z[i], step);
        }
        step
    }

    /// Start: the solution with all contacts as springs of median stiffness, pushed into the cones.
    fn start(&mut self) -> Result<Iterate, GlobalError> {
        let unit = Scaling { scale: Mat3::identity(), inverse: Mat3::identity(), point: Vec3::zeros() };
        self.factorize(&vec![unit; self.rows.len()])?;
        let mut u = self.load.clone();
        self.factor.solve(self.pattern, &mut u);
        let into_cone = |rows: &[Row], points: Vec<Vec3>| -> Vec<Vec3> {
            let worst = rows.iter().zip(&points).map(|(row, x)| -row.cone.margin(x)).fold(f64::NEG_INFINITY, f64::max);
            let largest = largest_norm(&points);
            let shift = if worst < -1e-8 * largest { 0.0 } else { worst.max(0.0) + largest.max(1e-3) };
            points.into_iter().map(|x| x + shift * Vec3::x()).collect()
        };
        let flat = |row: &Row, x: Vec3| if row.cone == Cone::HalfLine { Vec3::new(x[0], 0.0, 0.0) } else { x };
        let gaps: Vec<Vec3> = self.rows.iter().map(|row| flat(row, row.rows * u[row.node])).collect();
        let forces = gaps.iter().map(|x| -x).collect();
        Ok(Iterate { s: into_cone(&self.rows, gaps), z: into_cone(&self.rows, forces), u })
    }
}

impl Solver<'_> {
    /// The forces of `at`. What its round-off leaves unbalanced goes into elements and contacts by the last factorisation.
    fn polished(&mut self, problem: &BalanceProblem, at: &Iterate, unit_force: f64) -> Forces {
        let scalings: Vec<Scaling> = self.rows.iter().zip(&at.s).zip(&at.z).map(|((row, s), z)| row.cone.scaling(s, z)).collect();
        let contact_force = |z: &[Vec3], rows: &[Row]| rows.iter().zip(z).map(|(row, z)| unit_force * row.frame.tr_mul(z)).collect();
        let to_dual = -unit_force * self.matrix.scale;
        let mut z = at.z.clone();
        let mut best = problem.without_stress(contact_force(&z, &self.rows));
        problem.add_dual(&mut best, &at.u.iter().map(|u| to_dual * u).collect::<Vec<_>>());
        let finite = scalings.iter().all(|w| w.inverse.iter().all(|v| v.is_finite()));
        if !finite || self.factorize(&scalings).is_err() {
            return best;
        }
        for _ in 0..POLISHES {
            let mut u: Vec<Vec3> = best.net.iter().map(|net| net / unit_force).collect();
            self.factor.solve(self.pattern, &mut u);
            for ((z, row), w) in z.iter_mut().zip(&self.rows).zip(&scalings) {
                *z -= w.inverse * (w.inverse * (row.rows * u[row.node]));
            }
            let mut forces = Forces { contacts: contact_force(&z, &self.rows), ..best.clone() };
            problem.add_dual(&mut forces, &u.iter().map(|u| to_dual * u).collect::<Vec<_>>());
            let inside = self.rows.iter().zip(&z).all(|(row, z)| row.cone.margin(z) >= 0.0);
            if !inside || forces.residual >= best.residual {
                break;
            }
            best = forces;
        }
        best
    }
}

/// Solves for element and contact forces.
///
/// # Errors
/// As for [`super::global::solve`].
pub fn solve(
    problem: &BalanceProblem,
    pattern: &NodeMatrixPattern,
    matrix: &GlobalMatrix,
    options: &GlobalOptions,
    watch: &dyn Watch,
) -> Result<Forces, GlobalError> {
    let unit_force = problem.largest_load();
    let mut load: Vec<Vec3> = problem.loads.iter().map(|f| f / unit_force).collect();
    problem.take_supported(&mut load);
    let rows: Vec<Row> = problem.sites.iter().map(|site| Row::new(site, problem.projector(site.nodes[0]))).collect();
    let degree: f64 = rows.iter().map(|row| row.cone.degree()).sum();
    let mut solver = Solver {
        pattern,
        matrix,
        rows,
        load,
        rho: options.regularization,
        kkt: NodeMatrix::new(pattern),
        factor: CholeskyFactor::new(pattern),
        factorisations: 0,
        product: vec![Vec3::zeros(); problem.positions.len()],
    };
    let mut at = solver.start()?;
    let mut best: Option<(f64, Iterate)> = None;
    let mut iterations = 0;
    while iterations < ITERATIONS {
        watch.check()?;
        watch.progress("global stage", iterations as f64 / 25.0);
        let (dual, primal) = solver.residuals(&at);
        let gap: f64 = at.s.iter().zip(&at.z).map(|(s, z)| s.dot(z)).sum();
        let dual_size = largest_norm(&dual);
        let extent = largest_norm(&at.u) + 1e-300;
        let work: f64 = at.u.iter().zip(&solver.load).map(|(u, f)| u.dot(f)).sum::<f64>().abs().max(1e-300);
        let primal_size = largest_norm(&primal) / extent;
        let measure = dual_size.max(1e-4 * options.tolerance * (gap / (1e-5 * work)).max(primal_size / 1e-5));
        if best.as_ref().is_none_or(|(least, _)| measure < *least) {
            best = Some((measure, at.clone()));
        }
        if dual_size <= 0.1 * options.tolerance && gap <= 1e-5 * work && primal_size <= 1e-5 {
            // A few more iterations are cheap and set the floor of the drift.
            if dual_size <= 1e-4 * options.tolerance || best.as_ref().is_some_and(|(least, _)| measure > *least) {
                break;
            }
        }
        if extent.is_nan() || extent >= RUNAWAY {
            break;
        }
        iterations += 1;
        let mean = gap / degree;
        let scalings: Vec<Scaling> = solver.rows.iter().zip(&at.s).zip(&at.z).map(|((row, s), z)| row.cone.scaling(s, z)).collect();
        if scalings.iter().any(|w| !w.inverse.iter().all(|v| v.is_finite())) {
            break;
        }
        if solver.factorize(&scalings).is_err() {
            break;
        }
        // Predictor: straight for complementarity.
        let affine: Vec<Vec3> = scalings.iter().map(|w| -w.point).collect();
        let predictor = solver.direction(&scalings, &dual, &primal, &affine);
        let reach = solver.step_to_boundary(&at, &predictor).min(1.0);
        let sigma = (1.0 - reach).powi(3).clamp(1e-8, 1.0);
        // Corrector: centre, and take back the predictor's second-order error.
        let corner: Vec<Vec3> = solver
            .rows
            .iter()
            .zip(&scalings)
            .enumerate()
            .map(|(i, (row, w))| {
                let second_order = row.cone.product(&(w.inverse * predictor.s[i]), &(w.scale * predictor.z[i]));
                let target = sigma * mean * Vec3::x() - row.cone.product(&w.point, &w.point) - second_order;
                row.cone.quotient(&w.point, &target)
            })
            .collect();
        let corrector = solver.direction(&scalings, &dual, &primal, &corner);
        let step = (BACK_OFF * solver.step_to_boundary(&at, &corrector)).min(1.0);
        if !step.is_finite() || step < 1e-10 {
            break;
        }
        for (x, dx) in [(&mut at.u, &corrector.u), (&mut at.s, &corrector.s), (&mut at.z, &corrector.z)] {
            for (x, dx) in x.iter_mut().zip(dx) {
                *x += step * dx;
            }
        }
    }
    let at = best.map_or(at, |(_, iterate)| iterate);
    let forces = solver.polished(problem, &at, unit_force);
    Ok(Forces { iterations, factorisations: solver.factorisations, ..forces })
}

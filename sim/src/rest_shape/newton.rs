//! Newton's method on the rest shape, with the monotonicity test that does not depend on how equations are scaled (Deuflhard 2011,
//! 3.3): a step is good if the next direction, with the same factorisation, is shorter. Where a step turns much of the body it goes along
//! a path that turns ([`Warp`]).

use std::sync::Arc;

use super::problem::InverseProblem;
use super::warp::Warp;
use crate::linear::{NodeMatrixPattern, UnsymmetricFactor};
use crate::math::{Mat3, Vec3};
use crate::watch::{Cancelled, Watch};

/// Iterations at most.
const ITERATIONS: usize = 40;
/// Smallest part of a step.
const SHORTEST: f64 = 1e-3;
/// Below the tolerance it goes on as long as an iteration leaves no more than this share of the residual.
const WORTH_WHILE: f64 = 0.25;
/// A descent goes on as long as an iteration takes this share off the force.
const LEAST_GAIN: f64 = 1e-3;

/// Newton's method with its memory.
pub struct Newton {
    pattern: Arc<NodeMatrixPattern>,
    factor: UnsymmetricFactor,
    warp: Warp,
    blocks: Vec<Vec<Mat3>>,
    /// Iterations so far, over all calls.
    pub iterations: usize,
}

/// Where it ended.
pub struct Found {
    /// The rest shape with the least residual that it saw.
    pub rest: Vec<Vec3>,
    /// Its residual: of a solve the largest on a node, of a descent the root of the sum of squares, both over the largest load.
    pub residual: f64,
    /// Residuals on the way, the first before any step.
    pub residuals: Vec<f64>,
    /// Whether the residual is within the tolerance.
    pub converged: bool,
}

/// What a step must make smaller.
#[derive(Clone, Copy)]
enum Test {
    /// The next direction.
    Direction,
    /// The net force.
    Force,
}

impl Newton {
    /// For matrices in `pattern`.
    pub fn new(pattern: Arc<NodeMatrixPattern>) -> Self {
        let factor = UnsymmetricFactor::new(&pattern);
        Self { warp: Warp::new(Arc::clone(&pattern)), pattern, factor, blocks: vec![Vec::new()], iterations: 0 }
    }

    /// Memory that the factors take, once there are any [bytes].
    pub fn bytes(&self) -> u64 {
        self.factor.bytes() + self.pattern.factor_bytes()
    }

    /// From `rest` to a rest shape in balance under `share` of the loads.
    ///
    /// # Errors
    /// Cancelled.
    pub fn solve(
        &mut self,
        problem: &mut InverseProblem,
        share: f64,
        rest: &[Vec3],
        tolerance: f64,
        watch: &dyn Watch,
    ) -> Result<Found, Cancelled> {
        let mut found = Found { rest: rest.to_vec(), residual: f64::INFINITY, residuals: Vec::new(), converged: false };
        if !problem.set_rest(rest) {
            return Ok(found);
        }
        let mut at = Point { rest: rest.to_vec(), net: problem.net_force(share) };
        for _ in 0..ITERATIONS {
            watch.check()?;
            let residual = problem.size(&at.net);
            let before = found.residuals.last().copied().unwrap_or(f64::INFINITY);
            found.residuals.push(residual);
            watch.progress("rest shape", share * (residual.ln() / tolerance.ln()).clamp(0.0, 1.0));
            if residual < found.residual {
                (found.rest, found.residual) = (at.rest.clone(), residual);
            }
            found.converged = found.residual <= tolerance;
            if residual == 0.0 || (found.converged && residual > WORTH_WHILE * before) {
                break;
            }
            problem.tangent(share, &mut self.blocks[0]);
            self.iterations += 1;
            if self.factor.factorize(&self.pattern, &self.blocks, &problem.supports.slides).is_err() {
                break;
            }
            let Some(direction) = self.direction(&at.net) else { break };
            let Some(next) = self.step(problem, share, &at, &direction, Test::Direction, watch)? else { break };
            at = next;
        }
        Ok(found)
    }

    /// From `rest` to less and less net force under all of the load, as long as Newton's direction leads there: where there is no
    /// balance, it ends near the least sum of squares, at which the derivative has no inverse.
    ///
    /// # Errors
    /// Cancelled.
    pub fn descend(&mut self, problem: &mut InverseProblem, rest: &[Vec3], watch: &dyn Watch) -> Result<Found, Cancelled> {
        let mut found = Found { rest: rest.to_vec(), residual: f64::INFINITY, residuals: Vec::new(), converged: false };
        if !problem.set_rest(rest) {
            return Ok(found);
        }
        let mut at = Point { rest: rest.to_vec(), net: problem.net_force(1.0) };
        for _ in 0..ITERATIONS {
            watch.check()?;
            found.residuals.push(problem.size(&at.net));
            problem.tangent(1.0, &mut self.blocks[0]);
            self.iterations += 1;
            if self.factor.factorize(&self.pattern, &self.blocks, &problem.supports.slides).is_err() {
                break;
            }
            let Some(direction) = self.direction(&at.net) else { break };
            let Some(next) = self.step(problem, 1.0, &at, &direction, Test::Force, watch)? else { break };
            let gained = norm(&next.net) < (1.0 - LEAST_GAIN) * norm(&at.net);
            at = next;
            if !gained {
                break;
            }
        }
        (found.residual, found.rest) = (norm(&at.net) / problem.largest_load, at.rest);
        Ok(found)
    }

    /// K dX = -net: K is the derivative of the net force.
    fn direction(&mut self, net: &[Vec3]) -> Option<Vec<Vec3>> {
        let mut direction: Vec<Vec3> = net.iter().map(|net| -net).collect();
        self.factor.solve(&self.pattern, &mut direction).ok()?;
        Some(direction)
    }

    /// As much of the direction as is good.
    fn step(
        &mut self,
        problem: &mut InverseProblem,
        share: f64,
        from: &Point,
        direction: &[Vec3],
        test: Test,
        watch: &dyn Watch,
    ) -> Result<Option<Point>, Cancelled> {
        let (rest, length, force) = (&from.rest, norm(direction), norm(&from.net));
        let path = match test {
            Test::Direction => self.warp.path(problem, rest, direction),
            Test::Force => None,
        };
        let mut step = if path.is_some() { 1.0 } else { problem.max_step(rest, direction) };
        while step >= SHORTEST {
            watch.check()?;
            let trial = match &path {
                Some(path) => self.warp.at(path, step, problem, rest, direction),
                None => rest.iter().zip(direction).map(|(rest, d)| rest + step * d).collect(),
            };
            if problem.set_rest(&trial) {
                let net = problem.net_force(share);
                let is_good = match test {
                    Test::Direction => self.direction(&net).is_some_and(|next| norm(&next) <= (1.0 - 0.25 * step) * length),
                    Test::Force => norm(&net) <= (1.0 - 1e-4 * step) * force,
                };
                if is_good {
                    return Ok(Some(Point { rest: trial, net }));
                }
            }
            step *= 0.5;
        }
        Ok(None)
    }
}

/// A rest shape and its net force [N].
struct Point {
    rest: Vec<Vec3>,
    net: Vec<Vec3>,
}

/// Euclidean.
fn norm(vectors: &[Vec3]) -> f64 {
    vectors.iter().map(Vec3::norm_squared).sum::<f64>().sqrt()
}

//! Improves the shape of tets: vertices move, those of the boundary along the surface.
//!
//! ```text
//! smooth (mean shape, a few sweeps) -> worst (the smallest angle as large as can be, a few rounds)
//! ```
//!
//! No step lowers the smallest dihedral angle of the mesh, or inverts a tet (Freitag & Ollivier-Gooch 1997). The result is the same bit for bit whatever the number of threads.

use rayon::prelude::*;

use super::quality::dihedral_extremes;
use crate::math::Vec3;
use crate::watch::{Cancelled, Watch};

mod angles;
mod smooth;
mod star;
mod surface;
#[cfg(test)]
mod tests;
mod worst;

use angles::Bounds;
use star::Stars;
use surface::Surface;

/// What [`improve`] may choose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Most sweeps of smoothing; it ends early once little moves.
    pub sweeps: usize,
    /// Tets with a dihedral angle below this, or above its supplement, are worked on one by one [degrees].
    pub target_degrees: f64,
    /// Most rounds of work on the worst tets.
    pub rounds: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { sweeps: 4, target_degrees: 18.0, rounds: 3 }
    }
}

/// What [`improve`] did.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize)]
pub struct Improvement {
    /// Smallest and largest dihedral angle before [degrees].
    pub before_degrees: (f64, f64),
    /// Smallest and largest dihedral angle after [degrees].
    pub after_degrees: (f64, f64),
    /// Vertices moved, each counted once a sweep.
    pub moves: usize,
}

/// Improves the positively oriented `tets` by moving vertices. `project` takes a point near the surface [m] to the surface: vertices of
/// the boundary slide along it. Those that do not lie on it to begin with stay where they are.
///
/// # Errors
/// [`Cancelled`]; `positions` are then those of a valid mesh on the way.
pub fn improve(
    positions: &mut [Vec3],
    tets: &[[u32; 4]],
    project: &(dyn Fn(&Vec3) -> Vec3 + Sync),
    options: &Options,
    watch: &dyn Watch,
) -> Result<Improvement, Cancelled> {
    let mut done = Improvement { before_degrees: dihedral_extremes(positions, tets), ..Improvement::default() };
    let surface = Surface::new(positions, tets, project);
    let bounds = Bounds::new(done.before_degrees);
    let stars = Stars::new(positions.len(), tets);
    for sweep in 0..options.sweeps {
        watch.progress("improving", 0.7 * sweep as f64 / options.sweeps as f64);
        let uneven = stars.vertices_where(tets, |t| smooth::is_uneven(positions, &tets[t]));
        let moved = sweep_over(positions, &stars, &uneven, watch, |positions, v| smooth::relax(positions, &stars, &surface, &bounds, v))?;
        done.moves += moved;
        if 50 * moved < uneven.len() {
            break;
        }
    }
    let target = options.target_degrees.to_radians().cos();
    for round in 0..options.rounds {
        watch.progress("improving", 0.7 + 0.3 * round as f64 / options.rounds as f64);
        let bad = stars.vertices_where(tets, |t| angles::of(positions, &tets[t]).worst() > target);
        if bad.is_empty() {
            break;
        }
        done.moves += sweep_over(positions, &stars, &bad, watch, |positions, v| worst::lift(positions, &stars, &surface, &bounds, v))?;
    }
    done.after_degrees = dihedral_extremes(positions, tets);
    watch.progress("improving", 1.0);
    Ok(done)
}

/// Moves the vertices marked in `chosen` to where `place` wants them, colour by colour: no two of one colour share a tet.
fn sweep_over(
    positions: &mut [Vec3],
    stars: &Stars,
    chosen: &[u32],
    watch: &dyn Watch,
    place: impl Fn(&[Vec3], u32) -> Option<Vec3> + Sync,
) -> Result<usize, Cancelled> {
    let mut moved = 0;
    for class in stars.classes(chosen) {
        watch.check()?;
        let held: &[Vec3] = positions;
        let moves: Vec<(u32, Vec3)> = class.par_iter().with_min_len(32).filter_map(|&v| place(held, v).map(|to| (v, to))).collect();
        moved += moves.len();
        for (v, to) in moves {
            positions[v as usize] = to;
        }
    }
    Ok(moved)
}

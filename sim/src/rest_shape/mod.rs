//! The rest shape that makes the given shape an equilibrium in programs that know nothing of sag-free initialisation: there, a
//! mesh is its own rest shape. [`find`] looks for the mesh to give them.
//!
//! ```text
//! inverse:  supports -> problem (tangent) -> newton, with continuation in the load
//! estimate: sag-free rest state, relaxed without loads and contacts (Hsu et al. 2022, 5.4)
//! ```
//!
//! Sought are rest positions X of the nodes with f_int(x; X) + M(X) g + f_load + f_contact = 0 at every free node of the given shape x.
//! Elements are undeformed in X, and masses are those of X, as any program computes them. What supports hold is given: on fixed
//! nodes X = x, and so in the directions in which sliding nodes are held. Contact forces are those of the sag-free balance;
//! where nothing but contact holds a body, they are solved again for the masses of X. The other program's contact must make
//! them: friction by the same coefficient, and without a gap that closes first.
//!
//! Unlike the sag-free rest state, such a mesh need not exist: a body that is too soft can stand in no shape of its own.

mod estimate;
mod export;
mod held;
mod inverse;
mod newton;
mod problem;
mod report;
mod settled;
mod supports;
mod tangent;
#[cfg(test)]
mod tests;
mod warp;

use std::time::Instant;

pub use export::{mesh_file, mesh_files, write_meshes};
pub use report::{RestMethod, RestShapeReport};

use self::held::Held;
use self::problem::densities;
use crate::contact::Balance;
use crate::math::{Vec3, largest_norm};
use crate::memory::TooLarge;
use crate::mesh::quality::signed_volume;
use crate::sag_free::InitialiseError;
use crate::sag_free::global::GlobalError;
use crate::step::StepError;
use crate::system::System;
use crate::watch::{Cancelled, Watch};

/// A rest shape for other programs.
#[derive(Debug, Clone)]
pub struct RestShape {
    /// Rest position of each node [m].
    pub positions: Vec<Vec3>,
    /// The contact forces that it counts on.
    pub balance: Balance,
    /// How well it does, and how it was found.
    pub report: RestShapeReport,
}

/// Why there is no rest shape, not even a bad one.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RestShapeError {
    /// Somebody cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Elements that are no tetrahedra have no rest mesh, and of what has no density no masses are known.
    #[error("a rest mesh can be found for bodies of tetrahedra with known materials only")]
    OnlyTetrahedra,
    /// Ties make forces that are not solved for.
    #[error("a rest mesh cannot be found for a scene with equalities; remove them")]
    Equalities,
    /// Memory for the factorisation cannot be had.
    #[error(transparent)]
    Memory(#[from] TooLarge),
    /// The contact forces could not be solved for.
    #[error(transparent)]
    Contact(InitialiseError),
    /// A mesh file cannot be read or written.
    #[error("{0}")]
    File(String),
    /// The sag-free shape did not relax.
    #[error("the shape did not come to rest without loads: {0}")]
    Relaxation(StepError),
}

impl From<GlobalError> for RestShapeError {
    fn from(error: GlobalError) -> Self {
        match error {
            GlobalError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            GlobalError::Memory(too_large) => Self::Memory(too_large),
            singular => Self::Contact(singular.into()),
        }
    }
}

impl From<StepError> for RestShapeError {
    fn from(error: StepError) -> Self {
        match error {
            StepError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            failure => Self::Relaxation(failure),
        }
    }
}

/// Largest share of the largest contact force by which one may be outside its cone.
const CONE_TOLERANCE: f64 = 1e-9;

/// Looks for a rest shape of `system`. That none exists is no error: the report says so, and the best that was seen is given.
///
/// # Errors
/// [`RestShapeError`].
pub fn find(system: &System, method: RestMethod, watch: &dyn Watch) -> Result<RestShape, RestShapeError> {
    if !system.equalities.is_empty() {
        return Err(RestShapeError::Equalities);
    }
    let known = densities(system).len();
    if system.families.len() != 1
        || system.families.iter().any(|family| family.tetrahedra().is_none_or(|tets| tets.elements.len() != known))
    {
        return Err(RestShapeError::OnlyTetrahedra);
    }
    let started = Instant::now();
    let found = match method {
        RestMethod::Inverse => inverse::find(system, watch)?,
        RestMethod::Estimate => {
            let (held, families) = Held::of(system, &system.masses, watch)?;
            let (rest, iterations) = estimate::relaxed(system, families, watch)?;
            inverse::Inverse { rest, held, load_share: 0.0, iterations, residuals: Vec::new() }
        }
    };
    let net = imbalance(system, &system.positions, &found.rest, &found.held);
    let residual = largest_norm(&net) / system.largest_load();
    let rounded = imbalance(system, &in_32_bits(&system.positions), &in_32_bits(&found.rest), &found.held);
    let (balance, cone_violation) = (found.held.balance(), found.held.cone_violation());
    let mut report = RestShapeReport {
        method,
        exists: residual <= system.initialise.tolerance && cone_violation <= CONE_TOLERANCE,
        residual,
        residual_in_32_bits: largest_norm(&rounded) / system.largest_load(),
        load_share: found.load_share,
        iterations: found.iterations,
        residuals: found.residuals,
        seconds: 0.0,
        min_rest_volume_ratio: min_volume_ratio(system, &found.rest),
        max_displacement: max_displacement(system, &found.rest),
        contacts: found.held.sites.len(),
        cone_violation,
        place: None,
        body: None,
        message: None,
    };
    if !report.exists && method == RestMethod::Inverse {
        name_the_place(system, &net, &found.held.infeasible, &mut report);
    }
    report.seconds = started.elapsed().as_secs_f64();
    Ok(RestShape { positions: found.rest, balance, report })
}

/// The nearest positions with 32 bits a number [m].
fn in_32_bits(x: &[Vec3]) -> Vec<Vec3> {
    x.iter().map(|p| p.map(|number| f64::from(number as f32))).collect()
}

/// Net force on each node of the naive simulation with this rest shape at the positions `x`, which are those of the given shape,
/// under the contact forces `held`, zero where supports take it [N].
fn imbalance(system: &System, x: &[Vec3], rest: &[Vec3], held: &Held) -> Vec<Vec3> {
    let masses = system.masses_at(rest);
    let mut net = system.loads();
    net.iter_mut().zip(masses.iter().zip(&system.masses)).for_each(|(net, (mass, before))| *net += (mass - before) * system.gravity);
    held.add_to(&mut net);
    let mut gradient = vec![Vec3::zeros(); net.len()];
    for family in &system.families {
        let mut family = family.boxed_clone();
        family.reset_rest(rest);
        family.set_stiffening(&vec![1.0; family.len()]);
        family.lag(x);
        family.add_gradient(x, &mut gradient);
    }
    net.iter_mut().zip(&gradient).for_each(|(net, gradient)| *net -= gradient);
    system.take_supported(&mut net);
    net
}

fn min_volume_ratio(system: &System, rest: &[Vec3]) -> f64 {
    let volume = |x: &[Vec3], tet: &[u32; 4]| signed_volume(&tet.map(|n| x[n as usize]));
    system.tets().iter().map(|tet| volume(rest, tet) / volume(&system.positions, tet)).fold(f64::INFINITY, f64::min)
}

fn max_displacement(system: &System, rest: &[Vec3]) -> f64 {
    rest.iter().zip(&system.positions).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max) / system.diagonal
}

/// Says what is out of balance, where, and what to do.
fn name_the_place(system: &System, net: &[Vec3], infeasible: &[String], report: &mut RestShapeReport) {
    let worst = (0..net.len()).max_by(|&a, &b| net[a].norm_squared().total_cmp(&net[b].norm_squared())).unwrap_or(0);
    let place = system.positions.get(worst).copied().unwrap_or_else(Vec3::zeros);
    let body = system.bodies.iter().find(|body| body.nodes.contains(&worst)).map_or_else(String::new, |body| body.name.clone());
    report.message = Some(if report.residual <= system.initialise.tolerance {
        "the rest mesh weighs more than the contact can carry without pulling or more friction; use a stiffer material, or more friction"
            .into()
    } else if infeasible.is_empty() {
        format!(
            "no rest mesh was found: Newton's method stops at {:.1} % of the load, and the best mesh leaves {:.1e} of it out of balance near ({:.4}, {:.4}, {:.4}) m in body `{body}`; \
             use a stiffer or lighter material, or more supports",
            // Never all of it: then there would be a rest mesh.
            (1000.0 * report.load_share).floor() / 10.0,
            report.residual,
            place.x,
            place.y,
            place.z
        )
    } else {
        infeasible.join("\n")
    });
    (report.place, report.body) = (Some(place.into()), Some(body));
}

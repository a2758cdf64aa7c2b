//! The rest state by each method: global stage, local stage, and what stood in the way. Nothing is changed here;
//! the caller takes the new elements over when all is done, so that a cancelled run leaves no trace.

use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use super::contacts::{self, Contacts, balanced};
use super::determinate;
use super::equilibrium::Equilibrium;
use super::feasibility::{self, Diagnosis};
use super::global::GlobalError;
use super::less_push::push_less;
use super::local::{self, Unattained};
use super::parts::Parts;
use super::points;
use super::problem::{BalanceProblem, ContactSite, Forces};
use super::stage::{GlobalStage, Solved};
use super::tension::{Tension, Wish};
use super::verdict::Infeasibility;
use super::within_reach::{Limited, within_reach};
use crate::contact::Balance;
use crate::element::Family;
use crate::linear::NodeMatrixPattern;
use crate::math::{Vec3, larger};
use crate::memory::TooLarge;
use crate::scene::Method;
use crate::system::System;
use crate::watch::{Cancelled, Watch};

/// Wall seconds of the initialisation by phase.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct InitSeconds {
    /// Assembly of the global matrix.
    pub assemble: f64,
    /// Ordering, symbolic and numerical factorisation, interior point.
    pub global: f64,
    /// Local stage.
    pub local: f64,
    /// Everything, stability and checks included.
    pub total: f64,
}

/// Rest states, contact forces, and how they were found.
pub struct RestState {
    /// Elements with their new rest states.
    pub families: Vec<Box<dyn Family>>,
    /// Contact forces to be reproduced by the stepper.
    pub balance: Balance,
    /// Force coordinates that the elements of each family were fitted to; empty for the naive rest state.
    pub coordinates: Vec<Vec<f64>>,
    /// Where contacts make force, if they do.
    pub sites: Vec<ContactSite>,
    /// The force of each on its first feature [N].
    pub site_forces: Vec<Vec3>,
    /// What the report says of it.
    pub account: Account,
}

impl RestState {
    /// That of material points, and beside them that of the bodies which do not feel them, as the system without points has it.
    #[must_use]
    pub fn beside(self, mut bodies: Self) -> Self {
        let is_of_points: Vec<bool> = self.families.iter().map(|family| family.points().is_some()).collect();
        let families = bodies.families.iter_mut().zip(self.families).zip(&is_of_points).filter(|(_, is_of_points)| **is_of_points);
        families.for_each(|((family, points), _)| *family = points);
        let numbers = bodies.coordinates.iter_mut().zip(self.coordinates).zip(&is_of_points).filter(|(_, is_of_points)| **is_of_points);
        numbers.for_each(|((of_bodies, of_points), _)| *of_bodies = of_points);
        bodies.account = self.account.beside(bodies.account);
        bodies
    }
}

/// Force of a wall on a node of a grid.
#[derive(Debug, Clone, Copy)]
pub struct WallForce {
    /// Along the normal [N].
    pub normal_force: f64,
    /// Along the wall [N].
    pub friction_force: Vec3,
    /// Friction coefficient.
    pub friction: f64,
}

/// How a rest state was found, and what is wrong with it.
#[derive(Debug, Clone, Default)]
pub struct Account {
    /// Elements that cannot make their force.
    pub unattained: Vec<Unattained>,
    /// The factor on the stiffness that is advised for them; none if there is none, or the forces are not in balance.
    pub stiffness_factor: Option<f64>,
    /// What has no balance, and why.
    pub infeasible: Vec<Infeasibility>,
    /// How what has no balance on the grid begins to move, at each node of the system [m/s^2]; empty where all has.
    pub gives_way: Vec<Vec3>,
    /// What was limited to what it can make; none where nothing was.
    pub limited: Option<Limited>,
    /// Share of each friction coefficient that the contact forces were allowed to use; none without contacts.
    pub friction_used: Option<f64>,
    /// Forces of walls on nodes of a grid, where material points stand on some.
    pub walls: Vec<WallForce>,
    /// Contacts that were taken in from [`contacts::Contacts::in_reserve`].
    pub reserve_contacts: usize,
    /// Contacts of bodies with themselves that were left out, because there was a balance only without them.
    pub self_contact_dropped: usize,
    /// Unknowns of the global stage.
    pub unknowns: usize,
    /// Iterations of the global stage.
    pub iterations: usize,
    /// Duality gap of the interior point over the work of the loads; none without contact.
    pub gap: Option<f64>,
    /// Whether the gap is as small as it should be.
    pub gap_reached: bool,
    /// Factorisations of the global stage.
    pub factorisations: usize,
    /// Entries of its Cholesky factor.
    pub nonzeros_in_factor: usize,
    /// Seconds by phase, without `total`.
    pub seconds: InitSeconds,
}

impl Account {
    /// That of material points, with that of `bodies` which were balanced by themselves.
    fn beside(self, bodies: Self) -> Self {
        let most = |a: Option<f64>, b: Option<f64>| a.into_iter().chain(b).reduce(larger);
        let [mine, other] = [&self.seconds, &bodies.seconds];
        let seconds = InitSeconds {
            assemble: mine.assemble + other.assemble,
            global: mine.global + other.global,
            local: mine.local + other.local,
            total: mine.total + other.total,
        };
        Self {
            unattained: [bodies.unattained, self.unattained].concat(),
            stiffness_factor: most(self.stiffness_factor, bodies.stiffness_factor),
            infeasible: [bodies.infeasible, self.infeasible].concat(),
            gives_way: self.gives_way,
            friction_used: most(self.friction_used, bodies.friction_used),
            walls: self.walls,
            unknowns: self.unknowns + bodies.unknowns,
            iterations: self.iterations + bodies.iterations,
            gap: most(self.gap, bodies.gap),
            gap_reached: self.gap_reached && bodies.gap_reached,
            factorisations: self.factorisations + bodies.factorisations,
            nonzeros_in_factor: self.nonzeros_in_factor + bodies.nonzeros_in_factor,
            seconds,
            ..bodies
        }
    }
}

/// Solves for the rest state of `system` by `method`, with the forces nearest to the tension that the scene asks for. An
/// infeasible problem is no error: it gives the forces that come nearest to balance, and says what is wrong.
///
/// # Errors
/// Cancelled, or numbers that are not finite.
pub fn rest_state(system: &System, method: Method, watch: &dyn Watch) -> Result<RestState, GlobalError> {
    rest_state_under(&system.loads(), system, method, watch)
}

/// [`rest_state`] under other loads on the nodes [N].
///
/// # Errors
/// Those of [`rest_state`].
pub fn rest_state_under(loads: &[Vec3], system: &System, method: Method, watch: &dyn Watch) -> Result<RestState, GlobalError> {
    rest_state_near(Wish::from(&system.initialise), loads, system, method, watch)
}

/// [`rest_state_under`] with the forces that are wished for.
///
/// # Errors
/// Those of [`rest_state`].
pub fn rest_state_near(wish: Wish, loads: &[Vec3], system: &System, method: Method, watch: &dyn Watch) -> Result<RestState, GlobalError> {
    let naive = || {
        let mut families: Vec<Box<dyn Family>> = system.families.iter().map(|f| f.boxed_clone()).collect();
        local::reset(&mut families, system);
        families
    };
    if method == Method::Naive {
        return Ok(RestState {
            families: naive(),
            balance: Balance::default(),
            coordinates: Vec::new(),
            sites: Vec::new(),
            site_forces: Vec::new(),
            account: Account { gap_reached: true, ..Account::default() },
        });
    }
    if let Some(found) = points::rest_state(system, loads, method, naive, watch)? {
        return Ok(found);
    }
    // Where nothing weighs, no force is needed, and contacts begin without any.
    let weightless = loads.iter().all(|load| *load == Vec3::zeros()) && !system.has_own_rest();
    let mut free: Vec<bool> = system.fixed.iter().map(|fixed| !fixed).collect();
    // Particles have no elements, and pressures of their own.
    let mut is_particle = vec![false; free.len()];
    for node in system.fluids().flat_map(|(body, _)| body.nodes.clone()) {
        (free[node], is_particle[node]) = (false, true);
    }
    let has_particles = is_particle.contains(&true);
    if has_particles && !free.contains(&true) {
        return rest_state_near(wish, loads, system, Method::Naive, watch);
    }
    let touching = || {
        let mut found = if method == Method::NoContact || weightless { Contacts::default() } else { contacts::find(system) };
        found.sites.retain(|site| !site.nodes().any(|node| is_particle[node as usize]));
        found
    };
    let (mut families, own_pattern, pinned, found) = if method == Method::PinnedContacts {
        let found = touching();
        found.sites.iter().flat_map(ContactSite::nodes).for_each(|node| free[node as usize] = false);
        let pattern = Arc::new(NodeMatrixPattern::new(&free, &system.families));
        (naive(), Some(pattern), found.sites, Contacts::default())
    } else {
        // An elimination order is found by one thread alone.
        let order = || (!has_particles && !determinate::may_be(&system.families)).then(|| system.pattern());
        let (_, (families, found)) = rayon::join(order, || rayon::join(naive, touching));
        let own_pattern = has_particles.then(|| Arc::new(NodeMatrixPattern::new(&free, &system.families)));
        (families, own_pattern, Vec::new(), found)
    };
    watch.check()?;
    watch.progress("global stage", 0.2);

    let contacts = &found;
    let stage = GlobalStage { system, loads, free: &free, own_pattern, contacts, strain: wish.strain };
    let mut solved = stage.solve(&families, watch)?;
    if wish.push_weight > 1.0 {
        solved = push_less(&stage, &mut families, wish.push_weight, solved, watch)?;
    }
    let is_balanced = stage.is_balanced(&solved.equilibrium);
    let mut limited = None;
    if system.initialise.within_reach && is_balanced {
        watch.progress("forces within reach", 0.7);
        if let Some((within, limits)) = within_reach(&stage, &mut families, &solved, watch)? {
            (solved, limited) = (within, Some(limits));
        }
    }
    let Solved { equilibrium: Equilibrium { sites, forces, friction_used }, self_contact_dropped, seconds: [assemble, global] } =
        solved.clone();
    let mut infeasible = Vec::new();
    if !is_balanced {
        watch.progress("looking for what is out of balance", 0.7);
        let cables = Tension::new(&families, &system.positions, wish.strain).cables(&families, &system.positions);
        let whole = BalanceProblem { sites: &sites, ..stage.problem(&families, &cables) };
        let parts = Parts::of(&whole);
        let diagnosis = Diagnosis { system, problem: &whole, parts: &parts, tolerance: system.initialise.tolerance };
        infeasible = feasibility::diagnose(diagnosis, &forces, watch)?;
    }
    watch.check()?;

    watch.progress("local stage", 0.8);
    let started = Instant::now();
    let balance = if method == Method::PinnedContacts {
        pin_forces(system, loads, &families, &pinned, &forces)
    } else {
        balanced(&sites, &forces.contacts)
    };
    let unattained = local::fit(&mut families, &system.positions, &forces, system.initialise.stiffen_up_to);
    // Forces that are not in balance mean little for what would help.
    let stiffness_factor = feasibility::stiffness_factor(&unattained).filter(|_| is_balanced);
    let bending = match stiffness_factor {
        // It looks for the least forces; where others are wished for, all stiffnesses alike keep them.
        Some(_) if wish.push_weight <= 1.0 => feasibility::stiff_enough_to_bend(&stage, &families, &unattained, watch)?,
        _ => None,
    };
    let within = match stiffness_factor {
        Some(_) if !system.initialise.within_reach && wish.push_weight <= 1.0 => within_reach(&stage, &mut naive(), &solved, watch)?,
        _ => None,
    };
    let enough = feasibility::Enough { all: stiffness_factor, bending, within_reach: within.map(|(_, limits)| limits) };
    infeasible.extend(feasibility::too_soft(system, &unattained, enough));
    // Nothing is factorised where statics decides.
    let pattern = (forces.factorisations > 0).then(|| stage.pattern());
    let seconds = InitSeconds {
        assemble,
        // The pattern may be older than this call; its time belongs to the stage all the same.
        global: pattern.as_ref().map_or(0.0, |pattern| pattern.seconds()) + global,
        local: started.elapsed().as_secs_f64(),
        total: 0.0,
    };
    let account = Account {
        unattained,
        stiffness_factor,
        infeasible,
        gives_way: Vec::new(),
        limited,
        reserve_contacts: (sites.len() + self_contact_dropped).saturating_sub(found.sites.len()),
        self_contact_dropped,
        friction_used: (!sites.is_empty()).then_some(friction_used),
        walls: Vec::new(),
        unknowns: 3 * free.iter().filter(|free| **free).count(),
        iterations: forces.iterations,
        gap: forces.gap,
        gap_reached: forces.gap_reached,
        factorisations: forces.factorisations,
        nonzeros_in_factor: pattern.map_or(0, |pattern| pattern.factor_entries()),
        seconds,
    };
    Ok(RestState { families, balance, coordinates: forces.coordinates, sites, site_forces: forces.contacts, account })
}

/// What the pins of the baseline hold: the opposite of all other forces on each contact node. Between surfaces it is what the
/// first of each site's nodes asks for; the nodes on the other side have sites of their own.
fn pin_forces(system: &System, loads: &[Vec3], families: &[Box<dyn Family>], sites: &[ContactSite], forces: &Forces) -> Balance {
    let mut others = loads.to_vec();
    for (family, s) in families.iter().zip(&forces.coordinates) {
        family.add_forces(&system.positions, s, &mut others);
    }
    let first = |site: &ContactSite| site.shares.first().map_or(0, |(node, _)| *node as usize);
    let reactions: Vec<Vec3> = sites.iter().map(|site| -std::mem::take(&mut others[first(site)])).collect();
    balanced(sites, &reactions)
}

/// Why an initialisation gave no report.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum InitialiseError {
    /// Somebody cancelled; nothing was changed.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Memory for the factorisation cannot be had; nothing was changed.
    #[error(transparent)]
    Memory(#[from] TooLarge),
    /// Particles could not be stepped while they were to settle; in words.
    #[error("the particles could not settle: {0}")]
    Unsettled(String),
    /// A number in the global matrix is not finite.
    #[error("the global stage failed near node {node} of the system: {what}")]
    Singular {
        /// A node at the place.
        node: usize,
        /// What was met.
        what: String,
    },
}

impl From<GlobalError> for InitialiseError {
    fn from(error: GlobalError) -> Self {
        match error {
            GlobalError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            GlobalError::Memory(too_large) => Self::Memory(too_large),
            GlobalError::Singular(failure) => Self::Singular { node: failure.node, what: failure.to_string() },
        }
    }
}

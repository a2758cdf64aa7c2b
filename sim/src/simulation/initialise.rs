//! Initialising: forces in balance first, then whether the equilibrium is stable. Both at once, or one after the other for whoever
//! wants to look at the balance while stability is still being judged.

use std::time::Instant;

use super::{Simulation, make_stepper};
use crate::contact::Balance;
use crate::element::{self, Family, MaterialPoint, kept_share};
use crate::math::{Vec3, larger, largest_norm};
use crate::sag_free::initialise::{Account, InitialiseError, RestState, rest_state};
use crate::sag_free::stability::cures::Unstable;
use crate::sag_free::stability::nudge::is_judged_by_kicks;
use crate::sag_free::stability::{self, Assessment};
use crate::sag_free::{feasibility, local, particles};
use crate::scene::{Cure, InitialiseSettings, Method};
use crate::stats::report::{
    Balanced, GridReport, Infeasibility, InfeasibilityCode, InitReport, InitSeconds, OneWayReport, Outcome, Residual, Settled, Stability,
    Unattainable, Verdict,
};
use crate::stats::{memory, summary};
use crate::step::instant::{self, Curvature};
use crate::step::{State, Stepper, mpm};
use crate::system::System;
use crate::watch::{Cancelled, Watch};

/// An initialised system whose contacts carry their forces, and what is known of it so far.
pub(super) struct Poised {
    method: Method,
    /// What was out of balance before, as a share of the largest load.
    before: f64,
    balance: Balance,
    residual: Residual,
    /// The same of bodies beside material points, by themselves, and whether they are stable.
    beside: Option<(Residual, Option<Stability>)>,
    account: Account,
    /// Force coordinates that the elements were fitted to.
    coordinates: Vec<Vec<f64>>,
    assessment: Option<Assessment>,
    outcome: Outcome,
    /// What became of particles that were to settle.
    settled: Option<Settled>,
    /// Wall seconds so far.
    seconds: f64,
}

/// What an initialisation replaces, until it is done.
struct Replaced {
    carried: Vec<f64>,
    positions: Vec<Vec3>,
    families: Vec<Box<dyn Family>>,
    stepper: Box<dyn Stepper>,
    is_started: bool,
}

impl Simulation {
    /// Chooses the rest state by `method`, and goes back to time zero. An infeasible problem is not an error: the report
    /// says so. Cancelled, it changes nothing.
    ///
    /// # Errors
    /// Cancelled, or numbers in the system that are not finite.
    pub fn initialise(&mut self, method: Method, watch: &dyn Watch) -> Result<InitReport, InitialiseError> {
        self.starting_anew(|simulation| {
            let (mut poised, replaced) = simulation.poise(method, watch)?;
            if let Err(cancelled) = simulation.judge_poised(&mut poised, watch) {
                simulation.put_back(replaced);
                return Err(cancelled.into());
            }
            simulation.take_over(&poised);
            watch.progress("done", 1.0);
            Ok(simulation.report(&poised))
        })
    }

    /// [`Simulation::initialise`] as far as forces go: the report has no verdict on stability, and is as if the equilibrium were a stable
    /// one. [`Simulation::judge`] says whether it is.
    ///
    /// # Errors
    /// Those of [`Simulation::initialise`].
    pub fn balance(&mut self, method: Method, watch: &dyn Watch) -> Result<InitReport, InitialiseError> {
        self.starting_anew(|simulation| {
            let (poised, _) = simulation.poise(method, watch)?;
            simulation.take_over(&poised);
            let report = simulation.report(&poised);
            simulation.unjudged = Some(Box::new(poised));
            Ok(report)
        })
    }

    /// Judges what [`Simulation::balance`] left, and cures it where the scene asks for that: then report and state are those that
    /// [`Simulation::initialise`] would have given. `None` where nothing is left to be judged: steps were taken since.
    ///
    /// # Errors
    /// Cancelled; it may be asked for again.
    pub fn judge(&mut self, watch: &dyn Watch) -> Result<Option<InitReport>, Cancelled> {
        let Some(mut poised) = self.unjudged.take() else { return Ok(None) };
        if let Err(cancelled) = self.judge_poised(&mut poised, watch) {
            self.unjudged = Some(poised);
            return Err(cancelled);
        }
        self.take_over(&poised);
        watch.progress("done", 1.0);
        Ok(Some(self.report(&poised)))
    }

    /// Does `work` with bodies and obstacles as they are at the start. If it fails, whoever has come in since stays.
    fn starting_anew<R>(&mut self, work: impl FnOnce(&mut Self) -> Result<R, InitialiseError>) -> Result<R, InitialiseError> {
        let (entered, obstacles_at) = (self.system.entered, self.system.obstacles_at);
        self.system.set_entered(0);
        self.system.set_obstacles_at(0.0);
        let outcome = work(self);
        if outcome.is_err() {
            self.system.set_entered(entered);
            self.system.set_obstacles_at(obstacles_at);
        }
        outcome
    }

    /// Puts the elements into their rest state by `method`, and lets the stepper's contacts make the solved forces.
    fn poise(&mut self, method: Method, watch: &dyn Watch) -> Result<(Poised, Replaced), InitialiseError> {
        let started = Instant::now();
        self.unjudged = None;
        let before = residual_before(&self.system);
        // The pattern belongs to the global stage, whenever it was made.
        let ordering = self.system.pattern.get().map_or(0.0, |pattern| pattern.seconds());
        let (carried, positions) = (self.system.carried.clone(), self.system.positions.clone());
        self.unsettle();
        let (mut found, settled) = match self.rest_state(method, watch) {
            Ok(found) => found,
            Err(error) => {
                (self.system.carried, self.system.positions) = (carried, positions);
                return Err(error);
            }
        };
        if let (Some(settled), Some(placed)) = (&settled, self.system.fluids().next().map(|(body, _)| body)) {
            let message = format!(
                "the particles did not come to rest in {:.1} s: they still move at {:.2e} m/s, and rest is below {:.2e} m/s; see that walls hold them on all sides",
                settled.seconds, settled.fastest, settled.at_rest
            );
            if !settled.rests {
                found.account.infeasible.push(self.of_particles(InfeasibilityCode::Unsettled, placed.nodes.start, message));
            }
        }
        let families = std::mem::replace(&mut self.system.families, found.families);
        let stepper = std::mem::replace(&mut self.stepper, make_stepper(&self.system));
        let is_started = self.is_started;
        let residual = self.start_from(&found.balance, before);
        let beside = self.residual_beside();
        let outcome = forces(method, &residual, beside.as_ref(), &found.account);
        let seconds = started.elapsed().as_secs_f64() + if matches!(method, Method::SagFree | Method::NoContact) { ordering } else { 0.0 };
        let poised = Poised {
            method,
            before,
            balance: found.balance,
            residual,
            beside: beside.map(|residual| (residual, None)),
            account: found.account,
            coordinates: found.coordinates,
            assessment: None,
            outcome,
            settled,
            seconds,
        };
        Ok((poised, Replaced { carried, positions, families, stepper, is_started }))
    }

    /// The rest state of the elements and the pressures of particles, which are left in the system.
    fn rest_state(&mut self, method: Method, watch: &dyn Watch) -> Result<(RestState, Option<Settled>), InitialiseError> {
        let settled = if method == Method::Settle { self.settle(watch)? } else { None };
        let balanced = if method == Method::Settle { Method::SagFree } else { method };
        // Bodies that do not feel the points have a balance of their own.
        let bodies = match self.system.goes_one_way() {
            true => Some(self.system.without_points(|system| rest_state(system, balanced, watch))?),
            false => None,
        };
        let mut found = rest_state(&self.system, balanced, watch)?;
        if let Some(bodies) = bodies {
            found = found.beside(bodies);
        }
        if method == Method::Naive {
            return Ok((found, None));
        }
        let loads = self.system.loads();
        let Some(pressures) = particles::balance(&self.system, &loads, &self.system.carried, watch)? else { return Ok((found, settled)) };
        let tolerance = self.system.initialise.tolerance;
        if pressures.largest > tolerance * self.system.largest_load() && settled.is_none() {
            let message = format!(
                "no balance: no pressures hold the particles as they are given; the best leave {:.2} of the weight, in the sum of squares. An arrangement of particles is in balance by symmetry alone: set \"method\" to \"settle\", which lets them come to rest and freezes them there",
                pressures.left
            );
            found.account.infeasible.push(self.of_particles(InfeasibilityCode::Disordered, pressures.worst, message));
        }
        self.system.carried = pressures.carried;
        Ok((found, settled))
    }

    /// What is wrong with particles, at this node.
    fn of_particles(&self, code: InfeasibilityCode, node: usize, message: String) -> Infeasibility {
        let body = self.system.fluids().map(|(body, _)| body).find(|body| body.nodes.contains(&node));
        let (name, first) = body.map_or((String::new(), 0), |body| (body.name.clone(), body.nodes.start));
        let place = self.system.positions.get(node).copied().unwrap_or_default().into();
        Infeasibility { code, body: name, component: 0, indices: vec![node - first], place, message, mend: None }
    }

    /// Particles that settled go back to where the scene puts them.
    fn unsettle(&mut self) {
        self.system.carried.clear();
        let moved: Vec<_> = self.system.fluids().map(|(body, _)| (body.nodes.clone(), body.mesh.positions.clone())).collect();
        for (nodes, given) in moved {
            self.system.positions[nodes].copy_from_slice(&given);
        }
    }

    fn put_back(&mut self, replaced: Replaced) {
        self.system.families = replaced.families;
        (self.system.carried, self.system.positions) = (replaced.carried, replaced.positions);
        (self.stepper, self.is_started) = (replaced.stepper, replaced.is_started);
    }

    /// The state is that of a poised system from now on, at time zero.
    fn take_over(&mut self, poised: &Poised) {
        self.state = State::at_rest(&self.system);
        self.balance = poised.balance.clone();
        self.holds = poised.outcome.holds;
        self.modes = poised.assessment.as_ref().map_or_else(Vec::new, |found| found.modes.clone());
        self.gives_way = poised.account.gives_way.clone();
        self.too_soft = poised.account.unattained.iter().map(|u| self.system.element_number(u.family, u.element)).collect();
    }

    /// Asks whether the equilibrium is stable; if it is not, the cures that the scene asks for are tried. Cancelled, nothing has changed.
    fn judge_poised(&mut self, poised: &mut Poised, watch: &dyn Watch) -> Result<(), Cancelled> {
        let started = Instant::now();
        let method = poised.method;
        watch.progress("stability", 0.9);
        let assessment = self.assess(method, &poised.outcome, watch)?;
        if let (Some((_, stability)), Some((_, found))) = (&mut poised.beside, &assessment) {
            stability.clone_from(found);
        }
        let assessment = assessment.map(|(found, _)| found);
        let InitialiseSettings { cure, compare_cures, .. } = self.system.initialise;
        let wanted: Vec<Cure> = match &assessment {
            Some(found) if method == Method::SagFree && found.stability.verdict == Verdict::Unstable && poised.beside.is_none() => {
                let is_wanted = |one: &Cure| compare_cures || *one == cure;
                let tells_pushes = self.system.families.iter().any(|family| family.tells_pushes() && family.len() > 0);
                let all = [Cure::LessPush, Cure::TensionShift, Cure::LocalStiffening, Cure::UniformStiffening, Cure::InOrder];
                // Of solids, all in turn is stiffening, which is compared by itself.
                let has_sense = |one: &Cure| tells_pushes || !matches!(one, Cure::LessPush | Cure::InOrder) || *one == cure;
                all.into_iter().filter(is_wanted).filter(has_sense).collect()
            }
            _ => Vec::new(),
        };
        let mut reports = Vec::new();
        let mut remedy = None;
        for one in wanted {
            watch.progress("looking for a cure", 0.9 + 0.03 * reports.len() as f64);
            let Some(assessment) = &assessment else { break };
            let Poised { balance, residual, coordinates, .. } = &*poised;
            let families = &self.system.families;
            let found = Unstable { system: &self.system, families, balance, coordinates, assessment, residual }.try_cure(one, watch)?;
            reports.push(found.report.clone());
            if one == cure && found.report.helps {
                remedy = Some(found);
            }
        }
        poised.assessment = assessment;
        if let Some(remedy) = remedy {
            self.system.families = remedy.families;
            self.stepper = make_stepper(&self.system);
            poised.residual = self.start_from(&remedy.balance, poised.before);
            poised.balance = remedy.balance;
            if let Some(account) = remedy.account {
                poised.account = account;
            }
            poised.outcome = forces(method, &poised.residual, None, &poised.account);
            let stability = Stability { cured_by: Some(cure), ..remedy.assessment.stability };
            poised.assessment = Some(Assessment { stability, ..remedy.assessment });
        }
        if let Some(assessment) = &mut poised.assessment {
            assessment.stability.cures = reports;
        }
        poised.outcome = poised.outcome.clone().with(poised.assessment.as_ref().map(|found| &found.stability));
        poised.seconds += started.elapsed().as_secs_f64();
        Ok(())
    }

    /// Hands the contact forces to the stepper; what is then out of balance in the given shape.
    fn start_from(&mut self, balance: &Balance, before: f64) -> Residual {
        self.is_started = true;
        self.stepper.warm_start(&self.system, balance);
        self.system.lag(&State::at_rest(&self.system).positions);
        instant::residual(&self.system, &self.system.families, self.stepper.contacts(&self.system), before)
    }

    /// Only of a state in balance can one ask whether it is stable.
    /// With what is found of bodies beside material points, by themselves.
    fn assess(
        &mut self,
        method: Method,
        forces: &Outcome,
        watch: &dyn Watch,
    ) -> Result<Option<(Assessment, Option<Stability>)>, Cancelled> {
        // At rest in the given shape it has no reason to stay there.
        if method == Method::Naive && !self.system.has_own_rest() {
            return Ok(None);
        }
        if !forces.holds {
            return Ok(Some((Assessment { stability: Stability::not_in_balance(), modes: Vec::new() }, None)));
        }
        let Self { system, stepper, .. } = self;
        if system.goes_one_way() {
            let bodies = system.without_points(|system| assessed(system, stepper.as_mut(), watch))?.stability;
            // What bodies do not hold, points need not be asked.
            let stability = match bodies.verdict {
                Verdict::Stable => Stability::not_tried(),
                _ => bodies.clone(),
            };
            return Ok(Some((Assessment { stability, modes: Vec::new() }, Some(bodies))));
        }
        if is_judged_by_kicks(system) {
            return Ok(Some((Assessment { stability: Stability::not_tried(), modes: Vec::new() }, None)));
        }
        assessed(system, stepper.as_mut(), watch).map(|found| Some((found, None)))
    }

    /// What is out of balance of bodies beside material points, by themselves.
    fn residual_beside(&mut self) -> Option<Residual> {
        let Self { system, stepper, .. } = self;
        system.goes_one_way().then(|| {
            system.without_points(|system| {
                let before = residual_before(system);
                instant::residual(system, &system.families, stepper.contacts(system), before)
            })
        })
    }

    fn report(&mut self, poised: &Poised) -> InitReport {
        let started = Instant::now();
        self.given_fields = element::fields(&self.system.families, &self.system.positions);
        let couple = self.stepper.contacts(&self.system).freeze(&self.system, &self.state.positions, 0.0).couple(&self.state.positions);
        let at_points = self.system.touches_at_points();
        let touching = if at_points { self.stepper.contact_force_on_nodes(&self.system, &self.state) } else { Vec::new() };
        let system = &self.system;
        let is_there = |element: &usize| !system.away_elements().any(|elements| elements.contains(element));
        // Of the families for which they have a meaning.
        let present = |values: &dyn Fn(&dyn Family) -> Vec<f64>| -> Vec<f64> {
            let all = system.families.iter().enumerate();
            let numbered = all.flat_map(|(f, family)| (system.element_number(f, 0)..).zip(values(family.as_ref())));
            numbered.filter(|(e, _)| is_there(e)).map(|(_, value)| value).collect()
        };
        let compression = present(&|family| family.compression(&system.positions));
        let rest_volumes = present(&|family| family.rest_volumes());
        let stiffening: Vec<f64> = system.families.iter().flat_map(|f| f.stiffening()).collect();
        let Poised { method, account: found, .. } = poised;
        InitReport {
            method: *method,
            outcome: poised.outcome.clone(),
            bodies: system.bodies.len() - system.away().count(),
            elements: (0..system.element_number(system.families.len(), 0)).filter(is_there).count(),
            masses: system.body_nodes() - system.away().map(|body| body.nodes.len()).sum::<usize>(),
            contacts: self.balance.contacts.len() + self.balance.pairs.len() + found.walls.len(),
            unknowns: found.unknowns,
            threads: rayon::current_num_threads(),
            iterations: found.iterations,
            gap: found.gap,
            gap_reached: found.gap_reached,
            reserve_contacts: found.reserve_contacts,
            self_contact_dropped: found.self_contact_dropped,
            factorisations: found.factorisations,
            nonzeros_in_factor: found.nonzeros_in_factor,
            residual: poised.residual,
            grid: grid_report(system, &self.state, &touching),
            one_way: poised.beside.as_ref().map(|(residual, stability)| OneWayReport {
                bodies: system.beside_points().map(|(_, body)| body.name.clone()).collect(),
                note: OneWayReport::NOTE,
                residual: *residual,
                stability: stability.clone(),
            }),
            families: summary::families(system),
            fields: summary::fields(system, &self.given_fields),
            compression: summary::distribution(&compression),
            rest_volume: summary::rest_volume(&rest_volumes, &compression),
            pattern: summary::pattern(system, &self.given_fields),
            contact: summary::contacts((&self.balance, &found.walls), &self.system, found.friction_used, couple),
            stability: poised.assessment.as_ref().map(|found| found.stability.clone()),
            stiffness_field: summary::stiffness_field(&self.system),
            forecast: None,
            settled: poised.settled,
            stiffened: summary::stiffened(&stiffening, feasibility::LISTED),
            unattainable: Unattainable {
                elements: found.unattained.len(),
                indices: self.too_soft.iter().copied().take(feasibility::LISTED).collect(),
                stiffness_factor: found.stiffness_factor,
            },
            limited: found.limited,
            infeasible: found.infeasible.clone(),
            peak_memory_bytes: memory::peak_bytes(),
            seconds: InitSeconds { total: poised.seconds + started.elapsed().as_secs_f64(), ..found.seconds },
        }
    }
}

/// How material points stand on their grid in `state`, where contacts push with the forces `touching` on all nodes [N]; `None` where there are none.
pub fn grid_report(system: &System, state: &State, touching: &[Vec3]) -> Option<GridReport> {
    system.points()?;
    let mut forces = vec![Vec3::zeros(); state.positions.len()];
    mpm::set_net_forces(system, state, touching, &mut forces);
    let gravity = Some(system.gravity.norm()).filter(|g| *g > 0.0).unwrap_or(1.0);
    let with_mass = || forces.iter().zip(&system.masses).filter(|(_, mass)| **mass > 0.0);
    let squares: f64 = with_mass().map(|(force, mass)| force.norm_squared() / mass).sum();
    let of_points = system.points().into_iter().flat_map(|points| points.connectivity());
    let mass: f64 = of_points.map(|[node]| system.masses[*node as usize]).sum();
    let largest = with_mass().map(|(force, mass)| force.norm() / mass).fold(0.0, larger);
    let acceleration_rms = (squares / mass).sqrt() / gravity;
    let keeping = system.points().into_iter().flat_map(|points| &points.elements).filter(|point| point.kept.is_some());
    let stress = |point: &MaterialPoint| point.cauchy_stress(&point.given_gradient) + point.holds(0.0) / point.volume;
    let kept_deviator = kept_share(keeping.map(|point| (point.volume, stress(point))));
    Some(GridReport { spacing_m: mpm::grid_spacing(system), acceleration_max: largest / gravity, acceleration_rms, kept_deviator })
}

/// The verdict on the equilibrium of a system that eigenvalues judge, whose contacts `stepper` knows.
fn assessed(system: &System, stepper: &mut dyn Stepper, watch: &dyn Watch) -> Result<Assessment, Cancelled> {
    let mut curvature = Curvature::default();
    let (pattern, hessian) = curvature.hessian(system, &system.families, stepper.contacts(system), &State::at_rest(system), false);
    let room = system.ensure_room("the factorisation for stability", pattern, pattern.factor_bytes());
    if let Err(too_large) = room {
        return Ok(Assessment { stability: Stability::undecided(too_large.to_string()), modes: Vec::new() });
    }
    stability::assess(system, pattern, hessian, system.initialise.softest_modes as usize, watch)
}

/// The naive rest state makes no force, so that all of the load on the free masses is out of balance; less of it with rest meshes and patterns.
fn residual_before(system: &System) -> f64 {
    let mut net = system.loads();
    if system.has_own_rest() {
        let mut families: Vec<_> = system.families.iter().map(|family| family.boxed_clone()).collect();
        local::reset(&mut families, system);
        let mut gradient = vec![Vec3::zeros(); net.len()];
        families.iter().for_each(|family| family.add_gradient(&system.positions, &mut gradient));
        net.iter_mut().zip(&gradient).for_each(|(net, gradient)| *net -= gradient);
    }
    net.iter_mut().zip(&system.fixed).filter(|(_, fixed)| **fixed).for_each(|(net, _)| *net = Vec3::zeros());
    largest_norm(&net) / system.largest_load()
}

/// The outcome as far as forces go; `beside`: what is out of balance of bodies beside material points, by themselves.
fn forces(method: Method, residual: &Residual, beside: Option<&Residual>, account: &Account) -> Outcome {
    // Both have to be in balance.
    let residual = beside.filter(|beside| !beside.balanced && residual.balanced).unwrap_or(residual);
    Outcome::of(Balanced { method, residual, unattained: account.unattained.len(), infeasible: &account.infeasible })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is out of balance of light bodies by themselves counts, though beside heavy points it is little.
    #[test]
    fn bodies_beside_points_have_to_hold_by_themselves() {
        let [little, much] = [1e-12, 1e-3].map(|after| Residual::of(1.0, after, 0.0, 1e-8));
        let holds = |all: &Residual, beside: Option<&Residual>| forces(Method::SagFree, all, beside, &Account::default()).holds;
        assert!(holds(&little, None) && holds(&little, Some(&little)));
        assert!(!holds(&little, Some(&much)) && !holds(&much, Some(&little)));
    }
}

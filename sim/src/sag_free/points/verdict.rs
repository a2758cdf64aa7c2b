//! Why material points are out of balance: decided by what more strength, more friction or other pressures would do, and never by a solver that
//! did not come to its end.

use std::cell::Cell;
use std::cmp::Ordering;

use super::super::feasibility::{LISTED, advised};
use super::super::global::GlobalError;
use super::super::grid::{Shares, Solved, Wall};
use super::super::verdict::{Infeasibility, InfeasibilityCode};
use super::FALLS;
use super::case::Case;
use super::setting::Setting;
use crate::bodies::particles::trim::held;
use crate::contact::distance::placed;
use crate::element::{MaterialPoint, deviator, kept_share};
use crate::material::yields::{Matched, YieldSurface};
use crate::scene::Mend;
use crate::step::mpm::{grid_spacing, points::Points, walls};
use crate::system::{PlacedBody, System};
use crate::watch::{Tries, Watch};

/// What is left is a matter of friction where any amount of it would leave less than this share.
const MATTERS: f64 = 0.5;
/// A friction that holds whatever friction can hold. More is that of no material, and what would take it topples or lies on nothing.
const ROUGH: f64 = 2.0;
/// The largest angle of friction that a scene may give grains [degrees].
const STEEPEST: f64 = 80.0;
/// So many times the strength of a material that yields is as good as no limit; so many times more is tried at a time, and what is enough sought
/// by so many halvings.
const STRONG: f64 = 100.0;
const STRONGER: f64 = 1.3;
const FEW_HALVINGS: usize = 3;
/// So many times the friction is tried at a time, from so little on, and what is enough sought by so many halvings.
const ROUGHER: f64 = 1.5;
const LEAST_ROUGH: f64 = 0.02;
const HALVINGS: usize = 5;
/// Points are left out where that leaves less than this share.
const HELPS: f64 = 0.5;
/// What is enough, and some more.
const GENEROUS: f64 = 1.1;
/// Duality gap, over the work of the loads, up to which what is left tells of the problem and not of the solver.
const CLOSED: f64 = 1e-3;

/// Shear up to which a liquid is advised to keep a deviator: what is at rest shears by far less, what runs out of an opened tank by more at once.
pub(super) const KEPT_UNTIL: f64 = 0.01;
/// Deviators that a liquid keeps, over its mean pressure, up to which it counts as one at rest. Points that lie 0.3 of their spacing beside a lattice need 0.01, those
/// along a wall that leans by 25 degrees 0.014, a surface that is half a cell higher on one side 0.017, and one that slopes by 22 degrees 0.04.
const KEPT_AT_MOST: f64 = 0.015;

/// A case that has no balance, and what comes nearest to one.
pub(super) struct Unbalanced<'a> {
    case: &'a Case<'a>,
    /// Share of friction and strength that it uses.
    share: f64,
    found: &'a Solved,
    /// The body of the point that is left with the most, and its name.
    body: Option<&'a PlacedBody>,
    name: String,
    watch: Tries<'a>,
}

/// A statement, without the place that it is about.
struct Statement {
    code: InfeasibilityCode,
    message: String,
    mend: Option<Mend>,
}

impl Statement {
    fn new(code: InfeasibilityCode, message: String) -> Self {
        Self { code, message, mend: None }
    }
}

/// Points of `body`, by their numbers.
fn own(points: &Points, body: &PlacedBody) -> Vec<usize> {
    (0..points.nodes.len()).filter(|&p| body.nodes.contains(&(points.nodes[p][0] as usize))).collect()
}

/// What is to be said of stresses that balance, but that points of `elements`, fitted to them, cannot keep: they flow in the first step, or would, where they are too
/// `soft` to make theirs (those in ascending order). The surface of what yields at any pressure alike is given a slope, so that it has a tip, which counts where the
/// pressure is far above the strength.
pub(super) fn flowing(
    system: &System,
    points: &Points,
    elements: &[MaterialPoint],
    found: &Solved,
    soft: &[usize],
) -> Option<Infeasibility> {
    let flows = |p: &usize| match soft.binary_search(p).is_ok() {
        true => !elements[*p].bears(&found.stresses[*p], 1.0),
        false => elements[*p].flowed(&elements[*p].given_gradient, 0.0).is_some(),
    };
    let node = |p: usize| points.nodes.get(p).map_or(0, |[node]| *node as usize);
    let all: Vec<usize> = (0..elements.len()).filter(flows).map(node).collect();
    let worst = *all.first()?;
    let body = system.bodies.iter().find(|body| body.nodes.contains(&worst))?;
    let indices: Vec<usize> = all.iter().filter(|node| body.nodes.contains(node)).map(|node| node - body.nodes.start).collect();
    let message = format!(
        "whether `{}` stands is not known: the stresses that were found for {} of its points are beyond what they bear, so that they flow from the first step on",
        body.name,
        indices.len()
    );
    Some(Infeasibility {
        code: InfeasibilityCode::Undecided,
        body: body.name.clone(),
        component: 0,
        indices,
        place: system.positions[worst].into(),
        message,
        mend: None,
    })
}

/// What is to be said of a liquid whose balance is one of deviators rather than of pressures: a slope of it stands as a solid does, which is not said to be a liquid at rest.
pub(super) fn held_like_a_solid(system: &System, points: &Points, found: &Solved) -> Option<Infeasibility> {
    system.bodies.iter().find_map(|body| {
        let own: Vec<usize> = own(points, body).into_iter().filter(|&p| points.elements[p].kept.is_some()).collect();
        let share = kept_share(own.iter().map(|&p| (points.elements[p].volume, found.stresses[p])))?;
        let size = |p: usize| deviator(&found.stresses[p]).norm();
        let worst = own.iter().copied().max_by(|&a, &b| size(a).total_cmp(&size(b)))?;
        let node = points.nodes[worst][0] as usize;
        let message = format!(
            "whether `{}` rests as a liquid is not known: deviators of {share:.1e} of its mean pressure hold it, as a solid is held, until it shears, and up to {KEPT_AT_MOST} counts as a liquid's; level its surface, sample its points as a lattice, or make it of \"sand\" or \"metal\"",
            body.name
        );
        (share > KEPT_AT_MOST).then(|| Infeasibility {
            code: InfeasibilityCode::Undecided,
            body: body.name.clone(),
            component: 0,
            indices: vec![node - body.nodes.start],
            place: system.positions[node].into(),
            message,
            mend: None,
        })
    })
}

impl<'a> Unbalanced<'a> {
    /// `found` with this share of friction and strength, out of balance.
    pub fn new(case: &'a Case<'a>, share: f64, found: &'a Solved, watch: &'a dyn Watch) -> Self {
        let Setting { system, points, .. } = case.setting;
        let node = points.nodes.get(found.worst).map_or(0, |[node]| *node as usize);
        let body = system.bodies.iter().find(|body| body.nodes.contains(&node));
        let name = body.map_or(String::new(), |body| body.name.clone());
        Self { case, share, found, body, name, watch: Tries::new(watch, "what would hold it") }
    }

    /// Why it is.
    ///
    /// # Errors
    /// As for [`super::rest_state`].
    pub fn diagnosed(&self) -> Result<Infeasibility, GlobalError> {
        let Setting { system, points, .. } = self.case.setting;
        let Statement { code, message, mend } = self.statement()?;
        let node = points.nodes.get(self.found.worst).map_or(0, |[node]| *node as usize);
        let first = self.body.map_or(0, |body| body.nodes.start);
        Ok(Infeasibility {
            code,
            body: self.name.clone(),
            component: 0,
            indices: self.moving().into_iter().map(|node| node - first).collect(),
            place: system.positions.get(node).copied().unwrap_or_default().into(),
            message,
            mend,
        })
    }

    /// Nodes of the body's points that begin to move at half the speed of the fastest at least, the fastest first.
    fn moving(&self) -> Vec<usize> {
        let points = &self.case.setting.points;
        let own = self.body.map_or_else(Vec::new, |body| own(points, body));
        let speed = |p: usize| self.found.accelerations[p].norm();
        let most = own.iter().map(|&p| speed(p)).fold(0.0, f64::max);
        let mut fast: Vec<usize> = own.into_iter().filter(|&p| speed(p) >= 0.5 * most).collect();
        fast.sort_by(|&a, &b| speed(b).total_cmp(&speed(a)));
        fast.into_iter().take(LISTED).map(|p| points.nodes[p][0] as usize).collect()
    }

    /// Why nothing touches, and what would.
    fn untouched(&self) -> String {
        let (name, system) = (&self.name, self.case.setting.system);
        if system.touches_at_points() {
            let nearer = match nearest_gap(system).map(|gap| GENEROUS * gap / system.diagonal) {
                Some(share) => format!(
                    ", or raise \"contact.detection_distance\" and \"contact.barrier_distance\", which are shares of the diagonal of all bodies, to {share:.1e}"
                ),
                None => String::new(),
            };
            return format!(
                "no balance: no point of `{name}` touches an obstacle, so that nothing carries it; put one under it, half the spacing of its points away from the lowest{nearer}"
            );
        }
        let spacing = grid_spacing(system);
        let reach = system.simulate.grid.kernel.reach();
        let near = match reach > 1.0 {
            true => format!("put an obstacle under it, within {:.3e} m of its points", (reach - 1.0) * spacing),
            false => format!(
                "put an obstacle under it, up to a multiple of {spacing:.3e} m, which lines of the grid are, and within that of its points"
            ),
        };
        format!("no balance: no wall reaches a node of the grid at `{name}`, so that nothing carries it; {near}")
    }

    fn statement(&self) -> Result<Statement, GlobalError> {
        let Self { case, found, name, .. } = self;
        let worst = case.setting.points.elements.get(found.worst);
        let yields = worst.is_some_and(|point| point.yields.is_some());
        if case.walls.is_empty() && !case.setting.is_bound() {
            return Ok(Statement::new(InfeasibilityCode::Unsupported, self.untouched()));
        }
        if let Some(nodes) = case.iterated() {
            let message = format!(
                "whether the grid of {nodes} nodes has a balance at `{name}` is not known: {} iterations leave up to {:.2e} of the acceleration of the loads, and {:.2e} as a root mean square; \"direct_up_to\": {nodes} under `initialise` has it factorised, which takes more memory, and \"tolerance\" says what may be left",
                found.iterations, found.largest, found.rms
            );
            return Ok(Statement::new(InfeasibilityCode::Undecided, message));
        }
        if found.gap.is_some_and(|gap| gap.is_nan() || gap > CLOSED) {
            let message = format!(
                "the forces that hold `{name}` were not found, nor that there are none: they leave {:.2e} of the acceleration of the loads, and are right to {:.0e} of their work only",
                found.rms,
                found.gap.unwrap_or(f64::NAN)
            );
            return Ok(Statement::new(InfeasibilityCode::Undecided, message));
        }
        if worst.is_some_and(|point| point.material.liquid().is_some()) {
            return self.of_liquid();
        }
        let is_rigid = case.moves_as_one(found);
        let falls = found.rms > FALLS && (yields || is_rigid);
        // Walls without friction cannot hold what slides along them, whatever else they may.
        let may_give = !found.is_held || case.walls.is_empty() || case.walls.iter().any(|wall| wall.friction == 0.0);
        let is_weak = yields && falls && may_give;
        if is_weak && let Some(why) = self.too_weak()? {
            return Ok(why);
        }
        let may_slide = may_give && (falls || is_rigid);
        if may_slide && let Some(why) = self.too_smooth()? {
            return Ok(why);
        }
        Ok(match falls {
            true => self.unsupported(is_weak),
            false => self.single_points(yields)?,
        })
    }

    /// The stresses with other walls and shares.
    fn balance(&self, walls: &[Wall], shares: Shares) -> Result<Solved, GlobalError> {
        self.case.balance(walls, shares, self.watch.next())
    }

    fn of_liquid(&self) -> Result<Statement, GlobalError> {
        let Self { found, name, .. } = self;
        let left = format!(
            "the best leave up to {:.2e} of the acceleration of the loads, and {:.2e} as a root mean square. A liquid is in balance as a lattice of half a cell's spacing, with a level surface, between walls along the grid",
            found.largest, found.rms
        );
        let mend = self.body.map_or(Ok(None), |body| self.keep(body))?;
        let advice = match &mend {
            Some((_, share)) => format!(
                "; \"kept_until\": {KEPT_UNTIL} under \"liquid\" holds it by deviators of {share:.1e} of the mean pressure on top, until it has sheared by so much"
            ),
            None => String::new(),
        };
        let (code, message) = match self.case.least(self.share, found, self.watch.next())? > FALLS {
            true => (InfeasibilityCode::Disordered, format!("no balance: no pressures hold `{name}` as it is given; {left}{advice}")),
            false => (InfeasibilityCode::Undecided, format!("no smooth pressures hold all points of `{name}`; {left}{advice}")),
        };
        Ok(Statement { mend: mend.map(|(mend, _)| mend), ..Statement::new(code, message) })
    }

    /// To let a liquid keep a deviator, where that is found to balance it and to be small; with the largest over the largest pressure.
    fn keep(&self, body: &PlacedBody) -> Result<Option<(Mend, f64)>, GlobalError> {
        let Setting { system, points, .. } = self.case.setting;
        let Some(number) = system.bodies.iter().position(|other| other.nodes == body.nodes) else { return Ok(None) };
        let own = own(points, body);
        if own.iter().any(|&p| points.elements[p].kept.is_some()) {
            return Ok(None);
        }
        let holds = |with: &Solved| with.largest <= system.initialise.tolerance;
        let kept = self.case.keeping(&body.nodes, self.share, self.watch.next())?;
        let share = kept.filter(holds).and_then(|with| kept_share(own.iter().map(|&p| (points.elements[p].volume, with.stresses[p]))));
        Ok(share.filter(|share| *share <= KEPT_AT_MOST).map(|share| (Mend::Keep { body: number, until: KEPT_UNTIL }, share)))
    }

    /// Whether more strength would hold what yields, and how much; limit analysis with all of the friction.
    fn too_weak(&self) -> Result<Option<Statement>, GlobalError> {
        let with = |factor: f64| self.balance(&self.case.walls, Shares { strength: factor, ..Shares::of_all(1.0) });
        let strong = with(STRONG)?;
        if strong.rms > FALLS {
            return self.too_loose();
        }
        // Of what clings together no single points are left that nothing presses, and what is told is to hold them all.
        let tolerance = self.case.setting.system.initialise.tolerance;
        let holds_all = self.clings() && strong.largest <= tolerance;
        // What is left by the least that does.
        let leaves = Cell::new(strong.largest);
        let stands = |factor: f64| {
            let found = with(factor)?;
            let stands = if holds_all { found.largest <= tolerance && self.case.bears(&found, factor) } else { found.rms <= FALLS };
            if stands {
                leaves.set(found.largest);
            }
            Ok(stands)
        };
        let factor = least(1.0, STRONGER, STRONGER, STRONG, FEW_HALVINGS, stands)?;
        let Some(enough) = enough(&self.case.setting.points, self.body, factor) else { return self.too_loose() };
        let but = match leaves.get() > tolerance {
            // Some are held by no stress of any size.
            true if self.clings() => ", but for single points, which no strength holds",
            true => ", but for single points that nothing presses, which trickle",
            false => "",
        };
        let message = format!(
            "no balance: `{}` flows under the loads, and {:.2e} of their acceleration is left; it would stand with {enough}{but}",
            self.name, self.found.rms
        );
        Ok(Some(Statement::new(InfeasibilityCode::Yields, message)))
    }

    /// Whether grains would be held if they clung to one another, or did so more, and by how much: strength leaves the tip of a cone where it is, and with that
    /// the pull that is borne. Stresses that balance where nothing yields say how much is enough.
    fn too_loose(&self) -> Result<Option<Statement>, GlobalError> {
        let Self { case, found, name, body, .. } = self;
        let Setting { system, points, .. } = case.setting;
        let surface = points.elements.get(found.worst).and_then(|worst| worst.yields);
        let (Some(surface), Some(body)) = (surface.filter(|surface| surface.slope > 0.0), body) else { return Ok(None) };
        let firm = case.unyielding(self.watch.next())?;
        if firm.rms > FALLS {
            return Ok(None);
        }
        let wanted = own(points, body).into_iter().filter_map(|p| points.elements[p].wanted_size(&firm.stresses[p])).fold(0.0, f64::max);
        let enough = YieldSurface { size: GENEROUS * wanted, ..surface };
        let Some(cohesion) = enough.cohesion(matched(body)) else { return Ok(None) };
        let but = if firm.largest <= system.initialise.tolerance { "" } else { ", but for single points" };
        let message = format!(
            "no balance: `{name}` flows under the loads, and {:.2e} of their acceleration is left; it would stand with a cohesion of about {cohesion:.3e} Pa{but}, and not by more friction of its grains alone",
            found.rms
        );
        Ok(Some(Statement::new(InfeasibilityCode::Yields, message)))
    }

    /// Whether more friction of the walls would hold it, and how much.
    fn too_smooth(&self) -> Result<Option<Statement>, GlobalError> {
        let Self { case, found, name, .. } = self;
        let system = case.setting.system;
        let left = |friction: f64| {
            let rougher: Vec<Wall> = case.walls.iter().map(|wall| Wall { friction: wall.friction.max(friction), ..*wall }).collect();
            self.balance(&rougher, Shares::of_all(1.0))
        };
        let with_all = left(ROUGH)?.rms;
        if with_all >= MATTERS * found.rms || with_all > FALLS {
            return Ok(None);
        }
        // As much as leaves no more than all friction does, but for what is as good as nothing, or no more than single points, which do not slide.
        let good = (1.2 * with_all).max(system.initialise.tolerance);
        let stands = |friction: f64| {
            let found = left(friction)?;
            Ok(found.rms <= good || found.rms <= FALLS && !case.moves_as_one(&found))
        };
        let low = case.walls.iter().map(|wall| wall.friction).fold(f64::INFINITY, f64::min);
        let high = (ROUGHER * low).max(LEAST_ROUGH);
        let coefficient = advised(least(low, high, ROUGHER, ROUGH, HALVINGS, stands)?);
        let message = format!(
            "no balance: walls hold `{name}`, but not with this little friction, which leaves {:.2e} of the acceleration of the loads; a friction coefficient of about {coefficient} would do",
            found.rms
        );
        let bodies = system.bodies.iter().enumerate().filter(|(_, body)| body.matter.particles().is_some());
        let mend = Mend::Friction {
            obstacles: case.touched(),
            bodies: bodies.map(|(place, _)| place).collect(),
            among_bodies: case.touches_body(),
            coefficient,
        };
        Ok(Some(Statement { mend: Some(mend), ..Statement::new(InfeasibilityCode::TooLittleFriction, message) }))
    }

    /// Whether the point that is left with the most bears something where nothing presses it, as metal does.
    fn clings(&self) -> bool {
        let worst = self.case.setting.points.elements.get(self.found.worst);
        worst.and_then(|point| point.yields).is_some_and(|surface| surface.size > 0.0)
    }

    fn single_points(&self, yields: bool) -> Result<Statement, GlobalError> {
        let Self { found, name, .. } = self;
        let left = format!(
            "up to {:.2e} of the acceleration of the loads, and all together {:.2e} as a root mean square",
            found.largest, found.rms
        );
        if yields && !self.clings() {
            let message = format!(
                "no stress holds all points of `{name}`: those that nothing presses, at the surface, keep {left}; they will trickle"
            );
            return Ok(Statement::new(InfeasibilityCode::Undecided, message));
        }
        let mend = self.body.map_or(Ok(None), |body| self.trim(body))?;
        let advice = match mend {
            Some(Mend::Trim { cells, points, .. }) => {
                format!("{points} have nodes of the grid to themselves; \"trim\": {cells} leaves those out, and then less is left")
            }
            _ => "raise `initialise.tolerance` to what may be left".to_owned(),
        };
        let message = format!("no stress holds all points of `{name}`: some keep {left}; {advice}");
        Ok(Statement { mend, ..Statement::new(InfeasibilityCode::Undecided, message) })
    }

    /// To leave out the points of a body that have nodes to themselves, where that is found to leave less.
    fn trim(&self, body: &PlacedBody) -> Result<Option<Mend>, GlobalError> {
        let Setting { system, points: all, .. } = self.case.setting;
        let cells = grid_spacing(system);
        let Some(number) = system.bodies.iter().position(|other| other.nodes == body.nodes) else { return Ok(None) };
        let is_trimmed = body.matter.particles().is_none_or(|matter| matter.settings.trim == Some(cells));
        let stays: Vec<usize> = held(&system.positions[body.nodes.clone()], cells).iter().map(|p| body.nodes.start + p).collect();
        let points = body.nodes.len() - stays.len();
        if is_trimmed || points == 0 || stays.is_empty() {
            return Ok(None);
        }
        let is_left = |node: usize| !body.nodes.contains(&node) || stays.binary_search(&node).is_ok();
        let some: Vec<usize> = (0..all.nodes.len()).filter(|p| is_left(all.nodes[*p][0] as usize)).collect();
        let found = self.found;
        let helps = |with: Solved| with.rms < HELPS * found.rms && with.largest < HELPS * found.largest;
        Ok(self.case.of_some(&some, self.share, self.watch.next())?.is_some_and(helps).then_some(Mend::Trim {
            body: number,
            cells,
            points,
        }))
    }

    fn unsupported(&self, is_weak: bool) -> Statement {
        let Self { found, name, .. } = self;
        let message = match is_weak {
            true => format!(
                "no balance: neither more strength of `{name}` nor more friction of the walls would hold it alone; {:.2e} of the acceleration of the loads is left",
                found.rms
            ),
            false => format!(
                "no balance: walls cannot carry `{name}` as it stands: {} leave {:.2e} of the acceleration of the loads; see that walls are under it, and on the sides to which it falls",
                if self.case.setting.is_bound() { "the forces that they can make" } else { "forces that only push" },
                found.rms
            ),
        };
        Statement::new(InfeasibilityCode::Unsupported, message)
    }
}

/// The least number at which it `holds`, and `most` at most: from `high` on so many times as much is tried, as `low` does not do; then by halvings.
fn least(
    mut low: f64,
    mut high: f64,
    times: f64,
    most: f64,
    halvings: usize,
    holds: impl Fn(f64) -> Result<bool, GlobalError>,
) -> Result<f64, GlobalError> {
    while high < most && !holds(high)? {
        (low, high) = (high, (times * high).min(most));
    }
    for _ in 0..halvings {
        let middle = 0.5 * (low + high);
        if holds(middle)? { high = middle } else { low = middle }
    }
    Ok(high)
}

/// The state of stress in which the grains of a body bear what Coulomb's do.
fn matched(body: &PlacedBody) -> Matched {
    body.matter.particles().and_then(|matter| matter.settings.sand.as_ref()).map(|sand| sand.matched).unwrap_or_default()
}

/// What makes the points of a body that yield so many times as strong, in words; `None` where that is steeper than any angle of friction.
fn enough(points: &Points, body: Option<&PlacedBody>, factor: f64) -> Option<String> {
    let is_own = |p: &usize| body.is_none_or(|body| body.nodes.contains(&(points.nodes[*p][0] as usize)));
    let surfaces = (0..points.elements.len()).filter(is_own).filter_map(|p| points.elements[p].yields);
    let matched = body.map(matched).unwrap_or_default();
    let weakest = surfaces.min_by(|a, b| (a.slope, a.size).partial_cmp(&(b.slope, b.size)).unwrap_or(Ordering::Equal));
    let Some(surface) = weakest.map(|surface| surface.shared(factor)) else { return Some(format!("about {factor:.2} times the strength")) };
    if surface.slope == 0.0 {
        return Some(format!("a yield stress of about {:.3e} Pa", surface.yield_stress()));
    }
    let angle = surface.friction_angle(matched).filter(|angle| *angle <= STEEPEST)?;
    Some(match surface.cohesion(matched) {
        Some(cohesion) if cohesion > 0.0 => {
            format!("an angle of friction of about {angle:.1} degrees and a cohesion of about {cohesion:.3e} Pa together")
        }
        _ => format!("an angle of friction of about {angle:.1} degrees"),
    })
}

/// How far the nearest of the points that meet obstacles by themselves is from one, as a ball as wide as the spacing [m]; `None` where that is not known.
fn nearest_gap(system: &System) -> Option<f64> {
    let half = 0.5 * system.particles().map(|(_, matter)| matter.settings.spacing).fold(f64::INFINITY, f64::min);
    let distance =
        |(node, obstacle, _): (usize, u32, f64)| placed(&system.obstacles[obstacle as usize].shape).distance(&system.positions[node]).value;
    let gap = walls::pairs(system).map(distance).fold(f64::INFINITY, f64::min) - half;
    (gap.is_finite() && gap > 0.0).then_some(gap)
}

//! Why material points are out of balance: decided by what more strength, more friction or other pressures would do, and never by a solver that
//! did not come to its end.

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
use crate::scene::Mend;
use crate::step::mpm::{grid_spacing, points::Points, walls};
use crate::system::{PlacedBody, System};
use crate::watch::{Tries, Watch};

/// What is left is a matter of friction where any amount of it would leave less than this share.
const MATTERS: f64 = 0.5;
/// A friction that holds whatever friction can hold. More is that of no material, and what would take it topples or lies on nothing.
const ROUGH: f64 = 2.0;
/// The least friction that is looked for.
const LEAST_ROUGH: f64 = 1e-3;
/// What is enough is found up to this factor.
pub(super) const PRECISION: f64 = 1.03;
/// Points are left out where that leaves less than this share.
const HELPS: f64 = 0.5;
/// What is enough, and some more.
pub(super) const GENEROUS: f64 = 1.1;
/// Shear up to which a liquid is advised to keep a deviator: what is at rest shears by far less, what runs out of an opened tank by more at once.
pub(super) const KEPT_UNTIL: f64 = 0.01;
/// Deviators that a liquid keeps, over its mean pressure, up to which it counts as one at rest. Points that lie 0.3 of their spacing beside a lattice need 0.01, those
/// along a wall that leans by 25 degrees 0.014, a surface that is half a cell higher on one side 0.017, and one that slopes by 22 degrees 0.04.
const KEPT_AT_MOST: f64 = 0.015;

/// A case that has no balance, and what comes nearest to one.
pub(super) struct Unbalanced<'a> {
    pub case: &'a Case<'a>,
    /// Share of friction and strength that it uses.
    share: f64,
    pub found: &'a Solved,
    /// The point that is left with the most, and its body.
    at: Subject<'a>,
    pub watch: Tries<'a>,
}

/// What a statement is about.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    /// A point, by its number.
    pub point: usize,
    /// Its body, with its name.
    pub body: Option<&'a PlacedBody>,
    pub name: &'a str,
}

impl<'a> Subject<'a> {
    fn new(setting: &'a Setting, point: usize) -> Self {
        let node = setting.points.nodes.get(point).map_or(0, |[node]| *node as usize);
        let body = setting.system.bodies.iter().find(|body| body.nodes.contains(&node));
        Self { point, body, name: body.map_or("", |body| body.name.as_str()) }
    }
}

/// A statement, without the place that it is about.
pub(super) struct Statement {
    code: InfeasibilityCode,
    message: String,
    mend: Option<Mend>,
    /// The number of the body that it is about, where that is not the one that is left with the most.
    of: Option<u32>,
}

impl Statement {
    pub fn new(code: InfeasibilityCode, message: String) -> Self {
        Self { code, message, mend: None, of: None }
    }

    /// The same, about the body with this number.
    pub fn of(self, body: u32) -> Self {
        Self { of: Some(body), ..self }
    }
}

/// Points of `body`, by their numbers.
pub(super) fn own(points: &Points, body: &PlacedBody) -> Vec<usize> {
    (0..points.nodes.len()).filter(|&p| body.nodes.contains(&(points.nodes[p][0] as usize))).collect()
}

/// What is to be said of stresses that balance, but that points of `elements`, fitted to them, cannot keep: they flow in the first step. How large J is, by which
/// Kirchhoff's stress is larger than Cauchy's, is known from the stress alone, and the rounds in which points are given less for it may not have settled.
pub(super) fn flowing(system: &System, points: &Points, elements: &[MaterialPoint]) -> Option<Infeasibility> {
    let flows = |p: &usize| elements[*p].flowed(&elements[*p].given_gradient, 0.0).is_some();
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
        Self { case, share, found, at: Subject::new(case.setting, found.worst), watch: Tries::new(watch, "what would hold it") }
    }

    /// The point that is left with the most of those of the body with this number.
    pub fn of(&self, body: u32) -> Subject<'a> {
        let Setting { bodies, .. } = self.case.setting;
        let own = (0..bodies.len()).filter(|&p| bodies[p] == body);
        let speed = |p: usize| self.found.accelerations[p].norm();
        Subject::new(self.case.setting, own.max_by(|&a, &b| speed(a).total_cmp(&speed(b))).unwrap_or(self.found.worst))
    }

    /// Why it is.
    ///
    /// # Errors
    /// As for [`super::rest_state`].
    pub fn diagnosed(&self) -> Result<Infeasibility, GlobalError> {
        let Setting { system, points, .. } = self.case.setting;
        let Statement { code, message, mend, of } = self.statement()?;
        let at = of.map_or(self.at, |body| self.of(body));
        let node = points.nodes.get(at.point).map_or(0, |[node]| *node as usize);
        let first = at.body.map_or(0, |body| body.nodes.start);
        Ok(Infeasibility {
            code,
            body: at.name.to_owned(),
            component: 0,
            indices: self.moving(at.body).into_iter().map(|node| node - first).collect(),
            place: system.positions.get(node).copied().unwrap_or_default().into(),
            message,
            mend,
        })
    }

    /// Nodes of a body's points that begin to move at half the speed of the fastest at least, the fastest first.
    fn moving(&self, body: Option<&PlacedBody>) -> Vec<usize> {
        let points = &self.case.setting.points;
        let own = body.map_or_else(Vec::new, |body| own(points, body));
        let speed = |p: usize| self.found.accelerations[p].norm();
        let most = own.iter().map(|&p| speed(p)).fold(0.0, f64::max);
        let mut fast: Vec<usize> = own.into_iter().filter(|&p| speed(p) >= 0.5 * most).collect();
        fast.sort_by(|&a, &b| speed(b).total_cmp(&speed(a)));
        fast.into_iter().take(LISTED).map(|p| points.nodes[p][0] as usize).collect()
    }

    /// Why nothing touches, and what would.
    fn untouched(&self) -> String {
        let (name, system) = (self.at.name, self.case.setting.system);
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
        let (Self { case, found, .. }, name) = (self, self.at.name);
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
        if !found.is_known() {
            let message = format!(
                "the forces that hold `{name}` were not found, nor that there are none: the best leave {:.2e} of the acceleration of the loads",
                found.rms
            );
            return Ok(Statement::new(InfeasibilityCode::Undecided, message));
        }
        // Walls without friction cannot hold what slides along them, whatever else they may.
        let may_give = !found.is_held || case.walls.is_empty() || case.walls.iter().any(|wall| wall.friction == 0.0);
        // What does not yield may lie on what does.
        let is_weak = may_give && found.rms > FALLS && case.yields();
        let is_rigid = case.moves_as_one(found);
        let may_be_weak = is_weak || may_give && case.yields() && (is_rigid || !case.crushed(found).is_empty());
        if may_be_weak && let Some(why) = self.too_weak()? {
            return Ok(why);
        }
        if worst.is_some_and(|point| point.material.liquid().is_some()) {
            return self.of_liquid();
        }
        let falls = found.rms > FALLS && (yields || is_rigid);
        let may_slide = may_give && (falls || is_rigid);
        if may_slide && let Some(why) = self.too_smooth()? {
            return Ok(why);
        }
        if is_weak && let Some(why) = self.too_smooth_for_any_strength()? {
            return Ok(why);
        }
        Ok(match falls {
            true => self.unsupported(is_weak),
            false if is_rigid => {
                Statement::new(InfeasibilityCode::Undecided, format!("whether `{name}` stands is not known: {}", self.as_one()))
            }
            false => self.single_points(yields)?,
        })
    }

    /// What is left of what is near balance and moves together.
    pub fn as_one(&self) -> String {
        format!("{:.2e} of the acceleration of the loads is left, by which it would move as one", self.found.rms)
    }

    /// The stresses with other walls and shares.
    fn balance(&self, walls: &[Wall], shares: Shares) -> Result<Solved, GlobalError> {
        self.case.balance(walls, shares, self.watch.next())
    }

    fn of_liquid(&self) -> Result<Statement, GlobalError> {
        let (Self { found, .. }, name) = (self, self.at.name);
        let left = format!(
            "the best leave up to {:.2e} of the acceleration of the loads, and {:.2e} as a root mean square. A liquid is in balance as a lattice of half a cell's spacing, with a level surface, between walls along the grid",
            found.largest, found.rms
        );
        let mend = self.at.body.map_or(Ok(None), |body| self.keep(body))?;
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
        let kept = self.case.keeping(number as u32, self.share, self.watch.next())?;
        let share = kept.filter(holds).and_then(|with| kept_share(own.iter().map(|&p| (points.elements[p].volume, with.stresses[p]))));
        Ok(share.filter(|share| *share <= KEPT_AT_MOST).map(|share| (Mend::Keep { body: number, until: KEPT_UNTIL }, share)))
    }

    /// Whether more friction of the walls would hold it, and how much.
    fn too_smooth(&self) -> Result<Option<Statement>, GlobalError> {
        let (Self { case, found, .. }, name) = (self, self.at.name);
        let system = case.setting.system;
        let tolerance = system.initialise.tolerance;
        let with = |friction: f64| {
            let rougher: Vec<Wall> = case.walls.iter().map(|wall| Wall { friction: wall.friction.max(friction), ..*wall }).collect();
            self.balance(&rougher, Shares::of_all(1.0))
        };
        let roughest = with(ROUGH)?;
        if !roughest.is_known() {
            let message = format!(
                "no balance: {:.2e} of the acceleration of the loads is left at `{name}`, and whether more friction of the walls would hold it is not known",
                found.rms
            );
            return Ok((found.rms > FALLS).then(|| Statement::new(InfeasibilityCode::Unsupported, message)));
        }
        let goes_on = found.rms <= FALLS && !case.strays(&roughest);
        if roughest.rms >= MATTERS * found.rms || roughest.rms > FALLS || goes_on {
            return Ok(None);
        }
        // As much as leaves no more than all friction does, but for what is as good as nothing, or no more than single points, which do not slide.
        let good = (1.2 * roughest.rms).max(tolerance);
        let stands = |_, found: &Solved| found.rms <= good || found.rms <= FALLS && case.strays(found);
        let low = case.walls.iter().map(|wall| wall.friction).fold(f64::INFINITY, f64::min);
        let (friction, with_it) = least(low.max(LEAST_ROUGH), (ROUGH, roughest), with, stands)?;
        let coefficient = advised(friction);
        let but = match with_it.largest > tolerance {
            false => String::new(),
            true if !case.strays(&with_it) => {
                format!(", but for {:.1e} of it, by which it would move as one", with_it.rms)
            }
            true => ", but for single points".to_owned(),
        };
        let message = format!(
            "no balance: walls hold `{name}`, but not with this little friction, which leaves {:.2e} of the acceleration of the loads; a friction coefficient of about {coefficient} would do{but}",
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

    /// The same where neither friction nor strength would hold it alone, but both: how much friction what never yields would need.
    fn too_smooth_for_any_strength(&self) -> Result<Option<Statement>, GlobalError> {
        let firm = self.case.changed(|_| true, MaterialPoint::firm);
        let Some(case) = Case::with(self.case.setting, &firm)? else { return Ok(None) };
        let found = case.with_all(self.watch.next())?;
        let why = Unbalanced::new(&case, 1.0, &found, self.watch.next()).too_smooth()?;
        let why = why.filter(|why| why.code == InfeasibilityCode::TooLittleFriction);
        Ok(why.map(|why| Statement { message: format!("{}, as soon as what yields is strong enough", why.message), ..why }))
    }

    fn single_points(&self, yields: bool) -> Result<Statement, GlobalError> {
        let (Self { found, .. }, name) = (self, self.at.name);
        let left = format!(
            "up to {:.2e} of the acceleration of the loads, and all together {:.2e} as a root mean square",
            found.largest, found.rms
        );
        if yields && !self.clings(self.found.worst) {
            let message = format!(
                "no stress holds all points of `{name}`: those that nothing presses, at the surface, keep {left}; they will trickle"
            );
            return Ok(Statement::new(InfeasibilityCode::Undecided, message));
        }
        let mend = self.at.body.map_or(Ok(None), |body| self.trim(body))?;
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
        let (Self { found, .. }, name) = (self, self.at.name);
        let message = match is_weak {
            true => format!(
                "no balance: neither more strength of what yields nor more friction of the walls would hold `{name}` alone; {:.2e} of the acceleration of the loads is left",
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

/// The least number, but for [`PRECISION`], at which what is found `with` it stands, and that: between `low`, at which it does not, and `high`, at which it
/// does.
pub(super) fn least(
    mut low: f64,
    high: (f64, Solved),
    with: impl Fn(f64) -> Result<Solved, GlobalError>,
    stands: impl Fn(f64, &Solved) -> bool,
) -> Result<(f64, Solved), GlobalError> {
    let mut least = high;
    while least.0 > PRECISION * low {
        let middle = (low * least.0).sqrt();
        let found = with(middle)?;
        if stands(middle, &found) { least = (middle, found) } else { low = middle }
    }
    Ok(least)
}

/// How far the nearest of the points that meet obstacles by themselves is from one, as a ball as wide as the spacing [m]; `None` where that is not known.
fn nearest_gap(system: &System) -> Option<f64> {
    let half = 0.5 * system.particles().map(|(_, matter)| matter.settings.spacing).fold(f64::INFINITY, f64::min);
    let distance =
        |(node, obstacle, _): (usize, u32, f64)| placed(&system.obstacles[obstacle as usize].shape).distance(&system.positions[node]).value;
    let gap = walls::pairs(system).map(distance).fold(f64::INFINITY, f64::min) - half;
    (gap.is_finite() && gap > 0.0).then_some(gap)
}

//! What yields and is out of balance: which body is too weak, and how strong it would have to be. Limit analysis, with all of the friction.

use std::cmp::Ordering;

use super::super::global::GlobalError;
use super::super::grid::{Shares, Solved};
use super::super::verdict::InfeasibilityCode;
use super::FALLS;
use super::case::Case;
use super::setting::Setting;
use super::verdict::{GENEROUS, PRECISION, Statement, Subject, Unbalanced, least, own};
use crate::element::MaterialPoint;
use crate::material::yields::{Matched, YieldSurface};
use crate::math::Mat3;
use crate::step::mpm::points::Points;
use crate::system::PlacedBody;

/// The largest angle of friction that a scene may give grains [degrees].
const STEEPEST: f64 = 80.0;
/// So many times the strength of grains is as good as no limit.
const STRONG: f64 = 100.0;
/// What bears so many times the stresses that it would have among bodies which never yield holds them as a clamp does, and is not what is too weak.
const CLAMPS: f64 = 3.0;

/// A case in which some of what yields is given more strength.
struct Trial<'a> {
    case: &'a Case<'a>,
    /// What holds it where that never yields.
    firm: &'a Solved,
    /// The body that is given it; all alike.
    only: Option<u32>,
}

impl Unbalanced<'_> {
    /// Whether more strength would hold it, and how much of which body; `None` where none does. Where several yield it is the one that needs the least alone; where
    /// none would do alone, the first that does not hold even if the others never yielded, and what those need is told when it is their turn.
    pub fn too_weak(&self) -> Result<Option<Statement>, GlobalError> {
        let case = self.case;
        let firm = self.all_of(&case.changed(|_| true, MaterialPoint::firm))?;
        if firm.rms > FALLS {
            return Ok((!firm.is_known()).then(|| self.open()));
        }
        // Near balance, what moves as one may be at its limit, and what does not is too weak where it is crushed.
        let leaves_it = if case.moves_as_one(self.found) { case.moves_as_one(&firm) } else { !case.crushed(&firm).is_empty() };
        if self.found.rms <= FALLS && leaves_it {
            return Ok(None);
        }
        let bodies = self.yielding();
        if let [only] = bodies[..] {
            return self.stronger(only, &Trial { case, firm: &firm, only: Some(only) }, |_| String::new()).map(Some);
        }
        let mut alone: Option<(f64, u32, Solved)> = None;
        for own in bodies.iter().copied() {
            let of_own = self.all_of(&case.changed(|body| body == own, MaterialPoint::firm))?;
            let [share, usual] = [&of_own, &firm].map(|firm| self.strong(&Trial { case, firm, only: Some(own) }));
            let is_less = alone.as_ref().is_none_or(|(least, ..)| share < *least);
            if of_own.rms <= FALLS && share <= CLAMPS * usual && is_less {
                alone = Some((share, own, of_own));
            }
        }
        if let Some((_, own, of_own)) = alone {
            return self.stronger(own, &Trial { case, firm: &of_own, only: Some(own) }, |_| String::new()).map(Some);
        }
        for own in bodies.iter().copied() {
            let others = case.changed(|body| body != own, MaterialPoint::firm);
            let Some(beside) = Case::with(case.setting, &others)? else { continue };
            if beside.with_all(self.watch.next())?.rms > FALLS {
                let others = |_| ", as soon as what else yields is strong enough".to_owned();
                return self.stronger(own, &Trial { case: &beside, firm: &firm, only: Some(own) }, others).map(Some);
            }
        }
        let all = |factor: f64| format!(", where all that yields is {factor:.2} times as strong");
        bodies.first().map(|first| self.stronger(*first, &Trial { case, firm: &firm, only: None }, all)).transpose()
    }

    /// The bodies that yield, by their numbers, the one that is left with the most first.
    fn yielding(&self) -> Vec<u32> {
        let Setting { points, bodies, .. } = self.case.setting;
        let mut yielding: Vec<u32> =
            points.elements.iter().zip(bodies).filter(|(point, _)| point.yields.is_some()).map(|(_, body)| *body).collect();
        let most = bodies.get(self.found.worst);
        yielding.sort_by_key(|body| (Some(body) != most, *body));
        yielding.dedup();
        yielding
    }

    /// The stresses of `elements` in place of the points, with all of the friction and of the strength.
    fn all_of(&self, elements: &[MaterialPoint]) -> Result<Solved, GlobalError> {
        match Case::with(self.case.setting, elements)? {
            Some(case) => case.with_all(self.watch.next()),
            None => self.case.with_all(self.watch.next()),
        }
    }

    /// That it is not known.
    fn open(&self) -> Statement {
        let message = format!(
            "no balance: {:.2e} of the acceleration of the loads is left, and whether more strength of what yields would hold it is not known",
            self.found.rms
        );
        Statement::new(InfeasibilityCode::Unsupported, message)
    }

    /// How much more strength of the body with the number `own` holds it, and what `others` need by so much.
    fn stronger(&self, own: u32, trial: &Trial, others: impl Fn(f64) -> String) -> Result<Statement, GlobalError> {
        let Trial { case, firm, only } = *trial;
        let at = self.of(own);
        let shares = |factor: f64| Shares { strength: factor, only, ..Shares::of_all(1.0) };
        let with = |factor: f64| case.balance(&case.walls, shares(factor), self.watch.next());
        let most = self.strong(trial);
        let strongest = with(most)?;
        // Of what clings together no single points are left that nothing presses, and what is told is to hold them all.
        let tolerance = case.setting.system.initialise.tolerance;
        let holds_all = self.clings(at.point) && strongest.largest <= tolerance;
        let slides = self.found.rms > FALLS && !case.strays(&strongest);
        let balances = |found: &Solved| match holds_all {
            true => found.largest <= tolerance,
            false => found.rms <= FALLS && (slides || case.strays(found)),
        };
        // What is too soft even where it does not yield is no matter of strength.
        let is_soft = !case.crushed(firm).is_empty();
        // What gives much has other stresses by Kirchhoff, by which it flows, than by Cauchy, by which it balances.
        let stands = |factor: f64, found: &Solved| {
            balances(found) && case.bears(found, shares(factor)) && (is_soft || case.crushed(found).is_empty())
        };
        let (code, flows) = self.flows(at.name);
        let told = |message: String| Statement::new(code, message).of(own);
        if !stands(most, &strongest) {
            return Ok(told(format!("{flows}; {}{}", self.firmer(at, firm), others(most))));
        }
        let (factor, with_it) = least(1.0, (most, strongest), with, stands)?;
        let Some(enough) = enough(&case.setting.points, at.body, factor) else {
            return Ok(told(format!("{flows}; {}{}", self.firmer(at, firm), others(most))));
        };
        let but = match with_it.largest > tolerance {
            false => String::new(),
            true if !case.strays(&with_it) => format!(", but for {:.1e} of their acceleration, by which it would move as one", with_it.rms),
            true if !self.clings(at.point) => ", but for single points that nothing presses, which trickle".to_owned(),
            // The tip stays where it is, however strong what has a slope is otherwise.
            true => match self.clinging(at, firm).filter(|_| firm.largest <= tolerance) {
                Some(cohesion) => format!(", but for single points, which a cohesion of about {cohesion:.3e} Pa would hold"),
                None => ", but for single points, which no strength holds".to_owned(),
            },
        };
        Ok(told(format!("{flows}; it would stand with {enough}{but}{}", others(factor))))
    }

    /// What the body of this name does, with its code.
    fn flows(&self, name: &str) -> (InfeasibilityCode, String) {
        let Self { case, found, .. } = self;
        let open = |why: String| (InfeasibilityCode::Undecided, format!("whether `{name}` stands is not known: {why}"));
        match found.rms > FALLS {
            true => {
                let message = format!("no balance: `{name}` flows under the loads, and {:.2e} of their acceleration is left", found.rms);
                (InfeasibilityCode::Yields, message)
            }
            false if case.moves_as_one(found) => open(self.as_one()),
            false => open(format!(
                "{} of the points are pressed to less than half of their volume by the stresses that were found, or cannot make them",
                case.crushed(found).len()
            )),
        }
    }

    /// So many times the strength that it bears the stresses which hold it where it never yields. Grains may not bear these with any: of theirs it is as much as no
    /// material has.
    fn strong(&self, Trial { firm, only, .. }: &Trial) -> f64 {
        let Setting { points, bodies, .. } = self.case.setting;
        let wanted = |((point, stress), body): ((&MaterialPoint, &Mat3), &u32)| {
            let share = GENEROUS * point.wanted_share(stress).filter(|_| only.is_none_or(|only| only == *body))?;
            Some(if point.yields?.slope > 0.0 { share.min(STRONG) } else { share })
        };
        points.elements.iter().zip(&firm.stresses).zip(bodies).filter_map(wanted).fold(PRECISION, f64::max)
    }

    /// What would hold what many times its strength does not, but stands with the stresses `firm` where it does not yield, in words. Grains are held if they cling to
    /// one another, or do so more: strength leaves the tip of a cone where it is, and with that the pull that is borne.
    fn firmer(&self, at: Subject, firm: &Solved) -> String {
        let but = if firm.largest <= self.case.setting.system.initialise.tolerance { "" } else { ", but for single points" };
        match self.clinging(at, firm) {
            Some(cohesion) => {
                format!("it would stand with a cohesion of about {cohesion:.3e} Pa{but}, and not by more friction of its grains alone")
            }
            None => format!("how strong is enough is not known, but it would stand if it did not yield{but}"),
        }
    }

    /// The cohesion with which the grains of a body bear these stresses, and some more [Pa]; `None` of what is no grains.
    fn clinging(&self, at: Subject, firm: &Solved) -> Option<f64> {
        let points = &self.case.setting.points;
        let surface = points.elements.get(at.point)?.yields.filter(|surface| surface.slope > 0.0)?;
        let wanted =
            own(points, at.body?).into_iter().filter_map(|p| points.elements[p].wanted_size(&firm.stresses[p])).fold(0.0, f64::max);
        YieldSurface { size: GENEROUS * wanted, ..surface }.cohesion(matched(at.body?)?)
    }

    /// Whether a point bears something where nothing presses it, as metal does.
    pub fn clings(&self, point: usize) -> bool {
        self.case.setting.points.elements.get(point).and_then(|point| point.yields).is_some_and(|surface| surface.size > 0.0)
    }
}

/// The state of stress in which the grains of a body bear what Coulomb's do; `None` of what is no grains.
fn matched(body: &PlacedBody) -> Option<Matched> {
    Some(body.matter.particles()?.settings.sand.as_ref()?.matched)
}

/// What makes the points of a body that yield so many times as strong, in words; `None` where that is steeper than any angle of friction.
fn enough(points: &Points, body: Option<&PlacedBody>, factor: f64) -> Option<String> {
    let is_own = |p: &usize| body.is_none_or(|body| body.nodes.contains(&(points.nodes[*p][0] as usize)));
    let surfaces = (0..points.elements.len()).filter(is_own).filter_map(|p| points.elements[p].yields);
    let matched = body.and_then(matched);
    let weakest = surfaces.min_by(|a, b| (a.slope, a.size).partial_cmp(&(b.slope, b.size)).unwrap_or(Ordering::Equal));
    let Some(surface) = weakest.map(|surface| surface.shared(factor)) else { return Some(format!("about {factor:.2} times the strength")) };
    let Some(matched) = matched else { return Some(format!("a yield stress of about {:.3e} Pa", surface.yield_stress())) };
    // Grains that cling and do not rub, as clay.
    if surface.slope == 0.0 {
        return Some(format!("a cohesion of about {:.3e} Pa", surface.cohesion(matched)?));
    }
    let angle = surface.friction_angle(matched).filter(|angle| *angle <= STEEPEST)?;
    Some(match surface.cohesion(matched) {
        Some(cohesion) if cohesion > 0.0 => {
            format!("an angle of friction of about {angle:.1} degrees and a cohesion of about {cohesion:.3e} Pa together")
        }
        _ => format!("an angle of friction of about {angle:.1} degrees"),
    })
}

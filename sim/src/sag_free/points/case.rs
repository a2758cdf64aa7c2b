//! [`Case`]: the balance of a [`Setting`] on the nodes of its grid, and those of what is changed about it.

use super::FALLS;
use super::setting::Setting;
use super::verdict::KEPT_UNTIL;
use crate::element::MaterialPoint;
use crate::math::rigid::RigidMotion;
use crate::math::{Mat3, Vec3};
use crate::sag_free::contacts::{self, Touching};
use crate::sag_free::global::GlobalError;
use crate::sag_free::grid::{Shares, Solved, Space, Tikhonov, Wall};
use crate::step::mpm::walls::{self, Touch};
use crate::watch::Watch;

/// Shares of friction beyond the usual one that are tried where all of it helps, of the way to that.
const MORE: [f64; 2] = [0.5, 0.75];
/// More of the friction that is there is taken where all of it leaves less than this share.
const HELPS: f64 = 0.1;

/// A rigid motion is this share of what is left, by squares, where a body falls or slides.
const RIGID: f64 = 0.5;
/// The same up to which it is one of single points for certain.
const STRAY: f64 = 0.25;

/// Volume, over that at rest, below which a point counts as crushed. What is pressed between rough walls bears any load with enough pressure, and bodies of limit
/// analysis are rigid; those of sand that give so much are no statement about sand.
const CRUSHED: f64 = 0.5;

/// Points on the nodes of their grid, and the walls that hold them.
pub(super) struct Case<'a> {
    pub setting: &'a Setting<'a>,
    /// Its points, or what is tried in their place.
    elements: &'a [MaterialPoint],
    pub space: Space,
    /// The same without yielding, where all that yields clings: what bears its load without is found as exactly as what cannot yield.
    firm: Option<Space>,
    /// Walls at nodes, or sites at points; never both.
    pub walls: Vec<Wall>,
    touches: Vec<Touch>,
}

impl<'a> Case<'a> {
    /// All points of `setting`; `None` where one is nowhere.
    ///
    /// # Errors
    /// No room for the factor.
    pub fn of(setting: &'a Setting<'a>) -> Result<Option<Self>, GlobalError> {
        Self::with(setting, setting.points.elements)
    }

    /// The same with these `elements` in place of its points.
    ///
    /// # Errors
    /// No room for the factor.
    pub fn with(setting: &'a Setting<'a>, elements: &'a [MaterialPoint]) -> Result<Option<Self>, GlobalError> {
        let of = (setting.x.as_slice(), setting.points.masses.as_slice());
        let Some(space) = setting.space(elements, of, &setting.bodies)? else { return Ok(None) };
        let touches = setting.touches(&space, of);
        let of_sites = setting.sites.iter().map(|(number, site)| setting.of_site(*number, site));
        let walls = touches.iter().map(Setting::of_touch).chain(of_sites).collect();
        // Liquids beside it are regularised more than solids are.
        let clings = |point: &MaterialPoint| point.material.liquid().is_none() && point.yields.is_none_or(|surface| surface.size > 0.0);
        let firm = match yields(elements) && elements.iter().all(clings) {
            true => setting.space(&elements.iter().map(MaterialPoint::firm).collect::<Vec<_>>(), of, &setting.bodies)?,
            false => None,
        };
        let firm = firm.filter(|firm| firm.iterated_nodes().is_none());
        Ok(Some(Self { setting, elements, space, firm, walls, touches }))
    }

    /// Whether some of the points yield.
    pub fn yields(&self) -> bool {
        yields(self.elements)
    }

    /// Nodes of the grid, where its balance is iterated and not factorised.
    pub fn iterated(&self) -> Option<usize> {
        self.space.iterated_nodes()
    }

    /// The stresses with these walls and shares.
    ///
    /// # Errors
    /// Those of [`Space::balance`], here and below.
    pub fn balance(&self, walls: &[Wall], shares: Shares, watch: &dyn Watch) -> Result<Solved, GlobalError> {
        let Setting { loads, given, .. } = self.setting;
        if let Some(firm) = &self.firm {
            let found = firm.balance(loads, walls, shares, Tikhonov::ELASTIC, given, watch)?;
            if found.largest <= self.setting.system.initialise.tolerance && self.bears(&found, shares) {
                return Ok(found);
            }
        }
        self.space.balance(loads, walls, shares, regularised(self.elements, self.iterated().is_some()), given, watch)
    }

    /// Whether the points bear these stresses with such shares of their strength.
    pub fn bears(&self, found: &Solved, shares: Shares) -> bool {
        let bears = |((point, stress), body): ((&MaterialPoint, &Mat3), &u32)| point.bears(stress, shares.strength_of(*body));
        self.elements.iter().zip(&found.stresses).zip(&self.setting.bodies).all(bears)
    }

    /// Those with as much of the friction and the strength as is usual, and where that does not do, with as much more as it takes; with that share.
    pub fn with_some_in_hand(&self, watch: &dyn Watch) -> Result<(f64, Solved), GlobalError> {
        let tolerance = self.setting.system.initialise.tolerance;
        let usual = if self.setting.pins_points() { f64::INFINITY } else { self.setting.system.initialise.friction_fraction };
        let with = |share: f64| self.balance(&self.walls, Shares::of_all(share), watch);
        let found = with(usual)?;
        let of_worst = self.elements.get(found.worst).and_then(|point| point.yields);
        let rubs = (self.yields() || self.walls.iter().any(|wall| wall.friction > 0.0)) && usual < 1.0;
        // Of grains that do not cling there may be single points that nothing presses, and no strength holds them.
        let trickles = of_worst.is_some_and(|surface| surface.size == 0.0);
        let stands = |found: &Solved| found.largest <= tolerance && self.bears(found, Shares::of_all(1.0));
        if !rubs || stands(&found) || found.is_held {
            return Ok((usual, found));
        }
        let full = with(1.0)?;
        let is_wanting = !trickles || found.rms > FALLS || self.moves_as_one(&found) || !self.crushed(&found).is_empty();
        let helps = stands(&full) || is_wanting && full.rms < HELPS * found.rms;
        for more in MORE.into_iter().filter(|_| helps) {
            let share = usual + (1.0 - usual) * more;
            let between = with(share)?;
            if stands(&between) {
                return Ok((share, between));
            }
        }
        Ok(if stands(&full) || is_wanting && found.largest > tolerance { (1.0, full) } else { (usual, found) })
    }

    /// Whether what is left moves the points of the body that has the most of it together, as what falls and slides does, and not single ones.
    pub fn moves_as_one(&self, found: &Solved) -> bool {
        found.rms > self.setting.system.initialise.tolerance && self.rigid_share(found) >= RIGID
    }

    /// Whether what is left is one of single points, so clearly that it stays so with a little more of what holds it.
    pub fn strays(&self, found: &Solved) -> bool {
        found.rms <= self.setting.system.initialise.tolerance || self.rigid_share(found) < STRAY
    }

    /// The points, by their numbers, that these stresses would press to less than half of their volume, or that cannot make them.
    pub fn crushed(&self, found: &Solved) -> Vec<usize> {
        let is_crushed = |p: &usize| self.elements[*p].volume_ratio_under(&found.stresses[*p]).is_none_or(|ratio| ratio < CRUSHED);
        (0..self.elements.len()).filter(is_crushed).collect()
    }

    /// Share, by squares, of a rigid motion in what is left of the body that has the most of it.
    fn rigid_share(&self, found: &Solved) -> f64 {
        let Setting { points, x, bodies, .. } = self.setting;
        let of_worst = bodies.get(found.worst);
        let own = || (0..x.len()).filter(|&p| bodies.get(p) == of_worst).map(|p| (points.masses[p], x[p], found.accelerations[p]));
        RigidMotion::of(own).square / own().map(|(m, _, a)| m * a.norm_squared()).sum::<f64>().max(f64::MIN_POSITIVE)
    }

    /// The least root mean square that this share leaves where pressures may follow every disorder of a liquid; that of `found` without liquids.
    pub fn least(&self, share: f64, found: &Solved, watch: &dyn Watch) -> Result<f64, GlobalError> {
        let Setting { loads, given, .. } = self.setting;
        if given.is_empty() || self.iterated().is_some() {
            return Ok(found.rms);
        }
        Ok(self.space.balance(loads, &self.walls, Shares::of_all(share), self.of_solids(), given, watch)?.rms)
    }

    /// The stresses of some points alone, by their numbers; `None` where there is nothing to solve.
    pub fn of_some(&self, some: &[usize], share: f64, watch: &dyn Watch) -> Result<Option<Solved>, GlobalError> {
        let Setting { points, loads, x, bodies, sites, .. } = self.setting;
        let elements: Vec<MaterialPoint> = some.iter().map(|&p| points.elements[p].clone()).collect();
        let of = |vectors: &[Vec3]| -> Vec<Vec3> { some.iter().map(|&p| vectors[p]).collect() };
        let (masses, bodies): (Vec<f64>, Vec<u32>) = some.iter().map(|&p| (points.masses[p], bodies[p])).unzip();
        let x = of(x);
        let Some(space) = self.setting.space(&elements, (&x, &masses), &bodies)? else { return Ok(None) };
        let of_these = sites.iter().filter_map(|(number, site)| Some(self.setting.of_site(some.binary_search(number).ok()?, site)));
        let walls: Vec<Wall> = self.setting.touches(&space, (&x, &masses)).iter().map(Setting::of_touch).chain(of_these).collect();
        space.balance(&of(loads), &walls, Shares::of_all(share), self.of_solids(), &[], watch).map(Some)
    }

    /// Those where the liquid of the body with this number keeps a deviator; `None` as well.
    pub fn keeping(&self, of: u32, share: f64, watch: &dyn Watch) -> Result<Option<Solved>, GlobalError> {
        let kept = self.changed(|body| body == of, |point| point.keeping(KEPT_UNTIL));
        Case::with(self.setting, &kept)?.map(|case| case.balance(&case.walls, Shares::of_all(share), watch)).transpose()
    }

    /// Those with all of the friction and of the strength.
    pub fn with_all(&self, watch: &dyn Watch) -> Result<Solved, GlobalError> {
        self.balance(&self.walls, Shares::of_all(1.0), watch)
    }

    /// Its points, with those of some bodies, by their numbers, changed.
    pub fn changed(&self, of: impl Fn(u32) -> bool, change: impl Fn(&MaterialPoint) -> MaterialPoint) -> Vec<MaterialPoint> {
        let changed = |(point, body): (&MaterialPoint, &u32)| if of(*body) { change(point) } else { point.clone() };
        self.elements.iter().zip(&self.setting.bodies).map(changed).collect()
    }

    /// The obstacles that touch, in ascending order.
    pub fn touched(&self) -> Vec<usize> {
        let by_nodes = self.touches.iter().filter_map(|touch| match self.setting.of(touch) {
            walls::Of::Obstacle(obstacle) => Some(obstacle as usize),
            walls::Of::Body(_) => None,
        });
        let by_points = self.setting.sites.iter().filter_map(|(_, site)| match contacts::between(self.setting.system, site) {
            [_, Touching::Obstacle(obstacle)] | [Touching::Obstacle(obstacle), _] => Some(obstacle),
            _ => None,
        });
        let mut touched: Vec<usize> = by_nodes.chain(by_points).collect();
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    /// Whether some of what touches is of bodies.
    pub fn touches_body(&self) -> bool {
        self.touches.iter().any(|touch| matches!(self.setting.of(touch), walls::Of::Body(_)))
    }

    fn of_solids(&self) -> Tikhonov {
        of_solids(self.yields())
    }
}

/// Whether some of them yield.
fn yields(elements: &[MaterialPoint]) -> bool {
    elements.iter().any(|point| point.yields.is_some())
}

fn of_solids(yields: bool) -> Tikhonov {
    if yields { Tikhonov::YIELDING } else { Tikhonov::ELASTIC }
}

/// How the balance of such points is regularised.
fn regularised(elements: &[MaterialPoint], is_iterated: bool) -> Tikhonov {
    let liquids = || elements.iter().filter(|point| point.material.liquid().is_some());
    match (is_iterated, liquids().next().is_some()) {
        (true, true) => Tikhonov::ITERATED_WET,
        (true, false) => Tikhonov::ITERATED,
        (false, true) if liquids().all(|point| point.kept.is_some()) => Tikhonov::KEPT,
        (false, true) => Tikhonov::WET,
        (false, false) => of_solids(yields(elements)),
    }
}

//! [`Setting`]: material points as their balance is asked for: where they are, what loads them, and what may hold them.

use std::collections::BTreeSet;

use super::hydrostatic::hydrostatic;
use crate::element::MaterialPoint;
use crate::math::splines::Interpolation;
use crate::math::{Mat3, Vec3};
use crate::memory::TooLarge;
use crate::sag_free::contacts;
use crate::sag_free::grid::{Held, Space, Wall};
use crate::sag_free::problem::ContactSite;
use crate::scene::Method;
use crate::step::mpm::blocks::Blocks;
use crate::step::mpm::{interpolation, points::Points, walls};
use crate::system::System;

/// Material points, with all that does not depend on how their balance is sought.
pub(super) struct Setting<'a> {
    pub system: &'a System,
    pub points: Points<'a>,
    /// Loads on them [N], by their numbers.
    pub loads: Vec<Vec3>,
    /// Where they are given [m].
    pub x: Vec<Vec3>,
    /// The bodies that they are of.
    pub bodies: Vec<u32>,
    /// Where they meet obstacles by themselves: sites, each of one point, and its number.
    pub sites: Vec<(usize, ContactSite)>,
    /// Stresses to begin with [Pa]: those of liquids under what stands above them; empty without liquids.
    pub given: Vec<Mat3>,
    by: Interpolation,
    method: Method,
    obstacles: Vec<walls::Wall>,
    /// Cells whose nodes walls pin.
    pinned: BTreeSet<[i32; 3]>,
}

impl<'a> Setting<'a> {
    /// The material points of `system` under `loads` on its nodes [N]; `None` where it has none.
    pub fn new(system: &'a System, loads: &[Vec3], method: Method) -> Option<Self> {
        let points = Points::of(system)?;
        let of_nodes = |vectors: &[Vec3]| -> Vec<Vec3> { points.nodes.iter().map(|[node]| vectors[*node as usize]).collect() };
        let (x, loads) = (of_nodes(&system.positions), of_nodes(loads));
        let by = interpolation(system);
        let obstacles = walls::walls(system);
        let pinned = match (method, Blocks::of(&x, by)) {
            (Method::PinnedContacts, Ok(blocks)) => {
                let nodes: Vec<(u32, Vec3)> = (0..blocks.nodes()).map(|node| (node as u32, blocks.place_of(node))).collect();
                let touches = walls::standing(system, &obstacles, (&x, &points.masses), &nodes, &by);
                touches.iter().map(|touch| blocks.cell_of(touch.node as usize)).collect()
            }
            _ => BTreeSet::new(),
        };
        let body_of = |[node]: &[u32; 1]| system.bodies.iter().position(|body| body.nodes.contains(&(*node as usize))).unwrap_or(0) as u32;
        let bodies = points.nodes.iter().map(body_of).collect();
        let of_point = |site: ContactSite| {
            let number = site.nodes().find_map(|node| points.nodes.binary_search(&[node]).ok())?;
            Some((number, site))
        };
        let is_met = system.touches_at_points() && method != Method::NoContact && loads.iter().any(|load| *load != Vec3::zeros());
        let sites = if is_met { contacts::find(system).sites.into_iter().filter_map(of_point).collect() } else { Vec::new() };
        let given = hydrostatic(system, &points, &x, by.spacing);
        Some(Self { system, points, loads, x, bodies, sites, given, by, method, obstacles, pinned })
    }

    /// The nodes around some of the points: those that are now of these `elements`, at `x` [m], with these masses [kg], of the bodies with these
    /// numbers.
    pub fn space(&self, elements: &[MaterialPoint], (x, masses): (&[Vec3], &[f64]), bodies: &[u32]) -> Result<Option<Space>, TooLarge> {
        let cell = |x: &Vec3| [0, 1, 2].map(|axis| (x[axis] / self.by.spacing).round() as i32);
        let held = |x: &Vec3| self.pinned.contains(&cell(x));
        // What meets points themselves is at many nodes at once, which conjugate gradients do not hold.
        let direct = if self.system.touches_at_points() { usize::MAX } else { self.system.initialise.direct_up_to as usize };
        Space::new(elements, (x, masses), bodies, self.by, held, direct)
    }

    /// The nodes of `space`, of such points, that are in a wall or at one.
    pub fn touches(&self, space: &Space, of: (&[Vec3], &[f64])) -> Vec<walls::Touch> {
        match self.method {
            Method::NoContact | Method::PinnedContacts => Vec::new(),
            _ => walls::standing(self.system, &self.obstacles, of, &space.nodes().collect::<Vec<_>>(), &self.by),
        }
    }

    /// What touches.
    pub fn of(&self, touch: &walls::Touch) -> walls::Of {
        self.obstacles[touch.wall as usize].of
    }

    /// A touch as a cone of the balance.
    pub fn of_touch(touch: &walls::Touch) -> Wall {
        Wall { at: Held::Node(touch.node), normal: touch.normal, friction: touch.friction }
    }

    /// A site of the point that has this number in the balance, as a cone of that.
    pub fn of_site(&self, number: usize, site: &ContactSite) -> Wall {
        // What is pinned is held along the obstacle, too.
        let friction = if self.method == Method::PinnedContacts { 1.0 } else { site.friction };
        Wall { at: Held::Point(number as u32), normal: site.normal, friction }
    }

    /// Whether points themselves are pinned.
    pub fn pins_points(&self) -> bool {
        self.method == Method::PinnedContacts && self.system.touches_at_points()
    }

    /// Whether some of the points yield.
    pub fn yields(&self) -> bool {
        self.points.elements.iter().any(|point| point.yields.is_some())
    }
}

//! [`Setting`]: material points as their balance is asked for: where they are, what loads them, and what may hold them.

use std::collections::BTreeMap;

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
    /// Projectors on the directions in which walls let the nodes of these cells go, whatever comes.
    bound: BTreeMap<[i32; 3], Mat3>,
}

impl<'a> Setting<'a> {
    /// The material points of `system` under `loads` on its nodes [N]; `None` where it has none.
    pub fn new(system: &'a System, loads: &[Vec3], method: Method) -> Option<Self> {
        let points = Points::of(system)?;
        let of_nodes = |vectors: &[Vec3]| -> Vec<Vec3> { points.nodes.iter().map(|[node]| vectors[*node as usize]).collect() };
        let (x, loads) = (of_nodes(&system.positions), of_nodes(loads));
        let by = interpolation(system);
        let obstacles = walls::walls(system);
        let bound = match Blocks::of(&x, by) {
            Ok(blocks) if method == Method::PinnedContacts || method != Method::NoContact && obstacles.iter().any(walls::Wall::binds) => {
                let nodes: Vec<(u32, Vec3)> = (0..blocks.nodes()).map(|node| (node as u32, blocks.place_of(node))).collect();
                let touches = walls::standing(system, &obstacles, (&x, &points.masses), &nodes, &by);
                let free =
                    |touches: &[walls::Touch]| if method == Method::PinnedContacts { Mat3::zeros() } else { walls::unbound(touches) };
                let of_node = |touches: &[walls::Touch]| Some((blocks.cell_of(touches.first()?.node as usize), free(touches)));
                let all = touches.chunk_by(|a, b| a.node == b.node).filter_map(of_node);
                all.filter(|(_, free)| *free != Mat3::identity()).collect()
            }
            _ => BTreeMap::new(),
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
        Some(Self { system, points, loads, x, bodies, sites, given, by, method, obstacles, bound })
    }

    /// The nodes around some of the points: those that are now of these `elements`, at `x` [m], with these masses [kg], of the bodies with these
    /// numbers.
    pub fn space(&self, elements: &[MaterialPoint], (x, masses): (&[Vec3], &[f64]), bodies: &[u32]) -> Result<Option<Space>, TooLarge> {
        let free = |cell: [i32; 3]| self.bound.get(&cell).copied().unwrap_or_else(Mat3::identity);
        // What meets points themselves is at many nodes at once, which conjugate gradients do not hold.
        let direct = if self.system.touches_at_points() { usize::MAX } else { self.system.initialise.direct_up_to as usize };
        Space::new(elements, (x, masses), bodies, self.by, free, direct)
    }

    /// Whether walls bind nodes, whatever comes.
    pub fn is_bound(&self) -> bool {
        !self.bound.is_empty()
    }

    /// The nodes of `space`, of such points, that are in a wall or at one, which holds them off.
    pub fn touches(&self, space: &Space, of: (&[Vec3], &[f64])) -> Vec<walls::Touch> {
        match self.method {
            Method::NoContact | Method::PinnedContacts => Vec::new(),
            _ => {
                let all = walls::standing(self.system, &self.obstacles, of, &space.nodes().collect::<Vec<_>>(), &self.by);
                all.into_iter().filter(|touch| !touch.binds()).collect()
            }
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
}

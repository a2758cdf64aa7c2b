//! [`Touching`]: a contact between two features in one part of a step.

use super::facing::{Apart, Facing};
use super::pull::Pull;
use crate::contact::stencil::NO_NODE;
use crate::contact::surfaces::{AnchorKey, Carrier, CommonPoint, Fans, Owner};
use crate::contact::{CollisionSurface, ContactForce, at};
use crate::element::Mobility;
use crate::math::Vec3;

/// What contacts are projected on.
#[derive(Clone, Copy)]
pub struct On<'s> {
    /// What may touch.
    pub surface: &'s CollisionSurface,
    /// What is around its vertices.
    pub fans: &'s Fans,
    /// How far nodes move under an impulse.
    pub mobility: &'s Mobility,
    /// Where the contact points are at the start of the part [m].
    pub start: &'s [Vec3],
}

/// Two features, and what acts between them.
#[derive(Debug, Clone)]
pub struct Touching {
    /// The contact points of both, those of the first before those of the second; [`NO_NODE`] where there are fewer than four.
    pub nodes: [u32; 4],
    /// How they stand to one another.
    pub facing: Facing,
    /// How far they are apart where they touch [m]: their radii, and what is kept free.
    pub reach: f64,
    /// How far the bodies reach around both features together [m].
    pub radius: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// How far the first had slid from where friction holds it when the part began [m].
    pub slip: Vec3,
    /// Multiplier along the normal.
    pub along: f64,
    /// Multiplier across it.
    pub across: Vec3,
    normal: Vec3,
    weights: [f64; 4],
    /// What carries friction; of a contact of the balance the same from part to part, for over a border of triangles another one bears the same
    /// force by other nodes.
    pub carrier: Option<Carrier>,
    /// Where friction acts on both, once it does.
    common: Option<CommonPoint>,
    /// Whether friction did not hold.
    pub slides: bool,
    /// Whether the first had passed through the second where the part ended.
    pub has_passed: bool,
}

impl Touching {
    /// A contact in which nothing acts yet.
    pub fn new(nodes: [u32; 4], facing: Facing, [reach, radius]: [f64; 2], friction: f64) -> Self {
        let none = Vec3::zeros();
        Self {
            nodes,
            facing,
            reach,
            radius,
            friction,
            slip: none,
            along: 0.0,
            across: none,
            normal: none,
            weights: [0.0; 4],
            carrier: None,
            common: None,
            slides: false,
            has_passed: false,
        }
    }

    /// What its slip belongs to: a vertex or an edge, and the part that it touches.
    pub fn key(&self, surface: &CollisionSurface) -> AnchorKey {
        let [a, b, ..] = self.nodes;
        let first = self.facing.first();
        let owner = if first == 2 { Owner::Edge(a, b) } else { Owner::Vertex(a) };
        (owner, surface.part_of_node(self.nodes[first]).unwrap_or(u32::MAX))
    }

    /// The same two on the same sides in another part of a step.
    pub fn again(self) -> Self {
        Self::new(self.nodes, self.facing, [self.reach, self.radius], self.friction)
    }

    /// Looks at the end of the part, with the nodes at `x` [m], whether the first has passed through the second.
    pub fn look_back(&mut self, on: &On, x: &[Vec3]) {
        self.has_passed = self.apart(on.surface, x).is_some_and(|apart| apart.distance < 0.0);
    }

    /// How the two are apart, the nodes being at `x` [m].
    pub fn apart(&self, surface: &CollisionSurface, x: &[Vec3]) -> Option<Apart> {
        let points = self.nodes.map(|node| if node == NO_NODE { Vec3::zeros() } else { point(surface, node, x) });
        self.facing.apart(&points)
    }

    /// Begins with a force of the balance, `along` the normal, and what of `across` is across it, and moves `x` [m] by it.
    pub fn begin(&mut self, along: f64, across: &Vec3, on: &On, x: &mut [Vec3]) {
        let Some(apart) = self.facing.apart(&at(&self.nodes, on.start)) else { return };
        self.push(along, &apart, on, x);
        self.rub(across - across.dot(&apart.normal) * apart.normal, on, x);
    }

    /// Has such a force where the part begins, without moving anything.
    pub fn carry(&mut self, along: f64, across: &Vec3, on: &On) {
        if let Some(apart) = self.facing.apart(&at(&self.nodes, on.start)) {
            self.common(on);
            (self.along, self.normal, self.weights) = (along, apart.normal, apart.weights);
            self.across = across - across.dot(&apart.normal) * apart.normal;
        }
    }

    /// Keeps the two apart, and friction within Coulomb's cone.
    pub fn project(&mut self, on: &On, x: &mut [Vec3]) {
        let Some(apart) = self.apart(on.surface, x) else { return };
        if self.along == 0.0 && apart.distance >= self.reach {
            return;
        }
        let mobile = self.pull(&apart, on).inverse_mass(on.mobility);
        if mobile <= 0.0 {
            return;
        }
        self.push((self.along - (apart.distance - self.reach) / mobile).max(0.0), &apart, on, x);
        if self.friction == 0.0 {
            return;
        }
        let slip = self.slip(on, x);
        let slip = slip - slip.dot(&apart.normal) * apart.normal;
        let mut wanted = self.across - self.across.dot(&apart.normal) * apart.normal;
        if let Some(direction) = slip.try_normalize(0.0) {
            let mobile = self.rubbing(&direction, on).inverse_mass(on.mobility);
            if mobile > 0.0 {
                wanted -= slip / mobile;
            }
        }
        let most = self.friction * self.along;
        self.slides = wanted.norm() > most;
        let across = if self.slides { wanted.try_normalize(0.0).map_or(Vec3::zeros(), |unit| most * unit) } else { wanted };
        self.rub(across, on, x);
    }

    /// How far the first has slid from where friction holds it [m].
    pub fn slip(&mut self, on: &On, x: &[Vec3]) -> Vec3 {
        self.slip + self.common(on).displacement(|node| point(on.surface, node as u32, x) - on.start[node])
    }

    /// Adds its forces [N] to those of all nodes, for a part of `part` [s].
    pub fn add_force(&self, surface: &CollisionSurface, part: f64, forces: &mut [Vec3]) {
        let per_square = 1.0 / (part * part);
        Pull::of(&surface.points, places(&self.nodes, &self.weights).map(|(node, weight)| (node, weight * self.normal)))
            .add_to(self.along * per_square, forces);
        if let Some(common) = &self.common {
            let rubs = common.places().map(|k| (common.nodes[k], common.force_on(k, &self.across)));
            Pull::of(&surface.points, rubs).add_to(per_square, forces);
        }
    }

    /// Its force on what of the two can move, of two the first, with the nodes at `x` [m].
    pub fn force(&self, surface: &CollisionSurface, x: &[Vec3], part: f64) -> Option<ContactForce> {
        let of_side = |sign: f64| places(&self.nodes, &self.weights).filter(move |(_, weight)| sign * weight > 0.0);
        let sign = if of_side(1.0).any(|(node, _)| surface.movable[node as usize]) { 1.0 } else { -1.0 };
        let node = of_side(sign).next()?.0;
        let at = of_side(1.0).map(|(node, weight)| weight * point(surface, node, x)).sum();
        let force = sign * (self.along * self.normal + self.across) / (part * part);
        Some(ContactForce { point: at, normal: sign * self.normal, force, node })
    }

    fn pull(&self, apart: &Apart, on: &On) -> Pull {
        let vectors = places(&self.nodes, &apart.weights).map(|(node, weight)| (node, weight * apart.normal));
        Pull::of(&on.surface.points, vectors)
    }

    fn push(&mut self, along: f64, apart: &Apart, on: &On, x: &mut [Vec3]) {
        if along != self.along {
            self.pull(apart, on).apply(along - self.along, on.mobility, x);
        }
        (self.along, self.normal, self.weights) = (along, apart.normal, apart.weights);
    }

    fn rubbing(&mut self, across: &Vec3, on: &On) -> Pull {
        let common = self.common(on);
        Pull::of(&on.surface.points, common.places().map(|k| (common.nodes[k], common.force_on(k, across))))
    }

    fn rub(&mut self, across: Vec3, on: &On, x: &mut [Vec3]) {
        let change = across - self.across;
        if change != Vec3::zeros() {
            self.rubbing(&change, on).apply(1.0, on.mobility, x);
        }
        self.across = across;
    }

    /// One point of space, so that friction makes no couple; where the two were nearest when the part began.
    fn common(&mut self, on: &On) -> &CommonPoint {
        let Self { nodes, facing, carrier, common, .. } = self;
        common.get_or_insert_with(|| {
            let weights = facing.apart(&at(nodes, on.start)).map_or([0.0; 4], |apart| apart.weights);
            let found = CommonPoint::new((on.surface, on.fans), (nodes, &weights), facing.first(), *carrier, on.start);
            *carrier = found.carrier();
            found
        })
    }
}

/// The points that there are, with what belongs to each.
fn places<'a>(nodes: &'a [u32; 4], weights: &'a [f64; 4]) -> impl Iterator<Item = (u32, f64)> + 'a {
    nodes.iter().copied().zip(weights.iter().copied()).filter(|(node, _)| *node != NO_NODE)
}

/// Where the contact point of a node is, the nodes being at `x` [m].
pub fn point(surface: &CollisionSurface, node: u32, x: &[Vec3]) -> Vec3 {
    if surface.points.are_vertices() {
        return x[node as usize];
    }
    surface.points.shares(node).map(|(node, share)| share * x[node as usize]).sum()
}

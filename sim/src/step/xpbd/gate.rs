//! [`Gate`]: how much of the balance the steps begin with. What is solved for the given shape is a good guess near it, and a wrong one
//! where a body has fallen away, or where what held it has gone.

use super::constraints::{Constraints, Projections, projections};
use super::contact::Contacts;
use super::mobility::Mobility;
use super::surfaces::Surfaces;
use crate::math::{Vec3, bounding_box};
use crate::system::System;

/// Shares of a body's size between which the balance fades with its largest distance from the given shape. Narrower windows pump energy.
const FADES: [f64; 2] = [0.25, 0.5];
/// Largest net force that still counts as balance, as a share of the largest load: as much as the certificate's round-off excuses.
const OUT_OF_BALANCE: f64 = 1e-6;

/// Bodies, or several of them that elements join.
#[derive(Debug)]
pub struct Gate {
    /// The group of each constraint.
    of_constraint: Vec<u32>,
    /// The group of each node.
    of_node: Vec<u32>,
    groups: Vec<Group>,
    gravity: Vec3,
    /// |f*| times the sum of w and the second derivatives of each constraint [1/s^2].
    turns: Vec<f64>,
}

#[derive(Debug, Default)]
struct Group {
    nodes: Vec<u32>,
    /// Diagonal of its bounding box in the given shape [m].
    size: f64,
    /// Nodes that held it in the balance.
    supports: Vec<u32>,
    is_balanced: bool,
    is_supported: bool,
    /// Whether an obstacle that held it has gone.
    has_lost: bool,
    /// Share of the balance that steps begin with.
    share: f64,
}

impl Gate {
    /// Finds the groups of `system`; where one is in balance, and balance counts as solved, its constraints are told what they carry.
    pub fn new(
        system: &System,
        constraints: &mut Constraints,
        (contacts, surfaces): (&mut Contacts, &mut Surfaces),
        mobility: &Mobility,
        is_solved: bool,
    ) -> Self {
        let (of_node, count) = groups(system, constraints, surfaces);
        let mut groups: Vec<Group> = (0..count).map(|_| Group::default()).collect();
        for (n, group) in of_node.iter().enumerate() {
            groups[*group as usize].nodes.push(n as u32);
        }
        let internal = system.internal_nodes();
        for group in &mut groups {
            let placed = group.nodes.iter().map(|&n| n as usize).filter(|n| !internal.contains(n));
            let places: Vec<Vec3> = placed.map(|n| system.positions[n]).collect();
            let (low, high) = bounding_box(&places);
            group.size = (high - low).norm();
            group.supports = group.nodes.iter().copied().filter(|&n| system.fixed[n as usize]).collect();
        }
        let of_constraint: Vec<u32> = (0..constraints.len()).map(|c| of_node[constraints.nodes(c)[0] as usize]).collect();
        let mut gate = Self { of_constraint, of_node, groups, gravity: system.gravity, turns: vec![0.0; constraints.len()] };
        if is_solved {
            let mut net = system.loads();
            contacts.add_given_forces(&mut net);
            surfaces.add_given_forces(system, mobility, &mut net);
            gate.balance(system, constraints, net);
        }
        contacts.keep(|node| gate.group(node).is_balanced);
        // What cannot move bears everything.
        surfaces.keep(|node| mobility.inverse(node) == 0.0 || gate.group(node).is_balanced);
        gate.measure_turns(system, constraints, mobility);
        gate
    }

    /// Looks anew at how fast the forces of the balance turn.
    pub fn measure_turns(&mut self, system: &System, constraints: &Constraints, mobility: &Mobility) {
        self.turns = turns(system, constraints, mobility);
    }

    /// Judges each group by the net forces in the given shape, of which those without constraints are `net` [N].
    fn balance(&mut self, system: &System, constraints: &mut Constraints, mut net: Vec<Vec3>) {
        let (families, mut gradients) = (projections(system), constraints.room());
        let mut carries = vec![false; self.groups.len()];
        for c in 0..constraints.len() {
            constraints.places[c].constraint(&families, &system.positions, &mut gradients);
            let carried = -constraints.given[c] / constraints.rows[c].compliance;
            constraints.carried[c] = carried;
            carries[self.of_constraint[c] as usize] |= carried != 0.0;
            constraints.nodes(c).iter().zip(&gradients).for_each(|(&n, by)| net[n as usize] += carried * by);
        }
        for projection in families.iter().flatten() {
            (0..projection.len()).for_each(|e| projection.add_beside(e, &system.positions, &mut |n, force| net[n as usize] += force));
        }
        system.take_supported(&mut net);
        for (group, carries) in self.groups.iter_mut().zip(&carries) {
            group.is_balanced = *carries && group.nodes.iter().any(|&n| !system.fixed[n as usize]);
        }
        let most = OUT_OF_BALANCE * system.largest_load();
        for (net, group) in net.iter().zip(&self.of_node) {
            let is_balanced = net.norm() <= most;
            self.groups[*group as usize].is_balanced &= is_balanced;
        }
        for (carried, group) in constraints.carried.iter_mut().zip(&self.of_constraint) {
            if !self.groups[*group as usize].is_balanced {
                *carried = 0.0;
            }
        }
    }

    /// The balance goes with what held it: a support that was let go, and the weight.
    pub fn look_at_supports(&mut self, system: &System) {
        let has_weight = self.gravity == system.gravity;
        for group in &mut self.groups {
            group.is_supported = has_weight && !group.has_lost && group.supports.iter().all(|&n| system.fixed[n as usize]);
        }
    }

    /// Opens or closes by how far each group is from the given shape at `x`.
    pub fn look(&mut self, system: &System, x: &[Vec3]) {
        for group in &mut self.groups {
            group.share = 0.0;
            if group.is_balanced && group.is_supported {
                let away = |&n: &u32| (x[n as usize] - system.positions[n as usize]).norm_squared();
                let distance = group.nodes.iter().map(away).fold(0.0, f64::max).sqrt();
                group.share = 1.0 - smoothstep(distance, FADES.map(|share| share * group.size));
            }
        }
    }

    /// An obstacle that held this node has gone.
    pub fn lose(&mut self, node: u32) {
        let group = &mut self.groups[self.of_node[node as usize] as usize];
        (group.has_lost, group.is_supported) = (true, false);
    }

    fn group(&self, node: u32) -> &Group {
        &self.groups[self.of_node[node as usize] as usize]
    }

    /// Share of the balance that the contacts of a node begin with.
    pub fn share_of_node(&self, node: u32) -> f64 {
        self.group(node).share
    }

    /// Whether something begins with a share of its balance.
    pub fn is_open(&self) -> bool {
        self.groups.iter().any(|group| group.share > 0.0)
    }

    /// Share of the balance that constraint `c` begins with.
    pub fn share(&self, c: usize) -> f64 {
        self.groups[self.of_constraint[c] as usize].share
    }

    /// The same, open for all, to ask what it lets through.
    #[cfg(test)]
    pub fn opened(mut self) -> Self {
        self.groups.iter_mut().for_each(|group| group.share = 1.0);
        self
    }

    /// Whether constraint `c` begins with what it carries, as long as its body is near.
    pub fn carries(&self, c: usize) -> bool {
        self.turns[c] > 0.0 && self.groups[self.of_constraint[c] as usize].is_supported
    }

    /// Bodies that are still held as they were in the balance.
    pub fn supported(&self) -> usize {
        self.groups.iter().filter(|group| group.is_balanced && group.is_supported).count()
    }

    /// The largest S / h^2 of constraints that begin with what they carry [1/s^2]: of lines that pull, whose multipliers are vectors, and of others.
    pub fn turning(&self, families: &Projections, constraints: &Constraints) -> [f64; 2] {
        let mut most = [0.0_f64; 2];
        for (c, place) in constraints.places.iter().enumerate() {
            if self.groups[self.of_constraint[c] as usize].is_supported && constraints.is_visited(c) {
                let is_line = families[place.family as usize].is_some_and(|family| family.is_of_lines());
                let pulls = is_line && constraints.carried[c] < 0.0;
                let most = &mut most[usize::from(!pulls)];
                *most = most.max(self.turns[c]);
            }
        }
        most
    }
}

/// |f*| times how fast the gradients of each constraint turn in the given shape [1/s^2].
fn turns(system: &System, constraints: &Constraints, mobility: &Mobility) -> Vec<f64> {
    let (families, mut curvatures) = (projections(system), vec![0.0; constraints.widest]);
    let inverse = |node: u32| mobility.inverse(node);
    let turn =
        |c: usize| constraints.carried[c].abs() * constraints.places[c].turning(&families, &system.positions, &inverse, &mut curvatures);
    (0..constraints.len()).map(turn).collect()
}

/// 0 below the first limit, 1 above the second, and smooth between them.
fn smoothstep(value: f64, [low, high]: [f64; 2]) -> f64 {
    let t = if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
    t * t * (3.0 - 2.0 * t)
}

/// The group of each node, by the constraints and the contacts of the balance that join them, and how many groups there are.
fn groups(system: &System, constraints: &Constraints, surfaces: &Surfaces) -> (Vec<u32>, usize) {
    let nodes = system.positions.len();
    let mut parent: Vec<u32> = (0..nodes as u32).collect();
    fn root(parent: &mut [u32], mut node: u32) -> u32 {
        while parent[node as usize] != node {
            parent[node as usize] = parent[parent[node as usize] as usize];
            node = parent[node as usize];
        }
        node
    }
    let mut join = |nodes: &[u32]| {
        let first = root(&mut parent, nodes[0]);
        for &other in &nodes[1..] {
            let other = root(&mut parent, other);
            parent[other as usize] = first;
        }
    };
    (0..constraints.len()).for_each(|c| join(constraints.nodes(c)));
    // What lies on one obstacle is not one body for that.
    let is_body = |node: &u32| (*node as usize) < system.body_nodes();
    surfaces.joined().filter(|nodes| nodes.iter().all(is_body)).for_each(|nodes| join(&nodes));
    let mut number = vec![u32::MAX; nodes];
    let mut count = 0;
    let mut of_node = vec![0; nodes];
    for (n, group) in of_node.iter_mut().enumerate() {
        let root = root(&mut parent, n as u32) as usize;
        if number[root] == u32::MAX {
            number[root] = count;
            count += 1;
        }
        *group = number[root];
    }
    (of_node, count as usize)
}

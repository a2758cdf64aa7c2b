//! What statics alone decides. Of a strand that is held by one end, force and moment in each section are those of what is beyond it: from the
//! free end inwards every node has one element left that can carry what is out of balance there, in one way; or two nodes have the same two left, as
//! where a joint reaches over the vertices of both its segments, and then the two carry both. There are no forces to
//! choose from, and one sweep finds them, without a matrix and to the last digits.

mod carry;

use rayon::prelude::*;

use self::carry::{Units, carry};
use super::problem::{BalanceProblem, ContactSite, Forces};
use crate::element::Family;
use crate::math::Vec3;
use crate::watch::{Cancelled, Watch};

/// Share of the largest load that round-off may leave on a node.
const LEFT: f64 = 1e-10;

/// An element that carries what its node number `at` is out of balance by; or, with the turn that follows or is before it, that and what the node
/// number `other` is.
struct Turn {
    family: u32,
    element: u32,
    at: u32,
    other: Option<u32>,
}

/// Which element carries what, one after the other.
#[derive(Default)]
struct Order {
    turns: Vec<Turn>,
    /// Free nodes in the order in which the turns come to them, and the place of each node among them; [`HELD`] for others.
    nodes: Vec<u32>,
    places: Vec<u32>,
    /// Where strands that have nothing to do with one another begin: among the turns, and among the nodes.
    starts: Vec<[usize; 2]>,
}

/// No place: nothing is asked of the balance there.
const HELD: u32 = u32::MAX;

/// The forces in balance with the loads of `problem`, if there are none but these; `None` where contacts, planes or cables take part, where
/// elements are left to choose from, or where no forces balance.
///
/// # Errors
/// Cancelled.
pub fn forces(problem: &BalanceProblem, watch: &dyn Watch) -> Result<Option<Forces>, Cancelled> {
    let is_held = |site: &ContactSite| site.nodes().all(|node| !problem.free[node as usize]);
    let is_plain = problem.sites.iter().all(is_held) && problem.cables.is_empty() && problem.slides.is_empty();
    let Some(order) = is_plain.then(|| order(problem)).flatten() else { return Ok(None) };
    watch.check()?;
    let mut net: Vec<Vec3> = order.nodes.iter().map(|&node| problem.loads[node as usize]).collect();
    let mut carried = vec![[0.0; 3]; order.turns.len()];
    let mut strands = Vec::with_capacity(order.starts.len());
    let (mut rest, mut left) = (net.as_mut_slice(), carried.as_mut_slice());
    for (k, start) in order.starts.iter().enumerate() {
        let end = order.starts.get(k + 1).copied().unwrap_or([order.turns.len(), order.nodes.len()]);
        let (own, others) = std::mem::take(&mut left).split_at_mut(end[0] - start[0]);
        let (own_net, other_net) = std::mem::take(&mut rest).split_at_mut(end[1] - start[1]);
        (left, rest) = (others, other_net);
        strands.push((&order.turns[start[0]..end[0]], start[1], own, own_net));
    }
    let is_carried = strands.into_par_iter().all(|(turns, first, carried, net)| sweep(problem, &order.places, turns, first, carried, net));
    if !is_carried {
        return Ok(None);
    }
    watch.check()?;
    let mut forces = problem.without_stress(vec![Vec3::zeros(); problem.sites.len()]);
    for (turn, s) in order.turns.iter().zip(&carried) {
        let e = turn.element as usize;
        forces.coordinates[turn.family as usize][3 * e..3 * (e + 1)].copy_from_slice(s);
    }
    problem.measure(&mut forces);
    forces.iterations = 1;
    Ok((forces.residual <= LEFT).then_some(forces))
}

/// Carries what is out of balance on the nodes of one strand, whose first place is `first`, from end to end; whether that can be done.
fn sweep(problem: &BalanceProblem, places: &[u32], turns: &[Turn], first: usize, carried: &mut [[f64; 3]], net: &mut [Vec3]) -> bool {
    let mut units = [(); 2].map(|()| Units::within(problem.families));
    let (mut left, mut found) = (turns, carried);
    while let Some(turn) = left.first() {
        let together = if turn.other.is_some() { 2.min(left.len()) } else { 1 };
        let (own, others) = left.split_at(together);
        let (s, more) = std::mem::take(&mut found).split_at_mut(together);
        (left, found) = (others, more);
        let nodes_of = |turn: &Turn| problem.families[turn.family as usize].nodes(turn.element as usize);
        let wanted = |at: u32| -net[places[nodes_of(turn)[at as usize] as usize] as usize - first];
        let wanted = [Some(turn.at), turn.other].map(|at| at.map_or_else(Vec3::zeros, wanted));
        let is_seen = own.iter().zip(&mut units).all(|(turn, units)| units.see(problem, turn));
        if !is_seen || !carry(own, &units, &wanted, s) {
            return false;
        }
        for ((turn, units), s) in own.iter().zip(&units).zip(&*s) {
            for (i, &node) in nodes_of(turn).iter().enumerate().filter(|(_, node)| places[**node as usize] != HELD) {
                net[places[node as usize] as usize - first] += units.pull(s, i);
            }
        }
    }
    true
}

/// Whether each of these elements could carry all that is out of balance on a node.
pub fn may_be(families: &[Box<dyn Family>]) -> bool {
    families.iter().all(|family| family.coordinates_per_element() == 3)
}

/// Which element carries what, one after the other; `None` where free nodes, or elements of some, are left.
fn order(problem: &BalanceProblem) -> Option<Order> {
    if !may_be(problem.families) {
        return None;
    }
    let meeting = Meeting::of(problem);
    let mut left: Vec<u32> = (0..problem.positions.len()).map(|node| meeting.at(node).len() as u32).collect();
    let mut is_done: Vec<Vec<bool>> = problem.families.iter().map(|family| vec![false; family.len()]).collect();
    let mut order = Order { places: vec![HELD; left.len()], ..Order::default() };
    // The last first: one strand after the other. Those with two elements left only where there are no others.
    let with = |count: u32| {
        let nodes = (0..).zip(&left).filter(move |(node, left)| problem.free[*node as usize] && **left == count);
        nodes.map(|(node, _)| node).collect::<Vec<u32>>()
    };
    let (mut ends, mut pairs) = (with(1), with(2));
    // Free nodes that were come to and have elements left.
    let mut begun = 0_usize;
    while let Some((node, count)) = ends.pop().map(|node| (node, 1)).or_else(|| pairs.pop().map(|node| (node, 2))) {
        let Some(carrying) = meeting.left_at(node, count, &is_done) else { continue };
        let other = if count == 2 {
            let nodes = problem.families[carrying[0][0] as usize].nodes(carrying[0][1] as usize).iter().copied();
            let mut others = nodes.filter(|&other| other != node && problem.free[other as usize] && left[other as usize] == 2);
            let Some(other) = others.find(|&other| meeting.left_at(other, 2, &is_done) == Some(carrying)) else { continue };
            Some(other)
        } else {
            None
        };
        if begun == 0 {
            order.starts.push([order.turns.len(), order.nodes.len()]);
        }
        for &[family, element] in &carrying[..count] {
            is_done[family as usize][element as usize] = true;
            let nodes = problem.families[family as usize].nodes(element as usize);
            let at = |node: u32| nodes.iter().position(|&other| other == node).map(|at| at as u32);
            order.turns.push(Turn { family, element, at: at(node)?, other: other.and_then(at) });
            for &other in nodes {
                left[other as usize] -= 1;
                if !problem.free[other as usize] {
                    continue;
                }
                if order.places[other as usize] == HELD {
                    order.places[other as usize] = order.nodes.len() as u32;
                    order.nodes.push(other);
                    begun += 1;
                }
                begun -= usize::from(left[other as usize] == 0);
                match left[other as usize] {
                    1 => ends.push(other),
                    2 => pairs.push(other),
                    _ => {}
                }
            }
        }
    }
    // What is left between held nodes alone bears nothing.
    let is_decided = |node: usize| !problem.free[node] || left[node] == 0;
    (0..left.len()).all(is_decided).then_some(order)
}

/// The elements that meet at each node.
struct Meeting {
    /// Family and element.
    elements: Vec<[u32; 2]>,
    /// Where those of each node begin, and the end.
    starts: Vec<u32>,
}

impl Meeting {
    fn of(problem: &BalanceProblem) -> Self {
        let mut starts = vec![0_u32; problem.positions.len() + 1];
        let all = || {
            let elements = (0..).zip(problem.families).flat_map(|(f, family)| (0..family.len()).map(move |e| (f, family, e)));
            elements.flat_map(|(f, family, e)| family.nodes(e).iter().map(move |&node| (node, [f, e as u32])))
        };
        all().for_each(|(node, _)| starts[node as usize + 1] += 1);
        (1..starts.len()).for_each(|n| starts[n] += starts[n - 1]);
        let (mut next, mut elements) = (starts.clone(), vec![[0; 2]; starts.last().map_or(0, |&end| end as usize)]);
        for (node, element) in all() {
            elements[next[node as usize] as usize] = element;
            next[node as usize] += 1;
        }
        Self { elements, starts }
    }

    /// The elements that are left at a node, ascending, where they are so many: one or two.
    fn left_at(&self, node: u32, count: usize, is_done: &[Vec<bool>]) -> Option<[[u32; 2]; 2]> {
        let mut left = self.at(node as usize).iter().filter(|[family, e]| !is_done[*family as usize][*e as usize]);
        let mut found = [[0; 2]; 2];
        for found in &mut found[..count] {
            *found = *left.next()?;
        }
        left.next().is_none().then_some(found)
    }

    fn at(&self, node: usize) -> &[[u32; 2]] {
        &self.elements[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

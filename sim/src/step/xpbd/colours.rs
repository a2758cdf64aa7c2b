//! Orders of constraints, and colours: no two constraints of one colour share a node.

use super::constraints::Constraints;
use crate::math::random::Random;
use crate::scene::{ProjectionOrder, ProjectionSettings};

/// The order in which constraints are visited, and where runs of it end in which no two share a node, but those that are visited as one.
pub fn order(constraints: &Constraints, settings: &ProjectionSettings, nodes: usize) -> (Vec<u32>, Vec<usize>) {
    let together = |c: u32| constraints.places[c as usize].together;
    let mut order: Vec<u32> = (0..constraints.len() as u32).filter(|&c| constraints.is_visited(c as usize) && together(c) > 0).collect();
    match settings.order {
        ProjectionOrder::Forward => {}
        ProjectionOrder::Reverse => order.reverse(),
        ProjectionOrder::Colours | ProjectionOrder::Shuffled => shuffle(&mut order, settings.seed),
    }
    if settings.order == ProjectionOrder::Colours {
        return coloured(constraints, &order, nodes);
    }
    let order: Vec<u32> = order.into_iter().flat_map(|c| c..c + together(c)).collect();
    let ends = (1..=order.len()).collect();
    (order, ends)
}

/// Puts a list into one of its orders (Fisher and Yates).
fn shuffle(order: &mut [u32], seed: u64) {
    let mut random = Random::new(seed);
    for last in (1..order.len()).rev() {
        let other = random.uniform(0.0, (last + 1) as f64) as usize;
        order.swap(last, other.min(last));
    }
}

/// Constraints by colours, each the first that none of its neighbours before it in `order` has. That order is to be one of chance: where all
/// edges of one direction come before those of another, a single sweep leans to one side and pumps energy into stiff cloth.
fn coloured(constraints: &Constraints, order: &[u32], nodes: usize) -> (Vec<u32>, Vec<usize>) {
    let mut taken: Vec<Vec<u32>> = vec![Vec::new(); nodes];
    let mut colours: Vec<Vec<u32>> = Vec::new();
    for &c in order {
        let nodes = constraints.nodes(c as usize);
        let is_free = |colour: &u32| nodes.iter().all(|&n| !taken[n as usize].contains(colour));
        let colour = (0..).find(is_free).unwrap_or(0);
        nodes.iter().for_each(|&n| taken[n as usize].push(colour));
        if colours.len() <= colour as usize {
            colours.push(Vec::new());
        }
        colours[colour as usize].extend(c..c + constraints.places[c as usize].together);
    }
    // Within a colour any order does the same: in that of memory, family by family.
    colours.iter_mut().for_each(|colour| colour.sort_unstable());
    let ends = colours.iter().scan(0, |end, colour| {
        *end += colour.len();
        Some(*end)
    });
    let ends = ends.collect();
    (colours.into_iter().flatten().collect(), ends)
}

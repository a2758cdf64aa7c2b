//! Which elements are one strand, and an order of its nodes in which all that meet are near each other (Cuthill, McKee 1969).

use crate::element::Projection;

/// An element of a strand.
#[derive(Debug, Clone, Copy)]
pub struct Piece {
    /// Index into the families of the system.
    pub family: u32,
    /// Element of it.
    pub element: u32,
    /// Its nodes by their places in the strand.
    pub nodes: [u32; MOST],
    /// How many it has.
    pub count: u32,
}

/// Nodes of an element of strands at most.
pub const MOST: usize = 5;

/// What is joined by elements.
#[derive(Debug, Default)]
pub struct Joined {
    /// Its nodes, in their order.
    pub nodes: Vec<u32>,
    /// Its elements.
    pub pieces: Vec<Piece>,
    /// How far apart in the order two nodes of an element are at most.
    pub reach: usize,
}

/// The strands that the elements of `families` make, of `count` nodes: those families by their places among all. In the order of their first nodes.
pub fn strands(families: &[(usize, &dyn Projection)], count: usize) -> Vec<Joined> {
    let elements = || families.iter().enumerate().flat_map(|(f, (_, family))| (0..family.len()).map(move |e| (f, e, family.nodes(e))));
    // The elements that meet at each node.
    let mut starts = vec![0_u32; count + 1];
    elements().for_each(|(_, _, nodes)| nodes.iter().for_each(|&n| starts[n as usize + 1] += 1));
    (1..starts.len()).for_each(|n| starts[n] += starts[n - 1]);
    let (mut next, mut meeting) = (starts.clone(), vec![[0_u32; 2]; starts.last().map_or(0, |&end| end as usize)]);
    for (f, e, nodes) in elements() {
        for &n in nodes {
            meeting[next[n as usize] as usize] = [f as u32, e as u32];
            next[n as usize] += 1;
        }
    }
    let at = |node: u32| &meeting[starts[node as usize] as usize..starts[node as usize + 1] as usize];
    let degree = |node: u32| at(node).len();
    let mut place = vec![u32::MAX; count];
    let mut found = Vec::new();
    // Ends first: from one of them a strand is ordered along itself.
    let mut firsts: Vec<u32> = (0..count as u32).filter(|&n| degree(n) > 0).collect();
    firsts.sort_by_key(|&n| degree(n));
    let mut is_taken: Vec<Vec<bool>> = families.iter().map(|(_, family)| vec![false; family.len()]).collect();
    let mut near = Vec::new();
    for first in firsts {
        if place[first as usize] != u32::MAX {
            continue;
        }
        let mut strand = Joined { nodes: vec![first], ..Joined::default() };
        place[first as usize] = 0;
        let mut seen = 0;
        while let Some(&node) = strand.nodes.get(seen) {
            seen += 1;
            near.clear();
            let others = at(node).iter().flat_map(|&[f, e]| families[f as usize].1.nodes(e as usize));
            near.extend(others.copied().filter(|&n| place[n as usize] == u32::MAX));
            near.sort_unstable();
            near.dedup();
            near.sort_by_key(|&n| degree(n));
            for &other in &near {
                place[other as usize] = strand.nodes.len() as u32;
                strand.nodes.push(other);
            }
        }
        for &node in &strand.nodes {
            for &[f, e] in at(node) {
                if std::mem::replace(&mut is_taken[f as usize][e as usize], true) {
                    continue;
                }
                let (family, projection) = &families[f as usize];
                let own = projection.nodes(e as usize);
                let mut nodes = [0; MOST];
                nodes.iter_mut().zip(own).for_each(|(place_in, &n)| *place_in = place[n as usize]);
                let nodes_of = &nodes[..own.len().min(MOST)];
                let (low, high) = (nodes_of.iter().min(), nodes_of.iter().max());
                strand.reach = strand.reach.max(high.zip(low).map_or(0, |(high, low)| (high - low) as usize));
                strand.pieces.push(Piece { family: *family as u32, element: e, nodes, count: own.len() as u32 });
            }
        }
        found.push(strand);
    }
    found.sort_by_key(|strand| strand.nodes.iter().min().copied());
    found
}

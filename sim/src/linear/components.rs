//! A graph that falls apart: the parts that nothing couples, and an order of each in which neighbours are near one another (Cuthill, McKee 1969,
//! reversed: George 1971).

use super::ordering::Graph;

/// Parts from which on each is looked at by itself.
pub(super) const MANY: usize = 16;
/// Blocks of a row from its first to its diagonal one, in the mean, up to which parts are eliminated from end to end: dissecting wider ones
/// leaves less of them.
pub(super) const NARROW: usize = 16;

/// The vertices part by part, each reversed after Cuthill and McKee; `None` where there are fewer parts than [`MANY`], or wide ones.
pub(super) fn by_parts(graph: &Graph) -> Option<Vec<u32>> {
    let mut walk = Walk { graph, seen: vec![0; graph.len()], round: 0, order: Vec::with_capacity(graph.len()) };
    let mut is_placed = vec![false; graph.len()];
    let (mut all, mut parts) = (Vec::with_capacity(graph.len()), 0);
    for start in 0..graph.len() as u32 {
        if is_placed[start as usize] {
            continue;
        }
        parts += 1;
        // From one end: what is reached last is far from where the search began, and the farther so the second time.
        let far = walk.from(start);
        let end = walk.from(far);
        walk.from(end);
        walk.order.iter().for_each(|&v| is_placed[v as usize] = true);
        all.extend(walk.order.iter().rev());
        if parts == 1 && walk.order.len() > graph.len() / 2 {
            return None;
        }
    }
    (parts >= MANY && filled(graph, &all) <= NARROW * all.len()).then_some(all)
}

/// Blocks of all rows, each from its first to its diagonal one.
fn filled(graph: &Graph, order: &[u32]) -> usize {
    let mut place = vec![0; order.len()];
    (0..).zip(order).for_each(|(p, &v)| place[v as usize] = p);
    let first = |(p, &v): (u32, &u32)| graph.neighbours(v as usize).iter().map(|&n| place[n as usize]).fold(p, u32::min);
    (0..).zip(order).map(|row| (row.0 - first(row) + 1) as usize).sum()
}

/// Breadth first search, neighbours with few neighbours first.
struct Walk<'a> {
    graph: &'a Graph,
    /// Round in which each vertex was reached last.
    seen: Vec<u32>,
    round: u32,
    order: Vec<u32>,
}

impl Walk<'_> {
    /// The vertices that are joined to `start`, as they are reached; the last one.
    fn from(&mut self, start: u32) -> u32 {
        self.round += 1;
        self.order.clear();
        self.order.push(start);
        self.seen[start as usize] = self.round;
        let mut next = 0;
        while let Some(&v) = self.order.get(next) {
            next += 1;
            let first = self.order.len();
            for &neighbour in self.graph.neighbours(v as usize) {
                if std::mem::replace(&mut self.seen[neighbour as usize], self.round) != self.round {
                    self.order.push(neighbour as u32);
                }
            }
            self.order[first..].sort_by_key(|&v| self.graph.neighbours(v as usize).len());
        }
        self.order.last().copied().unwrap_or(start)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn graph(count: usize, edges: &[[u32; 2]]) -> Graph {
        Graph { starts: vec![0; count + 1], neighbours: Vec::new() }.with_edges(edges)
    }

    /// Shuffled chains are laid out from end to end, one after the other.
    #[test]
    fn chains_are_laid_out_from_end_to_end() {
        let (chains, length) = (20u32, 9u32);
        let number = |chain: u32, k: u32| (7 * (chain * length + k)) % (chains * length);
        let edges: Vec<[u32; 2]> = (0..chains).flat_map(|c| (1..length).map(move |k| [number(c, k - 1), number(c, k)])).collect();
        let order = by_parts(&graph((chains * length) as usize, &edges)).unwrap();
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(p, &v)| place[v as usize] = p);
        assert!(edges.iter().all(|&[a, b]| place[a as usize].abs_diff(place[b as usize]) == 1));
        let mut sorted = order;
        sorted.sort_unstable();
        assert!(sorted.iter().enumerate().all(|(i, &v)| i == v as usize));
    }

    #[test]
    fn what_hangs_together_is_not_taken_apart() {
        let chain: Vec<[u32; 2]> = (1..40).map(|k| [k - 1, k]).collect();
        assert!(by_parts(&graph(40, &chain)).is_none());
        let two: Vec<[u32; 2]> = chain.iter().copied().filter(|edge| edge[0] != 10).collect();
        assert!(by_parts(&graph(40, &two)).is_none());
        assert_eq!(by_parts(&graph(40, &[])).map(|order| order.len()), Some(40));
    }
}

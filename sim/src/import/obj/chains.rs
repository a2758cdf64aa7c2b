//! Lines of two points, which some programs write for each segment of a curve, as the curves that they make.

use super::Lists;

/// What was joined.
#[derive(Debug, Default, PartialEq)]
pub struct Segments {
    /// Lines that became part of a longer one.
    pub joined: usize,
    /// The longer ones.
    pub chains: usize,
}

/// `strands` with lines of two points joined at each vertex where exactly two of them end and nothing else is. A chain begins where its
/// first line in the file does, and stands in its place.
pub fn join_segments(strands: Lists, vertices: usize) -> (Lists, Segments) {
    let lists: Vec<&[u32]> = strands.iter().collect();
    // The two lines that end at each vertex; other numbers of them are no place to join.
    let (mut ends, mut uses) = (vec![[u32::MAX; 2]; vertices], vec![0_u32; vertices]);
    for (line, list) in (0..).zip(&lists) {
        for &v in *list {
            let uses = &mut uses[v as usize];
            if let (2, Some(end)) = (list.len(), ends[v as usize].get_mut(*uses as usize)) {
                *end = line;
            }
            // A longer line goes its own way.
            *uses += if list.len() == 2 { 1 } else { 3 };
        }
    }
    let beyond = |line: u32, v: u32| {
        let [a, b] = ends[v as usize];
        (uses[v as usize] == 2 && a != b).then_some(if a == line { b } else { a })
    };
    let mut made = Lists::default();
    let mut segments = Segments::default();
    let mut seen = vec![false; lists.len()];
    for (first, list) in (0..).zip(&lists) {
        let &[from, to] = *list else {
            made.push(list);
            continue;
        };
        if std::mem::replace(&mut seen[first as usize], true) {
            continue;
        }
        let mut follow = |start: u32| {
            let (mut line, mut vertex, mut chain) = (first, start, Vec::new());
            while let Some(next) = beyond(line, vertex).filter(|&next| !seen[next as usize]) {
                seen[next as usize] = true;
                let [a, b] = [lists[next as usize][0], lists[next as usize][1]];
                (line, vertex) = (next, if a == vertex { b } else { a });
                chain.push(vertex);
            }
            chain
        };
        let (after, before) = (follow(to), follow(from));
        if !(after.is_empty() && before.is_empty()) {
            segments.joined += 1 + after.len() + before.len();
            segments.chains += 1;
        }
        let chain: Vec<u32> = before.into_iter().rev().chain([from, to]).chain(after).collect();
        made.push(&chain);
    }
    (made, segments)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]
    use super::*;
    use crate::math::random::Random;

    fn joined(lines: &[&[u32]]) -> (Vec<Vec<u32>>, Segments) {
        let mut lists = Lists::default();
        lines.iter().for_each(|line| lists.push(line));
        let (lists, segments) = join_segments(lists, 20);
        (lists.iter().map(<[u32]>::to_vec).collect(), segments)
    }

    #[test]
    fn segments_become_the_curves_that_they_make() {
        // In order, out of order, and against one another.
        for lines in [[[0, 1], [1, 2], [2, 3]], [[2, 3], [0, 1], [1, 2]], [[1, 0], [1, 2], [3, 2]]] {
            let (mut lists, segments) = joined(&lines.each_ref().map(|line| &line[..]));
            if lists[0][0] == 3 {
                lists[0].reverse();
            }
            assert_eq!((lists, segments), (vec![vec![0, 1, 2, 3]], Segments { joined: 3, chains: 1 }));
        }
        let (lists, _) = joined(&[&[5, 6], &[0, 1], &[6, 7], &[1, 2]]);
        assert_eq!(lists, [vec![5, 6, 7], vec![0, 1, 2]], "each in the place of its first line");
    }

    #[test]
    fn rings_close_and_branches_and_longer_lines_stay() {
        assert_eq!(joined(&[&[0, 1], &[1, 2], &[2, 0]]).0, [vec![0, 1, 2, 0]]);
        assert_eq!(joined(&[&[0, 1], &[1, 2], &[1, 3]]), (vec![vec![0, 1], vec![1, 2], vec![1, 3]], Segments::default()));
        // Strands of one root are not one strand.
        assert_eq!(joined(&[&[0, 1, 2], &[0, 3, 4], &[2, 5]]), (vec![vec![0, 1, 2], vec![0, 3, 4], vec![2, 5]], Segments::default()));
        assert_eq!(joined(&[&[0, 0], &[1, 2], &[1, 2]]).0, [vec![0, 0], vec![1, 2, 1]]);
    }

    /// Whatever lines come, no segment is lost or made, and strands go on where two lines of two points end and nothing else is, and
    /// nowhere else.
    #[test]
    fn random_lines_are_joined_where_two_end_and_nothing_else_is() {
        let mut random = Random::new(8);
        let mut longest = 0;
        for _ in 0..3000 {
            let lines: Vec<Vec<u32>> =
                (0..10).map(|i| (0..2 + u32::from(i % 5 == 4)).map(|_| random.uniform(0.0, 16.0) as u32).collect()).collect();
            let (strands, told) = joined(&lines.iter().map(Vec::as_slice).collect::<Vec<_>>());
            let segments = |lists: &[Vec<u32>]| {
                let ends = lists.iter().flat_map(|list| list.windows(2).map(|ends| [ends[0].min(ends[1]), ends[0].max(ends[1])]));
                let mut ends: Vec<[u32; 2]> = ends.collect();
                ends.sort_unstable();
                ends
            };
            assert_eq!(segments(&strands), segments(&lines), "{lines:?}");
            let goes_on = |v: &u32| {
                let here: Vec<&Vec<u32>> = lines.iter().filter(|line| line.contains(v)).collect();
                here.len() == 2 && here.iter().all(|line| line.len() == 2 && line[0] != line[1])
            };
            let (whole, chains): (Vec<_>, Vec<_>) = strands.iter().partition(|strand| strand.len() > 2 && lines.contains(strand));
            assert_eq!(whole, lines.iter().filter(|line| line.len() > 2).collect::<Vec<_>>());
            for chain in &chains {
                let (from, to) = (chain[0], chain[chain.len() - 1]);
                let is_ring = chain.len() > 2 && from == to;
                assert!(
                    chain[1..chain.len() - 1].iter().all(goes_on) && (is_ring || ![from, to].iter().any(goes_on)),
                    "{lines:?}: {chain:?}"
                );
                longest = longest.max(chain.len());
            }
            // Each stands where the first of its lines does.
            let mut places = Vec::new();
            let mut taken = vec![false; lines.len()];
            for strand in &strands {
                let parts: Vec<&[u32]> = if whole.contains(&strand) { vec![strand] } else { strand.windows(2).collect() };
                let is_one = |line: &Vec<u32>, part: &[u32]| line == part || (part.len() == 2 && *line == [part[1], part[0]]);
                let mut place = |part: &[u32]| {
                    let found = (0..lines.len()).find(|&i| !taken[i] && is_one(&lines[i], part));
                    found.inspect(|&i| taken[i] = true)
                };
                places.push(parts.into_iter().map(|part| place(part).expect("each segment is of a line")).min());
            }
            assert!(places.is_sorted() && taken.iter().all(|&taken| taken), "{lines:?}: {strands:?}");
            let long = || chains.iter().filter(|chain| chain.len() > 2);
            assert_eq!((told.chains, told.joined), (long().count(), long().map(|chain| chain.len() - 1).sum()), "{lines:?}");
        }
        assert!(longest > 6, "{longest}");
    }
}

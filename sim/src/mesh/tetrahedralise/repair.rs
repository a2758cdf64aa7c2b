//! Makes the stuffed solid sound: no droplets, nothing that hangs by an edge or a vertex, a surface without pinches.

use super::boundary::{components, faces};
use super::cone::between_cones;
use crate::mesh::topology::DisjointSets;

/// What [`repair`] changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Repairs {
    /// Components below the size asked for, dropped whole.
    pub dropped_components: usize,
    /// Tets in them.
    pub dropped_tets: usize,
    /// Tets removed where the surface met itself along an edge, or in a vertex that they did not hang by.
    pub pinched_tets: usize,
    /// Vertices doubled where the surface met itself in a point.
    pub split_vertices: usize,
}

impl std::ops::AddAssign for Repairs {
    fn add_assign(&mut self, other: Self) {
        self.dropped_components += other.dropped_components;
        self.dropped_tets += other.dropped_tets;
        self.pinched_tets += other.pinched_tets;
        self.split_vertices += other.split_vertices;
    }
}

/// Repairs `tets` in place. `min_part` is the smallest component to keep, as a share of the tets of the largest one.
/// Returns for each new vertex, numbered from `vertices` upwards, the one that it doubles.
pub fn repair(tets: &mut Vec<[u32; 4]>, vertices: usize, min_part: f64) -> (Vec<u32>, Repairs) {
    let mut repairs = Repairs::default();
    drop_small(tets, min_part, &mut repairs);
    // Each round removes tets, so this ends.
    while remove_pinches(tets, &mut repairs) || open_cones(tets, &mut repairs) {
        drop_small(tets, min_part, &mut repairs);
    }
    let copies = split_hinges(tets, vertices, &mut repairs);
    (copies, repairs)
}

fn drop_small(tets: &mut Vec<[u32; 4]>, min_part: f64, repairs: &mut Repairs) {
    let (component, count) = components(tets);
    let mut sizes = vec![0usize; count];
    for &c in &component {
        sizes[c as usize] += 1;
    }
    let least = min_part * sizes.iter().copied().max().unwrap_or(0) as f64;
    let before = tets.len();
    let mut of = component.iter();
    tets.retain(|_| of.next().is_some_and(|&c| sizes[c as usize] as f64 >= least));
    repairs.dropped_components += sizes.iter().filter(|&&s| (s as f64) < least).count();
    repairs.dropped_tets += before - tets.len();
}

/// Where more than two boundary triangles meet in an edge, the tets around it fall into several fans: keeps the
/// largest and removes the rest. Returns whether anything was removed.
fn remove_pinches(tets: &mut Vec<[u32; 4]>, repairs: &mut Repairs) -> bool {
    let mut edges: Vec<[u32; 2]> =
        faces(tets).iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).map(|[a, b]| [a.min(b), a.max(b)]).collect();
    edges.sort_unstable();
    let pinched: Vec<[u32; 2]> = edges.chunk_by(|a, b| a == b).filter(|c| c.len() > 2).map(|c| c[0]).collect();
    if pinched.is_empty() {
        return false;
    }
    let mut around: Vec<([u32; 2], usize)> = Vec::new();
    for (t, tet) in tets.iter().enumerate() {
        for (i, j) in (0..4).flat_map(|i| (i + 1..4).map(move |j| (i, j))) {
            let edge = [tet[i].min(tet[j]), tet[i].max(tet[j])];
            if pinched.binary_search(&edge).is_ok() {
                around.push((edge, t));
            }
        }
    }
    around.sort_unstable();
    let mut doomed = vec![false; tets.len()];
    for fan in around.chunk_by(|a, b| a.0 == b.0) {
        let members: Vec<[u32; 4]> = fan.iter().map(|f| tets[f.1]).collect();
        let (part, count) = components(&members);
        let size = |p: usize| part.iter().filter(|&&x| x as usize == p).count();
        let largest = (0..count).max_by_key(|&p| (size(p), count - p)).unwrap_or(0);
        for (f, p) in fan.iter().zip(&part) {
            doomed[f.1] |= *p as usize != largest;
        }
    }
    remove(tets, &doomed, repairs);
    true
}

/// Where the surface meets itself in a vertex without parting the tets around it, joins the air on both sides. Returns
/// whether anything was removed.
fn open_cones(tets: &mut Vec<[u32; 4]>, repairs: &mut Repairs) -> bool {
    let mut doomed = vec![false; tets.len()];
    let between = between_cones(tets);
    between.iter().for_each(|&t| doomed[t] = true);
    remove(tets, &doomed, repairs);
    !between.is_empty()
}

fn remove(tets: &mut Vec<[u32; 4]>, doomed: &[bool], repairs: &mut Repairs) {
    let before = tets.len();
    let mut fate = doomed.iter();
    tets.retain(|_| fate.next() == Some(&false));
    repairs.pinched_tets += before - tets.len();
}

/// Gives every group of tets that meets the others in a single vertex its own copy of that vertex.
fn split_hinges(tets: &mut [[u32; 4]], vertices: usize, repairs: &mut Repairs) -> Vec<u32> {
    let mut on_surface = vec![false; vertices];
    faces(tets).iter().flatten().for_each(|&v| on_surface[v as usize] = true);
    let mut stars: Vec<(u32, usize)> =
        tets.iter().enumerate().flat_map(|(t, tet)| tet.map(|v| (v, t))).filter(|s| on_surface[s.0 as usize]).collect();
    stars.sort_unstable();
    let mut copies = Vec::new();
    for star in stars.chunk_by(|a, b| a.0 == b.0) {
        let centre = star[0].0;
        let (group, count) = groups(centre, &star.iter().map(|s| tets[s.1]).collect::<Vec<_>>());
        for g in 1..count {
            let copy = (vertices + copies.len()) as u32;
            copies.push(centre);
            for (s, _) in star.iter().zip(&group).filter(|(_, x)| **x as usize == g) {
                tets[s.1].iter_mut().filter(|v| **v == centre).for_each(|v| *v = copy);
            }
        }
    }
    repairs.split_vertices = copies.len();
    copies
}

/// Groups of the tets around `centre` that are joined by faces which contain it.
fn groups(centre: u32, star: &[[u32; 4]]) -> (Vec<u32>, usize) {
    let mut sides: Vec<([u32; 2], usize)> = Vec::new();
    for (t, tet) in star.iter().enumerate() {
        let mut rim: Vec<u32> = tet.iter().copied().filter(|v| *v != centre).collect();
        rim.sort_unstable();
        sides.extend((0..rim.len()).flat_map(|i| (i + 1..rim.len()).map(move |j| (i, j))).map(|(i, j)| ([rim[i], rim[j]], t)));
    }
    sides.sort_unstable();
    let mut sets = DisjointSets::new(star.len());
    for pair in sides.windows(2).filter(|w| w[0].0 == w[1].0) {
        sets.join(pair[0].1 as u32, pair[1].1 as u32);
    }
    let of = sets.numbered();
    let count = of.iter().max().map_or(0, |&last| last as usize + 1);
    (of, count)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn two_tets_that_share_a_vertex_are_parted() {
        let mut tets = vec![[0, 1, 2, 3], [0, 4, 5, 6]];
        let (copies, repairs) = repair(&mut tets, 7, 0.5);
        assert_eq!((copies, repairs.split_vertices), (vec![0], 1));
        assert_eq!(tets, [[0, 1, 2, 3], [7, 4, 5, 6]]);
    }

    #[test]
    fn of_two_tets_that_share_an_edge_one_stays() {
        let mut tets = vec![[0, 1, 2, 3], [0, 1, 4, 5]];
        let (copies, repairs) = repair(&mut tets, 6, 0.0);
        assert_eq!((tets.len(), copies.len(), repairs.pinched_tets), (1, 0, 1));
    }
}

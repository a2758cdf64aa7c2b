//! The sewing pattern of cloth, from the texture coordinates of its file, and what is odd about it.

use std::sync::Mutex;

use super::told::{LEAST_AREA, places};
use crate::geometry::see_triangle_pairs;
use crate::import::RawMesh;
use crate::math::Vec3;
use crate::mesh::health::{Mate, Mates, has_no_area};
use crate::mesh::topology::DisjointSets;
use crate::mesh::{BodyMesh, Cells, MeshProblem, Pattern, ProblemCode};
use crate::watch::Watch;

/// Median of the areas over those of the pattern beyond which, or below one over it, the scale of the pattern cannot be meant.
const PLAUSIBLE: f64 = 2.0;
/// Depth to which triangles of a pattern must lie on one another to be told of, over their size.
const DEEP: f64 = 1e-6;
/// Pairs of boxes that are looked at for each triangle at most.
const MOST_PAIRS: usize = 400;

/// Gives `mesh` the pattern that the texture coordinates of `raw`, of which it was made, are with units of `scale` [m].
///
/// # Errors
/// In words: triangles without texture coordinates, or without area among them.
pub fn add(mesh: &mut BodyMesh, raw: &RawMesh, scale: f64, watch: &dyn Watch) -> Result<(), String> {
    let Cells::Triangles(triangles) = &mesh.cells else { return Ok(()) };
    let pattern = pattern_of(mesh, triangles, raw, scale)?;
    let middle = |t: usize| triangles[t].iter().map(|&v| mesh.positions[v as usize]).sum::<Vec3>() / 3.0;
    let flat = |pattern: &Pattern, t: &usize| has_no_area(&pattern.corners(*t).map(|[u, v]| Vec3::new(u, v, 0.0)), LEAST_AREA);
    let none: Vec<usize> = (0..triangles.len()).filter(|t| flat(&pattern, t)).collect();
    if !none.is_empty() {
        let shown = places(none.iter().map(|&t| (format!("triangle {}", mesh.source_cells[t]), middle(t))));
        return Err(format!(
            "{} triangles have no area in their texture coordinates ({shown}), and no cloth is cut like that; lay the texture out anew",
            none.len()
        ));
    }
    let source = |t: &usize| mesh.source_cells[*t] as usize;
    let turned: Vec<usize> = turned_over(&pattern, triangles).iter().map(source).collect();
    let told =
        |n| format!("{n} triangles of the sewing pattern lie with their backs up beside others of the same panel; it is folded there");
    let mut problems: Vec<MeshProblem> = MeshProblem::found(ProblemCode::Pattern, &turned, false, told).into_iter().collect();
    let twice: Vec<usize> = overlapping(&pattern, watch).iter().map(source).collect();
    let told = |n| format!("{n} triangles of the sewing pattern lie on others: panels overlap there, which changes nothing at rest");
    problems.extend(MeshProblem::found(ProblemCode::Pattern, &twice, false, told));
    problems.extend(off_scale(&pattern, triangles, &mesh.positions, scale));
    mesh.problems.extend(problems);
    mesh.pattern = Some(pattern);
    Ok(())
}

/// The pattern of the triangles that were kept, with the corners in their order.
fn pattern_of(mesh: &BodyMesh, triangles: &[[u32; 3]], raw: &RawMesh, scale: f64) -> Result<Pattern, String> {
    if raw.texture.triangles.is_empty() {
        return Err("the file has no texture coordinates (vt lines, with faces v/vt); export it with them".into());
    }
    let mut bare = Vec::new();
    let mut corners_of = |(t, corners): (usize, &[u32; 3])| {
        let (source, own) = (mesh.source_cells[t] as usize, raw.texture.triangles[mesh.source_cells[t] as usize]);
        if own.contains(&u32::MAX) {
            bare.push(source);
        }
        // Triangles that looked the other way were turned round.
        corners.map(|v| {
            let vertex = mesh.source_vertices[v as usize];
            let k = raw.triangles[source].iter().position(|&other| other == vertex).unwrap_or(0);
            own[k]
        })
    };
    let triangles: Vec<[u32; 3]> = triangles.iter().enumerate().map(&mut corners_of).collect();
    if let Some(first) = bare.first() {
        return Err(format!("{} triangles have no texture coordinates (triangle {first} is the first); give them some", bare.len()));
    }
    let points = raw.texture.points.iter().map(|point| point.map(|c| scale * c)).collect();
    Ok(Pattern { points, triangles })
}

/// Triangles that lie with the other side up than most of their panel.
fn turned_over(pattern: &Pattern, triangles: &[[u32; 3]]) -> Vec<usize> {
    let mut panels = DisjointSets::new(triangles.len());
    for (side, mate) in (0..).zip(&Mates::of(triangles).mates) {
        if let Mate::Side(other) = *mate
            && side < other
            && !is_cut(pattern, triangles, side, other)
        {
            panels.join(side / 3, other / 3);
        }
    }
    let panel_of = panels.numbered();
    let mut backs = vec![0i64; panel_of.iter().max().map_or(0, |last| *last as usize + 1)];
    let is_back = |t: usize| pattern.area(t) < 0.0;
    (0..triangles.len()).for_each(|t| backs[panel_of[t] as usize] += if is_back(t) { 1 } else { -1 });
    (0..triangles.len()).filter(|&t| is_back(t) != (backs[panel_of[t] as usize] > 0)).collect()
}

/// Whether two sides of one edge lie apart in the pattern.
fn is_cut(pattern: &Pattern, triangles: &[[u32; 3]], side: u32, other: u32) -> bool {
    let ends = |side: u32| {
        let t = side as usize / 3;
        [0, 1].map(|k| ((side % 3 + k) % 3) as usize).map(|corner| (triangles[t][corner], pattern.corners(t)[corner]))
    };
    let others = ends(other);
    ends(side).iter().any(|(vertex, point)| others.iter().any(|(same, elsewhere)| same == vertex && elsewhere != point))
}

/// Triangles that lie on others; as many as are found in reasonable time.
fn overlapping(pattern: &Pattern, watch: &dyn Watch) -> Vec<usize> {
    let x: Vec<Vec3> = pattern.points.iter().map(|[u, v]| Vec3::new(*u, *v, 0.0)).collect();
    let found = Mutex::new(Vec::new());
    let see = |a: u32, b: u32| {
        if overlap(&pattern.corners(a as usize), &pattern.corners(b as usize)) {
            let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            found.extend([a as usize, b as usize]);
        }
    };
    // Cancelled, the mesh is given up all the same.
    let _ = see_triangle_pairs(&pattern.triangles, &x, MOST_PAIRS * pattern.triangles.len(), watch, see);
    let mut found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether two triangles in the plane have more than a border in common: no side of one of them has all of the other behind it.
fn overlap(first: &[[f64; 2]; 3], second: &[[f64; 2]; 3]) -> bool {
    let parts = |of: &[[f64; 2]; 3], other: &[[f64; 2]; 3]| {
        (0..3).any(|k| {
            let (a, b, c) = (of[k], of[(k + 1) % 3], of[(k + 2) % 3]);
            let side = [b[0] - a[0], b[1] - a[1]];
            let height = |p: [f64; 2]| side[0] * (p[1] - a[1]) - side[1] * (p[0] - a[0]);
            let own = height(c);
            other.iter().all(|&p| height(p) * own.signum() <= DEEP * own.abs())
        })
    };
    !parts(first, second) && !parts(second, first)
}

/// That the pattern is far larger or smaller than what was made of it.
fn off_scale(pattern: &Pattern, triangles: &[[u32; 3]], x: &[Vec3], scale: f64) -> Option<MeshProblem> {
    let area = |[a, b, c]: [Vec3; 3]| 0.5 * (b - a).cross(&(c - a)).norm();
    let ratio = |(t, corners): (usize, &[u32; 3])| area(corners.map(|v| x[v as usize])) / pattern.area(t).abs();
    let mut ratios: Vec<f64> = triangles.iter().enumerate().map(ratio).collect();
    let half = ratios.len() / 2;
    let (_, median, _) = ratios.select_nth_unstable_by(half, f64::total_cmp);
    let is_plausible = (1.0 / PLAUSIBLE..=PLAUSIBLE).contains(median);
    (!is_plausible).then(|| MeshProblem {
        code: ProblemCode::Pattern,
        count: 1,
        indices: Vec::new(),
        fixed: false,
        message: format!(
            "the cloth has {:.3e} times the area of its sewing pattern (median of the triangles); with \"uv_scale\": {:.4e} they would be as large",
            median,
            scale * median.sqrt()
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::overlap;

    #[test]
    fn neighbours_do_not_overlap_and_what_lies_on_another_does() {
        let base = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        let cases = [
            ([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], false),
            ([[1.0, 0.0], [2.0, 0.3], [2.0, -0.4]], false),
            ([[0.0, 0.0], [-1.0, 0.3], [-1.0, -0.4]], false),
            ([[1e-9, 0.0], [1.0, -1.0], [0.0, -1.0]], false),
            (base, true),
            ([[0.1, 0.1], [0.2, 0.1], [0.1, 0.2]], true),
            ([[0.0, 0.0], [0.0, 1.0], [0.5, 0.1]], true),
            ([[-1.0, 0.2], [2.0, 0.2], [0.5, 0.3]], true),
            ([[5.0, 5.0], [6.0, 5.0], [5.0, 6.0]], false),
        ];
        for (other, expected) in cases {
            for turned in [other, [other[0], other[2], other[1]], [other[1], other[2], other[0]]] {
                assert_eq!([overlap(&base, &turned), overlap(&turned, &base)], [expected; 2], "{turned:?}");
            }
        }
    }
}

//! What is wrong with a surface that cloth is to be made of: told, mended where that is safe, or a reason to refuse it.

use crate::math::Vec3;
use crate::mesh::health::{Mates, duplicate_triangles, has_no_area, side_ends};
use crate::mesh::{MeshProblem, ProblemCode};

/// Twice the area over the square of the longest edge below which a triangle cannot be told from a line.
pub const LEAST_AREA: f64 = 1e-10;
/// Places that are named.
const NAMED: usize = 3;

/// The triangles that cloth is made of, by their numbers in `triangles`: without those that are given twice or name a vertex twice.
///
/// # Errors
/// In words, with the places: what has no area, what no two-sided sheet has.
pub fn sound(positions: &[Vec3], triangles: &[[u32; 3]]) -> Result<(Vec<usize>, Vec<MeshProblem>), String> {
    if let Some((t, v)) = triangles.iter().enumerate().find_map(|(t, c)| Some((t, c.iter().find(|v| **v as usize >= positions.len())?))) {
        return Err(format!("triangle {t} names vertex {v}, but there are only {} vertices", positions.len()));
    }
    let is_twice = {
        let mut marks = vec![false; triangles.len()];
        duplicate_triangles(triangles).into_iter().for_each(|t| marks[t as usize] = true);
        marks
    };
    let names_twice = |[a, b, c]: &[u32; 3]| a == b || b == c || c == a;
    let (kept, dropped): (Vec<usize>, Vec<usize>) = (0..triangles.len()).partition(|&t| !is_twice[t] && !names_twice(&triangles[t]));
    let message = |n| format!("{n} triangles that were given twice or name a vertex twice were left out");
    let problems = MeshProblem::found(ProblemCode::DuplicateFace, &dropped, true, message).into_iter().collect();
    let flat: Vec<usize> =
        kept.iter().copied().filter(|&t| has_no_area(&triangles[t].map(|v| positions[v as usize]), LEAST_AREA)).collect();
    if !flat.is_empty() {
        let at = |t: usize| triangles[t].iter().map(|&v| positions[v as usize]).sum::<Vec3>() / 3.0;
        return Err(format!(
            "{} triangles have no area ({}); cloth cannot be made of them: collapse their short edges, or swap their long ones, and export again",
            flat.len(),
            places(flat.iter().map(|&t| (format!("triangle {t}"), at(t))))
        ));
    }
    let used: Vec<[u32; 3]> = kept.iter().map(|&t| triangles[t]).collect();
    let mates = Mates::of(&used);
    let many: Vec<&[u32]> = mates.non_manifold().collect();
    if !many.is_empty() {
        let edge = |sides: &&[u32]| {
            let [a, b] = side_ends(&used, sides[0]);
            let middle: Vec3 = 0.5 * (positions[a as usize] + positions[b as usize]);
            (format!("edge {a}-{b} of {} triangles", sides.len()), middle)
        };
        return Err(format!(
            "at {} edges more than two triangles meet ({}); cloth has at most two sides: split the vertices there, or remove what is there twice",
            many.len(),
            places(many.iter().map(edge))
        ));
    }
    Ok((kept, problems))
}

/// Names and places, the first few.
pub fn places(all: impl Iterator<Item = (String, Vec3)>) -> String {
    let shown: Vec<String> = all.take(NAMED).map(|(name, x)| format!("{name} near {:.4}, {:.4}, {:.4}", x.x, x.y, x.z)).collect();
    shown.join("; ")
}

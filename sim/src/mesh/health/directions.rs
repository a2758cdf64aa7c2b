//! Faces that look the wrong way, and the volume inside.

use super::Finding;
use super::nesting::is_nested;
use super::orientation::sides;
use super::surface::Surface;
use crate::mesh::ProblemCode;
use crate::scene::SurfaceRepair;

/// Faces against their neighbours and closed parts inside out; and the volume inside, if every part is closed. A closed part within
/// another one may look inward: it bounds a cavity.
pub fn findings(surface: &Surface) -> ([Option<Finding>; 2], Option<f64>) {
    let sides = sides(surface.positions, surface.triangles, surface.mates);
    let flipped: Vec<u32> = (0..surface.triangles.len() as u32).filter(|&t| sides.against[t as usize]).collect();
    let (mut inside_out, mut parts, mut volume) = (Vec::new(), 0, 0.0);
    for (s, shell) in sides.shells.iter().enumerate() {
        let wrong = shell.closed && shell.inward && !is_nested(surface.positions, surface.triangles, &sides.shells, s);
        volume += if wrong { -shell.volume } else { shell.volume };
        if wrong {
            parts += 1;
            inside_out.extend_from_slice(&shell.triangles);
        }
    }
    inside_out.sort_unstable();
    let closed = !sides.shells.is_empty() && sides.shells.iter().all(|shell| shell.closed && shell.orientable);
    let fix = Some(SurfaceRepair::Orient);
    let against = |n| format!("{n} faces look the other way than their neighbours");
    let inward = |n| format!("{n} faces of {parts} closed parts look inward");
    let found = [
        surface.told_of_faces(ProblemCode::Flipped, flipped, fix, against),
        surface.told_of_faces(ProblemCode::InsideOut, inside_out, fix, inward),
    ];
    (found, closed.then_some(volume))
}

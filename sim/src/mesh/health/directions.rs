//! Faces that look the wrong way, and the volume inside.

use super::Finding;
use super::nesting::inside_out;
use super::orientation::sides;
use super::surface::Surface;
use crate::mesh::ProblemCode;
use crate::mesh::mend::SurfaceRepair;

/// Faces against their neighbours and closed parts inside out; and the volume inside, if every part is closed. A closed part within
/// another one may look inward: it bounds a cavity.
pub fn findings(surface: &Surface) -> ([Option<Finding>; 2], Option<f64>) {
    let sides = sides(surface.positions, surface.triangles, surface.mates);
    let flipped: Vec<u32> = (0..surface.triangles.len() as u32).filter(|&t| sides.against[t as usize]).collect();
    let mut volume: f64 = sides.shells.iter().map(|shell| shell.volume).sum();
    let (mut inward, mut parts) = (Vec::new(), 0);
    for shell in inside_out(surface.positions, surface.triangles, &sides).into_iter().map(|s| &sides.shells[s]).filter(|shell| shell.closed)
    {
        volume -= 2.0 * shell.volume;
        parts += 1;
        inward.extend_from_slice(&shell.triangles);
    }
    inward.sort_unstable();
    let closed = !sides.shells.is_empty() && sides.shells.iter().all(|shell| shell.closed && shell.orientable);
    let fix = Some(SurfaceRepair::Orient);
    let against = |n| format!("{n} faces look the other way than their neighbours");
    let look_inward = |n| format!("{n} faces of {parts} closed parts look inward");
    let found = [
        surface.told_of_faces(ProblemCode::Flipped, flipped, fix, against),
        surface.told_of_faces(ProblemCode::InsideOut, inward, fix, look_inward),
    ];
    (found, closed.then_some(volume))
}

//! Rigid motions that nothing resists: a box on ice slides, a body in space turns. Their eigenvalues are zero but for
//! round-off; they say nothing about the body, and are kept out of its softest modes.

use nalgebra::DMatrix;

use super::pencil::Pencil;
use crate::math::Vec3;
use crate::sag_free::parts::joined_by_elements;
use crate::watch::{Cancelled, Watch};

/// Parts without supports beyond which neutral motions are not looked for.
const MOST_PARTS: usize = 32;
/// A motion is neutral if |H r| is below this share of the median diagonal.
const NEUTRAL: f64 = 1e-9;

/// An M-orthonormal basis of the rigid motions of parts, each by itself or several together, that make no force.
///
/// # Errors
/// Cancelled.
pub fn neutral_motions(pencil: &Pencil, watch: &dyn Watch) -> Result<Vec<Vec<Vec3>>, Cancelled> {
    let mut rigid: Vec<Vec<Vec3>> = Vec::new();
    let parts = unsupported_parts(pencil);
    if parts.len() > MOST_PARTS {
        return Ok(Vec::new());
    }
    for part in parts {
        let own = rigid.len();
        for mut motion in rigid_motions(pencil, &part) {
            pencil.system.take_supported(&mut motion);
            let before = pencil.dot(&motion, &motion).sqrt();
            pencil.take_out(&rigid[own..], &mut motion);
            if pencil.normalise(&mut motion) > 1e-8 * before {
                rigid.push(motion);
            }
        }
    }
    watch.check()?;
    let forces: Vec<Vec<Vec3>> = rigid.iter().map(|motion| force(pencil, motion)).collect();
    let gram = DMatrix::from_fn(rigid.len(), rigid.len(), |i, j| dot(&forces[i], &forces[j]));
    if rigid.is_empty() {
        return Ok(rigid);
    }
    let eigen = gram.symmetric_eigen();
    let mut neutral = Vec::new();
    for combination in eigen.eigenvectors.column_iter() {
        let mut motion = vec![Vec3::zeros(); pencil.masses.len()];
        for (share, rigid) in combination.iter().zip(&rigid) {
            motion.iter_mut().zip(rigid).for_each(|(m, r)| *m += *share * r);
        }
        let force = force(pencil, &motion);
        if dot(&force, &force).sqrt() <= NEUTRAL * pencil.typical {
            pencil.take_out(&neutral, &mut motion);
            pencil.normalise(&mut motion);
            neutral.push(motion);
        }
    }
    Ok(neutral)
}

fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}

/// H r, without what supports take.
fn force(pencil: &Pencil, motion: &[Vec3]) -> Vec<Vec3> {
    let mut force = vec![Vec3::zeros(); motion.len()];
    pencil.hessian.multiply(pencil.pattern, motion, &mut force);
    pencil.system.take_supported(&mut force);
    force
}

/// The nodes of each part that is joined by elements and has no fixed node.
fn unsupported_parts(pencil: &Pencil) -> Vec<Vec<usize>> {
    let system = pencil.system;
    let part_of = joined_by_elements(system.body_nodes(), &system.families).numbered();
    let mut parts = vec![Vec::new(); part_of.iter().max().map_or(0, |&last| last as usize + 1)];
    for (node, &part) in part_of.iter().enumerate() {
        parts[part as usize].push(node);
    }
    parts.retain(|part| part.iter().all(|&node| !system.fixed[node]));
    parts
}

/// Three translations and three rotations about the middle, linearised, on all nodes of the system.
fn rigid_motions(pencil: &Pencil, part: &[usize]) -> Vec<Vec<Vec3>> {
    let x = &pencil.system.positions;
    let middle = part.iter().map(|&node| x[node]).sum::<Vec3>() / part.len() as f64;
    let size = part.iter().map(|&node| (x[node] - middle).norm()).fold(f64::MIN_POSITIVE, f64::max);
    let motion = |axis: usize, turns: bool| {
        let axis = Vec3::ith(axis, 1.0);
        let mut motion = vec![Vec3::zeros(); x.len()];
        for &node in part {
            motion[node] = if turns { axis.cross(&((x[node] - middle) / size)) } else { axis };
        }
        motion
    };
    [false, true].into_iter().flat_map(|turns| (0..3).map(move |axis| (axis, turns))).map(|(axis, turns)| motion(axis, turns)).collect()
}

//! The elements of strands that are Cosserat rods.

use super::{Lines, Strands};
use crate::bodies::{Degenerate, Families};
use crate::element::Batch;
use crate::element::rod::{BendTwist, Joint, Segment};
use crate::math::Vec3;

/// Segments between two vertices and their frame, and joints between two frames.
pub fn families(strands: &Strands, lines: &Lines) -> Result<Families, Degenerate> {
    let settings = &strands.settings;
    let (mut segments, mut nodes) = (Vec::with_capacity(lines.segments.len()), Vec::with_capacity(lines.segments.len()));
    for (s, &[a, b]) in lines.segments.iter().enumerate() {
        let x = [lines.given[a as usize], lines.given[b as usize], Vec3::zeros()];
        let segment = Segment::new(strands.factor(s) * settings.stretching(), lines.edges[s].norm(), &x);
        segments.push(strands.damped(segment.map_err(|why| vec![(s, why)])?));
        nodes.push([a, b, lines.frame_of(s)]);
    }
    let joint = |pair: &[u32; 2]| {
        let pair = pair.map(|s| s as usize);
        let arms = pair.map(|s| lines.edges[s].norm());
        let factor = strands.factor_between(pair);
        let measure = BendTwist { arms, frames: pair.map(|s| lines.frames[s]), length: 0.5 * (arms[0] + arms[1]) };
        strands.damped(Joint::new(factor * settings.bending(), factor * settings.twisting(), measure))
    };
    let mut families: Families = vec![Box::new(Batch::new(segments, nodes))];
    if !lines.joints.is_empty() {
        let nodes = lines.joints.iter().map(|pair| pair.map(|s| lines.frame_of(s as usize))).collect();
        families.push(Box::new(Batch::new(lines.joints.iter().map(joint).collect(), nodes)));
    }
    Ok(families)
}

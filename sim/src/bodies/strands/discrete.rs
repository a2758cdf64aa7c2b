//! The elements of strands that are discrete elastic rods.

use super::{Lines, Strands};
use crate::bodies::{Degenerate, Families};
use crate::element::Batch;
use crate::element::rod::{CurvatureTwist, DiscreteJoint, DiscreteSegment};
use crate::math::Vec3;

/// Segments between two vertices and their frame, and joints between three vertices and two frames.
pub fn families(strands: &Strands, lines: &Lines) -> Result<Families, Degenerate> {
    let settings = &strands.settings;
    let at = |vertex: u32| lines.given[vertex as usize];
    let (mut segments, mut nodes) = (Vec::with_capacity(lines.segments.len()), Vec::with_capacity(lines.segments.len()));
    for (s, &[a, b]) in lines.segments.iter().enumerate() {
        let stiffness = [settings.stretching(), settings.bending()].map(|stiffness| strands.factor(s) * stiffness);
        let segment = DiscreteSegment::new(stiffness, lines.edges[s].norm(), lines.frames[s], &[at(a), at(b), Vec3::zeros()]);
        segments.push(strands.damped(segment.map_err(|why| vec![(s, why)])?));
        nodes.push([a, b, lines.frame_of(s)]);
    }
    let (mut joints, mut nodes_of_joints) = (Vec::with_capacity(lines.joints.len()), Vec::with_capacity(lines.joints.len()));
    for pair in &lines.joints {
        let pair = pair.map(|s| s as usize);
        let measure = CurvatureTwist::new(&pair.map(|s| lines.edges[s]), pair.map(|s| lines.frames[s]));
        let measure = measure.map_err(|why| vec![(pair[1], why)])?;
        let [[a, b], [_, c]] = pair.map(|s| lines.segments[s]);
        let factor = strands.factor_between(pair);
        let x = [at(a), at(b), at(c), Vec3::zeros(), Vec3::zeros()];
        joints.push(strands.damped(DiscreteJoint::new(factor * settings.bending(), factor * settings.twisting(), measure, &x)));
        nodes_of_joints.push([a, b, c, lines.frame_of(pair[0]), lines.frame_of(pair[1])]);
    }
    let mut families: Families = vec![Box::new(Batch::new(segments, nodes))];
    if !joints.is_empty() {
        families.push(Box::new(Batch::new(joints, nodes_of_joints)));
    }
    Ok(families)
}

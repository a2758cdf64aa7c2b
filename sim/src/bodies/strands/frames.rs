//! Frames of segments in the given shape: the third axis along the segment, the others carried from one segment to the next without twist
//! (Bergou et al. 2008, parallel transport).

use nalgebra::{Quaternion, Rotation3, UnitQuaternion};

use crate::math::{Mat3, Vec3};

/// The frame of each of `edges`, none of them without length; one whose `starts` is true has no segment before it.
pub fn frames(edges: &[Vec3], starts: impl Fn(usize) -> bool) -> Vec<Quaternion<f64>> {
    let mut frames: Vec<UnitQuaternion<f64>> = Vec::with_capacity(edges.len());
    for (index, edge) in edges.iter().enumerate() {
        let axis = edge.normalize();
        let carried = frames.last().filter(|_| !starts(index)).and_then(|before| {
            let least = UnitQuaternion::rotation_between(&(before * Vec3::z()), &axis)?;
            Some(least * before)
        });
        frames.push(carried.unwrap_or_else(|| {
            // Across: away from the coordinate axis that it is most along.
            let first = axis.cross(&Vec3::ith(axis.iamin(), 1.0)).normalize();
            let frame = Mat3::from_columns(&[first, axis.cross(&first), axis]);
            UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(frame))
        }));
    }
    frames.into_iter().map(UnitQuaternion::into_inner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    /// Third axes are along the segments, and from one segment to the next nothing is twisted.
    #[test]
    fn frames_follow_their_segments_without_twist() {
        let mut random = Random::new(90);
        let mut edges: Vec<Vec3> = (0..40).map(|_| random.vector(-1.0, 1.0)).collect();
        edges[11] = -2.0 * edges[10];
        let frames = frames(&edges, |index| index == 20);
        for (index, (frame, edge)) in frames.iter().zip(&edges).enumerate() {
            let frame = UnitQuaternion::from_quaternion(*frame);
            assert!((frame * Vec3::z() - edge.normalize()).norm() < 1e-14, "{index}");
            if index > 0 && index != 11 && index != 20 {
                let relative = frames[index - 1].conjugate() * *frame.quaternion();
                assert!(relative.k.abs() < 1e-14, "{index}: {relative}");
            }
        }
    }
}

//! Which parts are inside out: they enclose a negative volume, and bound no cavity of another part.

use std::f64::consts::PI;

use super::orientation::{Shell, Sides};
use crate::math::Vec3;
use crate::mesh::triangle_tree::TriangleTree;
use crate::mesh::winding::{Winding, solid_angle};

/// A shell with holes has an inside if its volume is more than this share of area^(3/2): a ball has 0.094, a flat sheet 0.
const HOLLOW: f64 = 0.01;

/// The shells, by number, that look inward although they have an inside and lie in no other shell that has one; one that does may
/// bound a cavity of it. `sides` are those of the triangles.
pub fn inside_out(positions: &[Vec3], triangles: &[[u32; 3]], sides: &Sides) -> Vec<usize> {
    let bodies: Vec<usize> = (0..sides.shells.len()).filter(|&s| has_inside(positions, triangles, &sides.shells[s])).collect();
    let inward: Vec<usize> = bodies.iter().copied().filter(|&s| sides.shells[s].inward).collect();
    if inward.is_empty() {
        return inward;
    }
    // With all of them facing outward, a winding number counts the shells around a point.
    let outward = |s: usize| {
        let shell = &sides.shells[s];
        shell.triangles.iter().map(move |&t| {
            let [a, b, c] = triangles[t as usize];
            if sides.against[t as usize] == shell.inward { [a, b, c] } else { [a, c, b] }
        })
    };
    let all: Vec<[u32; 3]> = bodies.iter().flat_map(|&s| outward(s)).collect();
    let tree = TriangleTree::new(positions, &all);
    let winding = Winding::new(&tree);
    let is_nested = |s: usize| {
        let point = positions[triangles[sides.shells[s].triangles[0] as usize][0] as usize];
        let own = outward(s).map(|t| solid_angle(&t.map(|v| positions[v as usize]), &point)).sum::<f64>() / (4.0 * PI);
        winding.around(&tree, &point) - own > 0.5
    };
    inward.into_iter().filter(|&s| !is_nested(s)).collect()
}

/// Whether a shell is closed, or so far around something that it has an inside all the same.
fn has_inside(positions: &[Vec3], triangles: &[[u32; 3]], shell: &Shell) -> bool {
    let double_area = |t: &u32| {
        let [a, b, c] = triangles[*t as usize].map(|v| positions[v as usize]);
        (b - a).cross(&(c - a)).norm()
    };
    let area = || 0.5 * shell.triangles.iter().map(double_area).sum::<f64>();
    shell.orientable && (shell.closed || is_bulky(shell.volume, area()))
}

/// Whether a surface encloses a volume [m^3] worth mentioning beside its area [m^2].
pub fn is_bulky(volume: f64, area: f64) -> bool {
    volume.abs() > HOLLOW * area.powf(1.5)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Mates, sides};
    use super::*;
    use crate::mesh::TriangleMesh;

    fn found(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<usize> {
        inside_out(positions, triangles, &sides(positions, triangles, &Mates::of(triangles)))
    }

    /// Balls of these radii around the origin, inward where a radius is negative.
    fn balls(radii: &[f64]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        for radius in radii {
            let ball = TriangleMesh::capsule(&Vec3::zeros(), &Vec3::zeros(), radius.abs(), 12);
            let shift = positions.len() as u32;
            let turned = |&[a, b, c]: &[u32; 3]| if *radius < 0.0 { [a, c, b] } else { [a, b, c] };
            triangles.extend(ball.triangles.iter().map(turned).map(|t| t.map(|v| v + shift)));
            positions.extend(ball.positions);
        }
        (positions, triangles)
    }

    #[test]
    fn the_outermost_is_turned_and_cavities_are_not() {
        let table: [(&[f64], &[usize]); 5] =
            [(&[1.0], &[]), (&[-1.0], &[0]), (&[1.0, -0.5], &[]), (&[-1.0, -0.5], &[0]), (&[-0.2, -1.0, 0.5], &[1])];
        for (radii, expected) in table {
            let (positions, triangles) = balls(radii);
            assert_eq!(found(&positions, &triangles), expected, "{radii:?}");
            // A hole in the outermost shell changes nothing.
            let largest = radii.iter().map(|r| r.abs()).fold(0.0, f64::max);
            let is_top = |t: &[u32; 3]| t.iter().any(|&v| positions[v as usize].y > 0.99 * largest);
            let open: Vec<[u32; 3]> = triangles.iter().copied().filter(|t| !is_top(t)).collect();
            assert!(open.len() < triangles.len());
            assert_eq!(found(&positions, &open), expected, "{radii:?}, open");
        }
    }

    #[test]
    fn many_parts_side_by_side() {
        let tet = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        let outward: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let parts = 20_000;
        let positions: Vec<Vec3> =
            (0..parts).flat_map(|i| tet.map(|p| p + 2.0 * Vec3::new((i % 141) as f64, (i / 141) as f64, 0.0))).collect();
        let turned = |i: u32| outward.map(|[a, b, c]| if i.is_multiple_of(2) { [a, c, b] } else { [a, b, c] }.map(|v| v + 4 * i));
        let triangles: Vec<[u32; 3]> = (0..parts as u32).flat_map(turned).collect();
        assert_eq!(found(&positions, &triangles), (0..parts).step_by(2).collect::<Vec<_>>());
    }
}

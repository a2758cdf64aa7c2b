//! Sharp edges of a body: the vertices on them are doubled, so that each side keeps a normal of its own.

use aplomb_sim::math::Vec3;

/// Faces that meet at a larger angle than this [radians] are not shaded into each other. Edges of boxes (90 degrees)
/// are sharp; round limbs of a coarse mesh (up to some 45 degrees) are not.
const SHARP: f64 = 0.95;

/// Triangles with a vertex for each side of a sharp edge.
pub(super) struct Creases {
    /// The body's vertex that each drawn vertex moves with.
    pub source: Vec<u32>,
    /// The body's triangles, of drawn vertices.
    pub triangles: Vec<[u32; 3]>,
}

impl Creases {
    /// Of a shape; triangles around a vertex share a drawn vertex where edges that are not sharp join them.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| positions[v as usize]);
            (b - a).cross(&(c - a))
        };
        let areas: Vec<Vec3> = triangles.iter().map(area).collect();
        let mut around = vec![Vec::new(); positions.len()];
        for (t, triangle) in triangles.iter().enumerate() {
            triangle.iter().for_each(|&v| around[v as usize].push(t));
        }
        let mut creases = Self { source: Vec::with_capacity(positions.len()), triangles: triangles.to_vec() };
        for (vertex, around) in around.into_iter().enumerate() {
            let vertex = vertex as u32;
            let smooth = |a: usize, b: usize| {
                let edge = triangles[a].iter().any(|v| *v != vertex && triangles[b].contains(v));
                edge && areas[a].angle(&areas[b]) < SHARP
            };
            for side in sides(around, smooth) {
                let drawn = creases.source.len() as u32;
                creases.source.push(vertex);
                for t in side {
                    creases.triangles[t].iter_mut().zip(triangles[t]).filter(|(_, v)| *v == vertex).for_each(|(corner, _)| *corner = drawn);
                }
            }
        }
        creases
    }
}

/// Splits the triangles around a vertex into those that smooth edges join.
fn sides(mut around: Vec<usize>, smooth: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut sides = Vec::new();
    while let Some(first) = around.pop() {
        let mut side = vec![first];
        let mut done = 0;
        while done < side.len() {
            let (joined, rest): (Vec<usize>, Vec<usize>) = around.into_iter().partition(|&other| smooth(side[done], other));
            side.extend(joined);
            around = rest;
            done += 1;
        }
        sides.push(side);
    }
    sides
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sides of a prism of `count` corners, without its ends.
    fn prism(count: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let at = |i: u32| {
            let (sin, cos) = (f64::from(i / 2) * std::f64::consts::TAU / f64::from(count)).sin_cos();
            Vec3::new(cos, f64::from(i % 2), sin)
        };
        let quad = |i: u32| {
            let [a, b, c, d] = [2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 3].map(|v| v % (2 * count));
            [[a, b, d], [a, d, c]]
        };
        ((0..2 * count).map(at).collect(), (0..count).flat_map(quad).collect())
    }

    #[test]
    fn right_angles_stay_sharp_and_round_limbs_smooth() {
        let (positions, triangles) = prism(4);
        let square = Creases::new(&positions, &triangles);
        assert_eq!(square.source.len(), 16, "each of four sides has its own four corners");
        for (drawn, given) in square.triangles.iter().zip(&triangles) {
            assert_eq!(drawn.map(|v| square.source[v as usize]), *given);
        }
        let (positions, triangles) = prism(8);
        assert_eq!(Creases::new(&positions, &triangles).source.len(), positions.len());
    }

    #[test]
    fn what_no_triangle_uses_is_left_out_and_flat_triangles_do_no_harm() {
        let creases = Creases::new(&[Vec3::zeros(); 5], &[[0, 1, 2], [0, 2, 3]]);
        assert!(creases.source.iter().all(|&v| v < 4));
        assert!(creases.triangles.as_flattened().iter().all(|&v| (v as usize) < creases.source.len()));
    }
}

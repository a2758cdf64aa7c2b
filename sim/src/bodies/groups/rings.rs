//! Groups around each vertex of a mesh of tets.

use std::collections::HashMap;

use crate::math::Vec3;
use crate::mesh::{BodyMesh, Clusters};

/// Each vertex with those that an edge joins to it. Their volumes are those of the vertices, which the rest shape says.
pub fn rings(mesh: &BodyMesh) -> Clusters {
    let mut pairs: Vec<[u32; 2]> = mesh.tets().iter().flat_map(|tet| tet.iter().flat_map(|&a| tet.map(|b| [a, b]))).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut clusters = Clusters::default();
    for ring in pairs.chunk_by(|a, b| a[0] == b[0]) {
        let vertices: Vec<u32> = ring.iter().map(|pair| pair[1]).collect();
        clusters.push(&vertices, 0.0);
    }
    clusters
}

/// Vertices in a sphere at most: groups couple all of theirs.
const MOST: usize = 200;

/// Each vertex with those at most `radius` away [m].
///
/// # Errors
/// In words, that a sphere holds too few vertices, or too many.
pub fn spheres(mesh: &BodyMesh, radius: f64) -> Result<Clusters, String> {
    let key = |p: &Vec3| [p.x, p.y, p.z].map(|c| (c / radius).floor() as i64);
    let mut boxes: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    for (v, p) in (0..).zip(&mesh.positions) {
        boxes.entry(key(p)).or_default().push(v);
    }
    let mut clusters = Clusters::default();
    for (v, p) in mesh.positions.iter().enumerate() {
        let [x, y, z] = key(p);
        let around = (-1..=1).flat_map(|i| (-1..=1).flat_map(move |j| (-1..=1).map(move |k| [x + i, y + j, z + k])));
        let near = around.filter_map(|key| boxes.get(&key)).flatten();
        let mut vertices: Vec<u32> = near.copied().filter(|&w| (mesh.positions[w as usize] - p).norm() <= radius).collect();
        vertices.sort_unstable();
        let count = vertices.len();
        if !(4..=MOST).contains(&count) {
            let (how, which) = if count < 4 { ("at least 4", "larger") } else { ("at most 200", "smaller") };
            return Err(format!(
                "{count} vertices are within {radius} m around vertex {v}, and a group has {how}; take a {which} \"size\""
            ));
        }
        clusters.push(&vertices, 0.0);
    }
    Ok(clusters)
}

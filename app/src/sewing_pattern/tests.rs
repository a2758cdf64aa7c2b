#![allow(clippy::unwrap_used)]
use super::*;
use aplomb_sim::mesh::{Pattern, Seam};

/// Strips of so many squares side by side along x, each of its own panel, cut apart in the pattern; vertices from 0 strip by strip, two a
/// column, the lower first.
fn strips(columns: &[u32]) -> BodyMesh {
    let (mut positions, mut points, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for (strip, &count) in columns.iter().enumerate() {
        let first = positions.len() as u32;
        for k in 0..=count {
            for y in [0.0, 1.0] {
                let x = 3.0 * f64::from(k) / f64::from(count);
                positions.push(Vec3::new(x, y + strip as f64, 0.0));
                points.push([x, 2.0 * strip as f64 + y]);
            }
        }
        for k in 0..count {
            let [a, b, c, d] = [0, 2, 3, 1].map(|corner| first + 2 * k + corner);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let pattern = Pattern { points, triangles: triangles.clone() };
    BodyMesh { positions, surface: triangles.clone(), cells: Cells::Triangles(triangles), pattern: Some(pattern), ..BodyMesh::default() }
}

fn sewn(flat: &Flat, seam: u32) -> Vec<[u32; 2]> {
    let of_seam = flat.borders.iter().filter(|border| border.seam == Some(seam));
    of_seam.map(|border| border.ends.map(|end| flat.vertices[end as usize])).collect()
}

#[test]
fn borders_that_are_sewn_vertex_to_vertex_are_one_seam_of_two_runs() {
    // The upper side of the first strip, 1 3 5 7, and the lower of the second, 8 10 12 14, but for their last quarter.
    let mut mesh = strips(&[3, 3]);
    let Cells::Triangles(cells) = &mesh.cells else { unreachable!() };
    let at = |vertex: u32| cells.iter().position(|corners| corners.contains(&vertex)).unwrap();
    let to = |vertex: u32| {
        let cell = at(vertex);
        Seam { vertex: 0, cell: cell as u32, weights: cells[cell].map(|corner| f64::from(u8::from(corner == vertex))) }
    };
    mesh.seams = [(1, 8), (3, 10), (5, 12)].map(|(vertex, other)| Seam { vertex, ..to(other) }).into();
    let flat = Flat::of(&mesh).unwrap();
    assert_eq!((flat.panels.len(), flat.seams), (2, 1));
    let mut ends = sewn(&flat, 0);
    ends.sort_unstable();
    assert_eq!(ends, [[1, 3], [3, 5], [8, 10], [10, 12]]);
    let runs: std::collections::BTreeSet<u32> = flat.borders.iter().filter(|b| b.seam.is_some()).map(|b| b.run).collect();
    assert_eq!(runs.len(), 2, "a run on either side");
}

#[test]
fn a_fine_border_is_sewn_to_the_edges_of_a_coarse_one() {
    // Six sides against three: every other vertex lies in the middle of an edge.
    let mut mesh = strips(&[3, 6]);
    let Cells::Triangles(cells) = &mesh.cells else { unreachable!() };
    let seams = (0..=6u32).map(|k| {
        let (low, share) = ((k / 2).min(2), f64::from(k) / 2.0 - f64::from((k / 2).min(2)));
        let (a, b) = (2 * low + 1, 2 * low + 3);
        let cell = cells.iter().position(|corners| corners.contains(&a) && corners.contains(&b)).unwrap();
        let weight = |corner: u32| {
            if corner == a {
                1.0 - share
            } else if corner == b {
                share
            } else {
                0.0
            }
        };
        Seam { vertex: 8 + 2 * k, cell: cell as u32, weights: cells[cell].map(weight) }
    });
    mesh.seams = seams.collect();
    let flat = Flat::of(&mesh).unwrap();
    assert_eq!((flat.seams, sewn(&flat, 0).len()), (1, 9));
}

#[test]
fn a_surface_that_the_pattern_cuts_is_sewn_there_and_a_dart_to_itself() {
    // One strip in space, of which the pattern moves the last square away.
    let mut mesh = strips(&[3]);
    let pattern = mesh.pattern.as_mut().unwrap();
    for corners in &mut pattern.triangles[4..] {
        for corner in corners {
            pattern.points.push([pattern.points[*corner as usize][0] + 5.0, pattern.points[*corner as usize][1]]);
            *corner = pattern.points.len() as u32 - 1;
        }
    }
    let flat = Flat::of(&mesh).unwrap();
    // Each triangle that was moved has points of its own.
    assert_eq!(flat.panels.len(), 3);
    assert_eq!(flat.seams, 2, "where it is cut from the rest, and along the diagonal");
    assert_eq!(sewn(&flat, 0), [[4, 5], [4, 5]]);
}

#[test]
fn places_of_the_pattern_and_of_the_body_belong_together() {
    let mesh = strips(&[3, 3]);
    let flat = Flat::of(&mesh).unwrap();
    let (triangle, shares) = flat.triangle_at([1.25, 2.5]).unwrap();
    let corners = flat.triangles[triangle].map(|corner| mesh.positions[flat.vertices[corner as usize] as usize]);
    let point: Vec3 = corners.iter().zip(shares).map(|(x, share)| share * x).sum();
    assert!((point - Vec3::new(1.25, 1.5, 0.0)).norm() < 1e-12, "{point}");
    let back = flat.place_of(triangle, &point, &mesh.positions).unwrap();
    assert!((back[0] - 1.25).abs() < 1e-12 && (back[1] - 2.5).abs() < 1e-12, "{back:?}");
    assert_eq!(flat.triangle_at([1.0, 1.5]), None, "between the panels");
    assert_eq!(flat.vertices_of(flat.panel_of[triangle]), (8..16).collect::<Vec<u32>>());
    assert!(Flat::of(&BodyMesh { pattern: None, ..mesh }).is_none());
}

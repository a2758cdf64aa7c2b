//! Whole cells of a body: those on one side of a plane, or all of them apart from one another.

use std::sync::Arc;

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::Cells;
use aplomb_sim::mesh::topology::{FACES, Faces};

use super::cut::Plane;
use super::pieces::{Blend, NO_CELL, Pieces};

fn middle(cell: &[u32], positions: &[Vec3]) -> Vec3 {
    cell.iter().map(|&node| positions[node as usize]).sum::<Vec3>() / cell.len() as f64
}

/// The cells whose middle a plane leaves, ascending.
pub fn kept_cells(cells: &Cells, positions: &[Vec3], plane: &Plane) -> Vec<u32> {
    (0..).zip(cells.iter()).filter(|(_, cell)| !plane.takes(&middle(cell, positions))).map(|(index, _)| index).collect()
}

/// The outside of some of the cells, where the nodes of the body are at `positions` [m].
pub fn whole(cells: &Cells, positions: &[Vec3], kept: &[u32]) -> Pieces {
    let (mut triangles, mut of, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    match cells {
        Cells::Tets(all) => {
            let tets: Vec<[u32; 4]> = kept.iter().map(|&cell| all[cell as usize]).collect();
            let (outside, behind) = Faces::of(&tets).boundary(&tets);
            of = behind.iter().map(|&tet| kept[tet as usize]).collect();
            triangles = outside;
        }
        Cells::Triangles(all) => {
            triangles = kept.iter().map(|&cell| all[cell as usize]).collect();
            of = kept.to_vec();
        }
        Cells::Lines(all) => lines = kept.iter().map(|&cell| all[cell as usize]).collect(),
        Cells::Points(all) => lines = kept.iter().map(|&cell| [all[cell as usize][0]; 2]).collect(),
    }
    Pieces {
        positions: positions.into(),
        blends: (0..positions.len() as u32).map(Blend::node).collect(),
        owners: Arc::new([]),
        triangles: triangles.into(),
        cells: of.into(),
        lines: lines.into(),
    }
}

/// Every cell by itself, or those of `kept`, moved away from the middle of the body: by `apart` times the distance of its own middle.
pub fn exploded(cells: &Cells, positions: &[Vec3], apart: f64, kept: Option<&[u32]>) -> Pieces {
    let width = cells.width();
    let count = kept.map_or(cells.len(), <[u32]>::len);
    let heart = positions.iter().sum::<Vec3>() / positions.len().max(1) as f64;
    let (mut points, mut blends, mut owners) =
        (Vec::with_capacity(width * count), Vec::with_capacity(width * count), Vec::with_capacity(width * count));
    let (mut triangles, mut of, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    for place in 0..count {
        let index = kept.map_or(place as u32, |kept| kept[place]);
        let Some(cell) = cells.get(index as usize) else { continue };
        let first = points.len() as u32;
        let way = apart * (middle(cell, positions) - heart);
        points.extend(cell.iter().map(|&node| positions[node as usize] + way));
        blends.extend(cell.iter().map(|&node| Blend::node(node)));
        owners.extend(std::iter::repeat_n(index, width));
        let sides: &[[usize; 3]] = match cells {
            Cells::Tets(_) => &FACES,
            Cells::Triangles(_) => &[[0, 1, 2]],
            Cells::Lines(_) => {
                lines.push([first, first + 1]);
                &[]
            }
            Cells::Points(_) => {
                lines.push([first; 2]);
                &[]
            }
        };
        triangles.extend(sides.iter().map(|side| side.map(|corner| first + corner as u32)));
        of.extend(std::iter::repeat_n(index, sides.len()));
    }
    debug_assert!(of.iter().all(|&cell| cell != NO_CELL));
    Pieces {
        positions: points.into(),
        blends: blends.into(),
        owners: owners.into(),
        triangles: triangles.into(),
        cells: of.into(),
        lines: lines.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> (Cells, Vec<Vec3>) {
        let at = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
        let positions = vec![at(0.0, 0.0, 0.0), at(0.0, 1.0, 0.0), at(0.0, 0.0, 1.0), at(1.0, 0.0, 0.0), at(-1.0, 0.0, 0.0)];
        (Cells::Tets(vec![[0, 1, 2, 3], [0, 2, 1, 4]]), positions)
    }

    #[test]
    fn a_plane_leaves_cells_whole_or_takes_them() {
        let (cells, positions) = pair();
        let plane = Plane { normal: Vec3::x(), offset: 0.0 };
        let kept = kept_cells(&cells, &positions, &plane);
        assert_eq!(kept, [1]);
        let seen = whole(&cells, &positions, &kept);
        assert_eq!((seen.triangles.len(), &*seen.cells), (4, [1; 4].as_slice()), "with the face that was inside");
    }

    #[test]
    fn cells_part_as_they_are() {
        let (cells, positions) = pair();
        let seen = exploded(&cells, &positions, 0.5, None);
        assert_eq!((seen.positions.len(), seen.triangles.len()), (8, 8));
        let edge = |a: usize, b: usize| seen.positions[b] - seen.positions[a];
        assert!((edge(0, 3) - Vec3::x()).norm() < 1e-15, "no cell changes its shape");
        // Their middles were 1/2 apart in x, and are half as far again.
        assert!((seen.positions[0].x - seen.positions[4].x - 0.25).abs() < 1e-15);
        assert_eq!(*seen.values(&[0.0; 5], &[7.0, 9.0]), [7.0, 7.0, 7.0, 7.0, 9.0, 9.0, 9.0, 9.0]);
        assert_eq!(seen.values(&[1.0, 2.0, 3.0, 4.0, 5.0], &[])[7], 5.0, "a field of nodes stays one");
        assert_eq!(exploded(&cells, &positions, 1.0, Some(&[1])).owners.len(), 4);
    }
}

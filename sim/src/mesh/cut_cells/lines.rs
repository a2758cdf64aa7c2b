//! Which parts of the lines of a grid are inside of a surface.

use std::collections::{BTreeMap, HashMap};

use super::Uncut;
use super::grid::Grid;
use super::slice::{Side, Sliced};
use crate::math::Vec3;

/// Parts of grid lines that are inside.
#[derive(Debug)]
pub struct Inside {
    /// Those of the sliced surface, and corners of the grid [m].
    pub positions: Vec<Vec3>,
    /// Parts that are within one slab along their line.
    pub parts: Vec<Part>,
}

/// A part of a line of the grid, from a vertex of lower coordinate to one of higher.
#[derive(Debug)]
pub struct Part {
    /// The axis that the line is along.
    pub axis: usize,
    /// The planes that meet in it: of the next axis, and of the one after.
    pub planes: [i32; 2],
    /// The slab along the line.
    pub slab: i32,
    pub ends: [u32; 2],
}

/// Finds them: along each line the surface is entered and left in turn.
pub fn inside(sliced: &Sliced, grid: &Grid) -> Result<Inside, Uncut> {
    let mut piercings: BTreeMap<(usize, [i32; 2]), Vec<u32>> = BTreeMap::new();
    for (v, sides) in (0..).zip(&sliced.sides) {
        for axis in 0..3 {
            if let (Side::On(first), Side::On(second)) = (sides[(axis + 1) % 3], sides[(axis + 2) % 3]) {
                piercings.entry((axis, [first, second])).or_default().push(v);
            }
        }
    }
    let mut found = Inside { positions: sliced.positions.clone(), parts: Vec::new() };
    let mut corners: HashMap<[i32; 3], u32> = HashMap::new();
    for ((axis, planes), mut vertices) in piercings {
        let along = |v: u32| sliced.positions[v as usize][axis];
        vertices.sort_by(|&a, &b| along(a).total_cmp(&along(b)).then(a.cmp(&b)));
        if vertices.len() % 2 != 0 {
            let at = sliced.positions[vertices[0] as usize];
            let message = format!(
                "its surface is entered and never left near ({:.4}, {:.4}, {:.4}); it is to be closed, without folds",
                at.x, at.y, at.z
            );
            return Err(Uncut::Fault(message));
        }
        for pair in vertices.as_chunks::<2>().0 {
            let [first, last] = pair.map(|v| grid.slab(axis, along(v)));
            let mut from = pair[0];
            for slab in first..=last {
                let to = if slab == last { pair[1] } else { found.corner(axis, planes, slab + 1, grid, &mut corners) };
                found.parts.push(Part { axis, planes, slab, ends: [from, to] });
                from = to;
            }
        }
    }
    Ok(found)
}

impl Inside {
    fn corner(&mut self, axis: usize, planes: [i32; 2], plane: i32, grid: &Grid, corners: &mut HashMap<[i32; 3], u32>) -> u32 {
        let mut at = [0; 3];
        (at[axis], at[(axis + 1) % 3], at[(axis + 2) % 3]) = (plane, planes[0], planes[1]);
        *corners.entry(at).or_insert_with(|| {
            self.positions.push(Vec3::from_fn(|axis, _| grid.plane(axis, at[axis])));
            self.positions.len() as u32 - 1
        })
    }
}

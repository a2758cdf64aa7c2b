//! What stands by contact alone: puddings, a bridge and its barrels, plates, hay bales and the bed of a truck.

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::structured::{CubeCut, box_mesh};

use super::Asset;

/// A grid of cubes of five tets, of which `place` puts the vertices: from numbers of the grid's lines.
fn bent(cells: [usize; 3], place: impl Fn([usize; 3]) -> Vec3) -> Asset {
    let unit = Vec3::from(cells.map(|n| n as f64));
    let (vertices, tets) = box_mesh(unit, cells, CubeCut::Five);
    let positions = vertices.iter().map(|p| place([p.x, p.y, p.z].map(|line| line.round() as usize)));
    (positions.map(micrometres).collect::<Vec<_>>(), tets).into()
}

/// Coordinates in whole micrometres: the same on every machine.
fn micrometres(p: Vec3) -> Vec3 {
    p.map(|x| (1e6 * x).round() / 1e6)
}

/// Where line `line` of `cells` lies, from -1 to 1.
fn across(line: usize, cells: usize) -> f64 {
    2.0 * line as f64 / cells as f64 - 1.0
}

/// The same for a face with bevelled edges, `half` wide from its middle [m]: its outermost line draws back by `bevel` [m], and the
/// next one comes as near.
fn on_bevelled_face(line: usize, cells: usize, half: f64, bevel: f64) -> f64 {
    let t = across(line, cells);
    match line.min(cells - line) {
        0 => t.signum() * (half - bevel),
        1 => t.signum() * (half - 3.0 * bevel),
        _ => t * half,
    }
}

/// A block of `size` [m] around the y axis that stands on a sharp base; the edges of its top are bevelled.
fn pudding(size: Vec3, cells: [usize; 3]) -> Asset {
    const BEVEL: f64 = 0.007;
    bent(cells, |[i, j, k]| {
        let is_top = j == cells[1];
        let is_rim = is_top && [(i, cells[0]), (k, cells[2])].iter().any(|&(line, cells)| line == 0 || line == cells);
        let place = |line: usize, axis: usize| {
            let half = 0.5 * size[axis];
            if is_top { on_bevelled_face(line, cells[axis], half, BEVEL) } else { across(line, cells[axis]) * half }
        };
        Vec3::new(place(i, 0), size.y * j as f64 / cells[1] as f64 - if is_rim { 2.0 * BEVEL } else { 0.0 }, place(k, 2))
    })
}

/// A cube of 0.2 m, for a stack: 540 tets, 49 vertices below and 25 on the flat of its top.
pub fn pudding_cube() -> Asset {
    pudding(Vec3::repeat(0.2), [6, 3, 6])
}

/// The same with a fourth layer of tets, a third higher.
pub fn pudding_tall() -> Asset {
    pudding(Vec3::new(0.2, 0.8 / 3.0, 0.2), [6, 4, 6])
}

/// An arched bridge along x, a metre long, its deck level; its ends lean by four degrees so that it is longer below.
pub fn bridge() -> Asset {
    const CELLS: [usize; 3] = [13, 2, 2];
    let lean = 4.0_f64.to_radians().tan();
    bent(CELLS, |[i, j, k]| {
        let (u, w) = (across(i, CELLS[0]), across(k, CELLS[2]));
        let thickness = 0.25 - 0.11 * (1.0 - u * u);
        let depth = thickness * (1.0 - j as f64 / CELLS[1] as f64);
        Vec3::new(u * (0.5 + depth * lean), -depth, 0.125 * w)
    })
}

/// An upright barrel, 0.18 m high.
pub fn barrel() -> Asset {
    const CELLS: [usize; 3] = [4, 3, 4];
    bent(CELLS, |[i, j, k]| {
        let (u, v, w) = (across(i, CELLS[0]), across(j, CELLS[1]), across(k, CELLS[2]));
        let radius = 0.075 - 0.012 * v * v;
        // A square becomes a disc, lines of the grid ellipses.
        Vec3::new(radius * u * (1.0 - 0.5 * w * w).sqrt(), 0.09 * (1.0 + v), radius * w * (1.0 - 0.5 * u * u).sqrt())
    })
}

/// A plate around the y axis, 0.18 m across, level below and with a raised rim.
pub fn plate() -> Asset {
    const CELLS: [usize; 3] = [8, 1, 8];
    bent(CELLS, |[i, j, k]| {
        let (u, w) = (across(i, CELLS[0]), across(k, CELLS[2]));
        let (x, z) = (u * (1.0 - 0.5 * w * w).sqrt(), w * (1.0 - 0.5 * u * u).sqrt());
        let beyond = (2.0 * x.hypot(z) - 1.0).max(0.0);
        Vec3::new(0.09 * x, 0.012 * j as f64 + 0.016 * beyond * beyond, 0.09 * z)
    })
}

/// A hay bale, 1.0 x 0.45 x 0.5 m, with bevelled edges: 540 tets, 25 vertices on the flats of top and bottom.
pub fn hay_bale() -> Asset {
    const CELLS: [usize; 3] = [6, 3, 6];
    const HALF: Vec3 = Vec3::new(0.5, 0.225, 0.25);
    const BEVEL: f64 = 0.02;
    bent(CELLS, |lines| {
        let is_outer = |axis: usize| lines[axis] == 0 || lines[axis] == CELLS[axis];
        let place = |axis: usize| {
            let on_other_face = (0..3).any(|other| other != axis && is_outer(other));
            // Sides have but two lines between top and bottom, which stay where they are.
            if on_other_face && (axis != 1 || is_outer(1)) {
                on_bevelled_face(lines[axis], CELLS[axis], HALF[axis], BEVEL)
            } else {
                across(lines[axis], CELLS[axis]) * HALF[axis]
            }
        };
        Vec3::new(place(0), HALF.y + place(1), place(2))
    })
}

/// The bed of a truck along x: a floor whose upper side is at y = 0, and low boards around it.
pub fn truck_bed() -> Asset {
    const CELLS: [usize; 3] = [3, 2, 3];
    let lines = |half: f64| [-half - 0.05, -half, half, half + 0.05];
    let (x, y, z) = (lines(1.15), [-0.06, 0.0, 0.25], lines(0.65));
    let mut bed = bent(CELLS, |[i, j, k]| Vec3::new(x[i], y[j], z[k]));
    // Above the floor, between the boards, it is empty.
    let positions = &bed.positions;
    bed.tets.retain(|tet| {
        let middle = tet.iter().map(|&v| positions[v as usize]).sum::<Vec3>() / 4.0;
        middle.y < 0.0 || middle.x.abs() > 1.15 || middle.z.abs() > 0.65
    });
    bed
}

//! On which side of a sheet points are. A point that was on one side stays on it as long as it is near: what is squeezed through by less than a cell is held
//! by the nodes that it has come from, as that is which a wall with an inside lets in.

use rayon::prelude::*;

use crate::math::Vec3;
use crate::math::splines::Interpolation;
use crate::mesh::sheet::Sheet;
use crate::step::mpm::blocks::{Blocks, Placed, Room};

/// The side of each point, by its number: 1 above, -1 below, and 0 of one that is far away or beside the border.
pub type Sides = Vec<i8>;

/// As far from a sheet as a point of the other side has nodes [m].
pub fn reach(by: &Interpolation) -> f64 {
    by.kernel.reach() * 3.0_f64.sqrt() * by.spacing
}

/// Finds the sides of `points` on `sheet`.
pub fn find(sheet: &Sheet, (count, point): Placed, by: &Interpolation, sides: &mut Sides) {
    sides.resize(count, 0);
    let before = &*sides;
    let of_point = |at: usize| {
        let (number, x) = point(at);
        let known = before[number];
        let side = match sheet.beside(&x, reach(by)) {
            None => 0,
            Some(_) if known != 0 => known,
            Some(beside) if beside.distance < 0.0 => -1,
            Some(_) => 1,
        };
        (number, side)
    };
    let found: Vec<(usize, i8)> = (0..count).into_par_iter().map(of_point).collect();
    found.into_iter().for_each(|(number, side)| sides[number] = side);
}

/// Sums up the masses of `points`, which are sorted by `blocks`, above and below at each node.
pub fn weigh(blocks: &Blocks, points: Placed, masses: &[f64], sides: &[i8], room: &mut Room<2>) {
    let given = |number: usize, _: &Vec3| {
        let [above, below] = match sides.get(number) {
            Some(1) => [masses[number], 0.0],
            Some(-1) => [0.0, masses[number]],
            _ => return None,
        };
        Some(move |w: f64, _: &Vec3| [w * above, w * below])
    };
    blocks.scatter(points, room, |_| true, given);
}

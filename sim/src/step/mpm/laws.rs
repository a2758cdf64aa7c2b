//! What the laws of material points say of a cloud: how fast waves run, and into how many parts a step has to be taken.

use rayon::prelude::*;

use super::blocks::Blocks;
use super::light::{Steepness, steepen, steepest};
use super::points::{Cloud, Point, Points};
use crate::element::MaterialPoint;
use crate::math::splines::{Interpolation, Kernel};
use crate::math::{Mat3, Vec3, larger};
use crate::step::StepError;

/// Share of a cell that waves and points cross in a part of a step: where the parts are chosen, and at most where they are given.
/// Symplectic Euler's method on the grid is lost from about 1 on.
const CHOSEN: f64 = 0.3;
const MOST: f64 = 0.6;
/// The same, over the root of what the steepest nodes swing with: they are lost from 2 on.
const CHOSEN_OF_SWING: f64 = 1.8;
const MOST_OF_SWING: f64 = 1.9;
/// Parts that a step is taken in at most.
const MOST_PARTS: f64 = 1e7;

/// What viscosity counts for in a speed, times itself over the density and a cell: explicit, it is lost where a part of a step is longer than a sixth of
/// the time in which it crosses a cell.
const DIFFUSING: f64 = 6.0;

/// How fast something crosses a grid with cells of `spacing` [m]: the fastest wave, or what rubs, and the fastest of `points` [m/s].
pub fn speeds(points: &Points, cloud: &Cloud, spacing: f64) -> [f64; 2] {
    let speeds = |point: &Point| {
        let (p, element) = (point.number as usize, &points.elements[point.number as usize]);
        let volume = element.rest_volume / points.masses[p];
        let wave = (element.wave_modulus(&point.gradient) * volume).sqrt() + DIFFUSING * element.viscosity * volume / spacing;
        [wave, point.velocity.norm()]
    };
    let both = |a: [f64; 2], b: [f64; 2]| [larger(a[0], b[0]), larger(a[1], b[1])];
    cloud.par_iter().map(speeds).reduce(|| [0.0; 2], both)
}

/// A bound of the largest square of a frequency that `cloud` gives a node of the grid, over that of waves in a cell, where it may be more than 1.
pub fn swings(points: &Points, cloud: &Cloud, by: Interpolation) -> f64 {
    if by.kernel != Kernel::Linear {
        return 0.0;
    }
    let mut placed = vec![Vec3::zeros(); cloud.len()];
    cloud.iter().for_each(|point| placed[point.number as usize] = point.position);
    let Ok(blocks) = Blocks::of(&placed, by) else { return 0.0 };
    let (order, mut steepness) = (blocks.order(), Steepness::default());
    steepen(&blocks, (cloud.len(), &|at| (order[at] as usize, placed[order[at] as usize])), &points.masses, &mut steepness);
    steepest(&blocks, &steepness)
}

/// The longest part of a step in which nodes that [`swings`] tells of are not lost, where something crosses the grid at this `speed` [m/s] [s].
pub fn longest(swings: f64, speed: f64, spacing: f64) -> f64 {
    CHOSEN.min(CHOSEN_OF_SWING / swings.max(1.0).sqrt()) * spacing / speed
}

/// Parts of a step of `step_size` [s] in which something of this `speed` [m/s] crosses `share` of a cell of `spacing` [m].
fn parts(step_size: f64, speed: f64, spacing: f64, share: f64) -> u32 {
    let wanted = step_size * speed / (share * spacing);
    // What is no number is found out by the points that it leads nowhere.
    if wanted.is_nan() { 1 } else { wanted.ceil().clamp(1.0, MOST_PARTS) as u32 }
}

/// Into how many parts a step of `step_size` [s] is taken, where nodes swing so ([`swings`]): those that are `given`, if they are enough.
///
/// # Errors
/// [`StepError::OutrunByWaves`] with how many would be.
pub fn substeps(given: Option<u32>, step_size: f64, (speed, swings): (f64, f64), spacing: f64) -> Result<u32, StepError> {
    let swing = swings.max(1.0).sqrt();
    let (chosen, most) = (CHOSEN.min(CHOSEN_OF_SWING / swing), MOST.min(MOST_OF_SWING / swing));
    let Some(given) = given else { return Ok(parts(step_size, speed, spacing, chosen)) };
    let share = step_size / f64::from(given) * speed / spacing;
    if share <= most {
        return Ok(given);
    }
    Err(StepError::OutrunByWaves { speed, share, substeps: given, needed: parts(step_size, speed, spacing, most) })
}

/// Into how many parts an implicit step is taken, so that at its start no point, and no body that moves at most so fast [m/s], crosses more than a cell in one.
pub fn crossings(step_size: f64, cloud: &Cloud, fastest: f64, spacing: f64) -> u32 {
    parts(step_size, cloud.iter().map(|point| point.velocity.norm()).fold(fastest, larger), spacing, 1.0)
}

/// Energy that points store at these F - I [J], summed in their order.
pub fn energy(points: &[MaterialPoint], gradients: &[Mat3]) -> f64 {
    let each: Vec<f64> = points.par_iter().zip(gradients).map(|(point, g)| point.energy_of(g)).collect();
    each.iter().sum()
}

/// Volume of points [m^3].
pub fn volume(points: &[MaterialPoint], gradients: &[Mat3]) -> f64 {
    points.iter().zip(gradients).map(|(point, g)| point.rest_volume * (g + Mat3::identity()).determinant()).sum()
}

/// Points whose det F is not positive.
pub fn inversions(gradients: &[Mat3]) -> u32 {
    let is_inverted = |g: &&Mat3| {
        let ratio = (*g + Mat3::identity()).determinant();
        ratio.is_nan() || ratio <= 0.0
    };
    gradients.iter().filter(is_inverted).count() as u32
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[test]
    fn steps_are_cut_by_the_cells_that_waves_cross() {
        assert_eq!(substeps(None, 0.01, (30.0, 4.0), 0.1).unwrap(), 10);
        assert_eq!(substeps(None, 0.01, (30.1, 0.0), 0.1).unwrap(), 11);
        assert_eq!(substeps(None, 1e-4, (30.0, 4.0), 0.1).unwrap(), 1);
        assert_eq!(substeps(Some(5), 0.01, (30.0, 4.0), 0.1).unwrap(), 5);
        // What swings ten times as fast as waves cross a cell.
        assert_eq!(substeps(None, 0.01, (30.0, 100.0), 0.1).unwrap(), 17);
        let Err(StepError::OutrunByWaves { needed: 16, .. }) = substeps(Some(15), 0.01, (30.0, 100.0), 0.1) else { panic!() };
        let Err(StepError::OutrunByWaves { needed, substeps: given, .. }) = substeps(Some(4), 0.01, (30.0, 0.0), 0.1) else { panic!() };
        assert_eq!((given, needed), (4, 5));
    }
}

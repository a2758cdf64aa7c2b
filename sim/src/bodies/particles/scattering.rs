//! Particles scattered in what a surface encloses, as many as its volume over that of one.

use std::collections::HashMap;

use super::filling::{Enclosed, Unfilled};
use crate::math::Vec3;
use crate::math::random::Random;
use crate::watch::Watch;

/// Places inside that are tried for each particle that is wanted before particles may come closer.
const TRIES: f64 = 12.0;
/// So many times what should do is tried before a place inside is given up.
const SURELY: f64 = 10.0;
/// Of fewer particles as many places are tried as for so many.
const FEW: usize = 100;
/// By so much closer, then.
const CLOSER: f64 = 0.95;
/// How far apart particles are wanted first, over the spacing: the densest packing of balls has 1.12.
const APART: f64 = 1.0;
/// Places that are tried between two looks at whether somebody has cancelled.
const BETWEEN: usize = 65536;

/// What is thinner than this share of its bounding box is not found by chance.
const THINNEST: f64 = 1e-5;

/// How many particles of `spacing`^3 there are to be, and how many places are to be tried for each so that one is inside.
fn count(enclosed: &Enclosed, spacing: f64) -> Result<(usize, f64), Unfilled> {
    let share = enclosed.share();
    if share < THINNEST {
        return Err(enclosed.larger(spacing, "what is inside the surface"));
    }
    Ok((((enclosed.volume / spacing.powi(3)).round() as usize).max(1), 1.0 / share))
}

/// Anywhere, with the same chance.
///
/// # Errors
/// Cancelled, or next to nothing is inside.
pub fn random(enclosed: &Enclosed, spacing: f64, seed: u64, watch: &dyn Watch) -> Result<Vec<Vec3>, Unfilled> {
    let (count, each) = count(enclosed, spacing)?;
    let (mut random, mut found) = (Random::new(seed), Vec::with_capacity(count));
    // What no place of so many is in is not inside.
    for number in 0..(SURELY * each) as usize * count.max(FEW) {
        if number % BETWEEN == 0 {
            watch.check()?;
        }
        let x = enclosed.anywhere(&mut random);
        if enclosed.has(&x) {
            found.push(x);
        }
        if found.len() == count {
            return Ok(found);
        }
    }
    Err(enclosed.larger(spacing, "what is inside the surface"))
}

/// Apart from one another, and otherwise by chance: a Poisson disk pattern by throwing darts, whose distance gets smaller until there is room for all
/// (McCool, Fiume 1992, "Hierarchical Poisson Disk Sampling Distributions"), so that their number is that of the lattice and their mass is right.
///
/// # Errors
/// Cancelled, or next to nothing is inside.
pub fn poisson(enclosed: &Enclosed, spacing: f64, seed: u64, watch: &dyn Watch) -> Result<Vec<Vec3>, Unfilled> {
    let (count, each) = count(enclosed, spacing)?;
    let (mut random, mut apart) = (Random::new(seed), APART * spacing);
    let mut found: Vec<Vec3> = Vec::with_capacity(count);
    // No two are nearer than `apart`, and cells never have an edge less than it.
    let cell = |x: &Vec3| (x / spacing).map(|c| c.floor() as i64);
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    while found.len() < count {
        for number in 0..(TRIES * each) as usize * count.max(FEW) {
            if number % BETWEEN == 0 {
                watch.check()?;
            }
            let x = enclosed.anywhere(&mut random);
            let at = cell(&x);
            let around = (0..27).filter_map(|n| cells.get(&[at.x + n / 9 - 1, at.y + n / 3 % 3 - 1, at.z + n % 3 - 1]));
            let is_free = around.flatten().all(|&other| (found[other as usize] - x).norm_squared() >= apart * apart);
            if is_free && enclosed.has(&x) {
                cells.entry(at.into()).or_default().push(found.len() as u32);
                found.push(x);
                if found.len() == count {
                    break;
                }
            }
        }
        if found.is_empty() {
            return Err(enclosed.larger(spacing, "what is inside the surface"));
        }
        apart *= CLOSER;
    }
    Ok(found)
}

//! The balance of a fluid of particles in the given shape: pressures that push only, one a particle, against three equations each. An arrangement
//! is in balance by symmetry alone; of all others the pressures that leave the least force are found, and what they leave.

use crate::element::Mobility;
use crate::math::Vec3;
use crate::step::xpbd::fluid::Fluid;
use crate::system::System;
use crate::watch::{Cancelled, Watch};

/// Rounds in which pressures that would pull are left out, and come back where they would push.
const ROUNDS: usize = 40;
/// Steps of conjugate gradients in a round.
const STEPS: usize = 400;
/// Residual of the normal equations, over their right side, that counts as solved.
const SOLVED: f64 = 1e-15;

/// Pressures of particles.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pressures {
    /// Pressure times volume of each node [J]; 0 of those that are no particle.
    pub carried: Vec<f64>,
    /// Share of the loads that is left, in the sum of squares over the particles.
    pub left: f64,
    /// Largest force that is left [N].
    pub largest: f64,
    /// Node on which that is.
    pub worst: usize,
    /// Steps of conjugate gradients.
    pub steps: usize,
}

/// The pressures p >= 0 with the least |f + G p|^2, f being the loads [N] on the nodes: non-negative least squares by rounds of conjugate gradients on the
/// normal equations, each with the particles that push (after Lawson, Hanson 1974, chapter 23; the whole set is renewed at once, as
/// Portugal, Judice, Vicente 1994 do). It begins with `known` [J], if there are some. None without particles.
///
/// # Errors
/// [`Cancelled`].
pub fn balance(system: &System, loads: &[Vec3], known: &[f64], watch: &dyn Watch) -> Result<Option<Pressures>, Cancelled> {
    let Some(fluid) = Fluid::undeformed(system) else { return Ok(None) };
    let mobility = Mobility::default();
    let (density, place, nodes) = (fluid.density(&mobility), fluid.place(), fluid.nodes());
    let count = nodes.len();
    let holds = |node: u32| if system.fixed[node as usize] { 0.0 } else { 1.0 };
    let free: Vec<f64> = nodes.iter().map(|&node| holds(node)).collect();
    // Forces are scaled by their largest, and pressures to be of the same size.
    let largest = nodes.iter().zip(&free).map(|(&node, free)| free * loads[node as usize].norm()).fold(0.0, f64::max);
    if largest == 0.0 {
        return Ok(Some(Pressures { carried: vec![0.0; system.positions.len()], ..Pressures::default() }));
    }
    let mut sums = Vec::new();
    let mut forces = |s: &[f64], into: &mut Vec<Vec3>| {
        density.gather(&place, &|at| -s[at], &mut sums);
        into.clear();
        into.extend(sums.iter().zip(&free).map(|(sum, free)| *free * *sum));
    };
    let back = |r: &[Vec3], into: &mut Vec<f64>| density.work(&place, r, into);
    let load: Vec<Vec3> = nodes.iter().zip(&free).map(|(&node, free)| *free * loads[node as usize]).collect();
    let size = squared(&load).sqrt();
    // Of what is at rest as given; what carries is compressed, which is put right at the end.
    let densities: Vec<f64> = (0..count).map(|at| density.density(at, &place)).collect();
    let compliance: Vec<f64> = (0..count).map(|at| fluid.compliance(at)).collect();
    let of_known = |at: usize| {
        let p = known.get(nodes[at] as usize).copied().unwrap_or(0.0);
        p * (1.0 + compliance[at] * p) / densities[at]
    };
    let mut s: Vec<f64> = (0..count).map(of_known).collect();
    let (mut r, mut made, mut gradient) = (Vec::new(), Vec::new(), Vec::new());
    let mut pushes: Vec<bool> = Vec::new();
    let mut best: Option<(f64, Vec<f64>)> = None;
    let mut steps = 0;
    for round in 0..ROUNDS {
        watch.check()?;
        watch.progress("pressures", round as f64 / ROUNDS as f64);
        forces(&s, &mut made);
        r.clear();
        r.extend(load.iter().zip(&made).map(|(load, made)| load + made));
        let left = squared(&r);
        let is_better = best.as_ref().is_none_or(|(least, _)| left < *least * (1.0 - 1e-6));
        if best.as_ref().is_none_or(|(least, _)| left < *least) {
            best = Some((left, s.clone()));
        }
        // Downhill is where -G^T r points: those push that do, or that would lower what is left.
        back(&r, &mut gradient);
        let now: Vec<bool> = (0..count).map(|at| s[at] > 0.0 || gradient[at] < 0.0).collect();
        if (now == pushes && !is_better) || left.sqrt() < SOLVED * size {
            break;
        }
        pushes = now;
        steps += least(&mut s, &pushes, &mut r, &mut forces, &back, watch)?;
        s.iter_mut().for_each(|s| *s = s.max(0.0));
    }
    let s = best.map_or(s, |(_, s)| s);
    forces(&s, &mut made);
    let left: Vec<Vec3> = load.iter().zip(&made).map(|(load, made)| load + made).collect();
    let worst = (0..count).max_by(|&a, &b| left[a].norm_squared().total_cmp(&left[b].norm_squared())).unwrap_or(0);
    let mut carried = vec![0.0; system.positions.len()];
    for at in 0..count {
        // s = p / rest with rest = density / (1 + alpha p).
        let (alpha, wanted) = (compliance[at], s[at] * densities[at]);
        carried[nodes[at] as usize] = 2.0 * wanted / (1.0 + (1.0 + 4.0 * alpha * wanted).sqrt());
    }
    let (left, largest) = (squared(&left).sqrt() / size, left.get(worst).map_or(0.0, |left| left.norm()));
    Ok(Some(Pressures { carried, left, largest, worst: nodes.get(worst).map_or(0, |&node| node as usize), steps }))
}

/// Conjugate gradients for the least squares of `r`, which follows, over the entries of `s` that count; how many steps.
fn least(
    s: &mut [f64],
    counts: &[bool],
    r: &mut [Vec3],
    forces: &mut impl FnMut(&[f64], &mut Vec<Vec3>),
    back: &impl Fn(&[Vec3], &mut Vec<f64>),
    watch: &dyn Watch,
) -> Result<usize, Cancelled> {
    let mask = |gradient: &mut Vec<f64>| gradient.iter_mut().zip(counts).filter(|(_, counts)| !**counts).for_each(|(g, _)| *g = 0.0);
    let (mut gradient, mut made) = (Vec::new(), Vec::new());
    back(r, &mut gradient);
    mask(&mut gradient);
    let mut way: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let mut norm: f64 = gradient.iter().map(|g| g * g).sum();
    let first = norm;
    for step in 0..STEPS {
        if norm <= first * SOLVED * SOLVED || norm == 0.0 {
            return Ok(step);
        }
        if step % 16 == 0 {
            watch.check()?;
        }
        forces(&way, &mut made);
        let bend = squared(&made);
        if bend <= 0.0 {
            return Ok(step);
        }
        let length = norm / bend;
        s.iter_mut().zip(&way).for_each(|(s, way)| *s += length * way);
        r.iter_mut().zip(&made).for_each(|(r, made)| *r += length * made);
        back(r, &mut gradient);
        mask(&mut gradient);
        let next: f64 = gradient.iter().map(|g| g * g).sum();
        let turn = next / norm;
        way.iter_mut().zip(&gradient).for_each(|(way, g)| *way = turn * *way - g);
        norm = next;
    }
    Ok(STEPS)
}

fn squared(vectors: &[Vec3]) -> f64 {
    vectors.iter().map(Vec3::norm_squared).sum()
}

//! The lowest eigenpairs of what falls apart into many parts that nothing couples, as hair into strands: those of a few of the parts. Which these
//! are is told by counts of eigenvalues below a shift (Sylvester's law of inertia), for which each part is swept over once; pairs are then
//! looked for in them alone.
//!
//! ```text
//! one vector a part, a few inverse iterations -> Rayleigh quotients, each above an eigenvalue of its part
//!   -> shift at the last that is wanted -> parts with eigenvalues below it -> pairs of each -> the lowest of all
//! ```

use rayon::prelude::*;

use super::lanczos::{self, Near, Pair};
use super::neutral::Neutral;
use super::pencil::{Pencil, Shifted};
use super::space::Space;
use super::{FARTHEST, FEW, ROUND_OFF, distances};
use crate::linear::{InertiaFactor, PartFactor};
use crate::math::{Mat3, Vec3};
use crate::system::Mass;
use crate::watch::{Cancelled, Watch};

/// Inverse iterations for the bounds.
const ITERATIONS: usize = 3;
/// Parts in which pairs are looked for, beside as many as are wanted.
const BESIDE: usize = 16;
/// Halvings of the range of a shift, and the share of it at which eigenvalues count as equal.
const HALVINGS: usize = 60;
const EQUAL: f64 = 1e-10;

/// The `count` lowest pairs, ascending, or fewer where there are no more. Where a part has too many eigenvalues below every shift: the lowest
/// shift, which some eigenvalues are below.
///
/// # Errors
/// Cancelled.
pub fn eigenpairs(pencil: &Pencil, mut near_zero: Shifted, count: usize, watch: &dyn Watch) -> Result<Result<Vec<Pair>, f64>, Cancelled> {
    let bounds = bounds(pencil, &mut near_zero, watch)?;
    let chosen = match nth_lowest(&bounds, count) {
        Some(bound) => below(pencil, near_zero, bound, count, watch)?,
        // In all parts there are not as many.
        None => (0..bounds.len()).map(|part| (part, count)).collect(),
    };
    watch.check()?;
    let of_part = |(part, below): (usize, usize)| {
        let found = Part::new(pencil, part).lowest(below.min(count), watch)?;
        Ok(found.map(|pairs| pairs.into_iter().map(|pair| (part, pair)).collect::<Vec<_>>()))
    };
    let found: Vec<Result<Vec<(usize, Pair)>, f64>> = chosen.into_par_iter().map(of_part).collect::<Result<_, Cancelled>>()?;
    let (mut pairs, mut bounds) = (Vec::new(), Vec::new());
    for found in found {
        match found {
            Ok(found) => pairs.extend(found),
            Err(reached) => bounds.push(reached),
        }
    }
    if let Some(bound) = bounds.into_iter().reduce(f64::min) {
        return Ok(Err(bound));
    }
    pairs.sort_by(|(_, a), (_, b)| a.eigenvalue.total_cmp(&b.eigenvalue));
    let on_all = |(part, pair): (usize, Pair)| {
        let mut vector = vec![Vec3::zeros(); pencil.mass.nodes()];
        let nodes = pencil.pattern.nodes_of_part(part).iter();
        nodes.zip(&pair.vector).for_each(|(&node, v)| vector[node as usize] = *v);
        Pair { vector, ..pair }
    };
    Ok(Ok(pairs.into_iter().take(count).map(on_all).collect()))
}

/// Of each part a number that its lowest eigenvalue is not above [N/m]; not a number where all of its motions are neutral.
fn bounds(pencil: &Pencil, near_zero: &mut Shifted, watch: &dyn Watch) -> Result<Vec<f64>, Cancelled> {
    let mut vector = vec![lanczos::irregular(pencil, 0)];
    for _ in 0..ITERATIONS {
        watch.check()?;
        pencil.invert(near_zero, &mut vector);
        pencil.confine(&mut vector[0]);
    }
    let [vector] = vector.as_slice() else { return Ok(Vec::new()) };
    let mut image = vec![Vec3::zeros(); vector.len()];
    pencil.hessian.multiply(pencil.pattern, vector, &mut image);
    let quotient = |part: usize| {
        let mut sums = [0.0; 2];
        for &node in pencil.pattern.nodes_of_part(part) {
            let (v, n) = (&vector[node as usize], node as usize);
            sums[0] += v.dot(&image[n]);
            sums[1] += pencil.mass.lumped()[n] * v.norm_squared();
        }
        sums[0] / sums[1]
    };
    Ok((0..pencil.pattern.parts().unwrap_or(0)).into_par_iter().map(quotient).collect())
}

fn nth_lowest(bounds: &[f64], count: usize) -> Option<f64> {
    let mut finite: Vec<f64> = bounds.iter().copied().filter(|bound| bound.is_finite()).collect();
    finite.sort_unstable_by(f64::total_cmp);
    finite.get(count.saturating_sub(1)).copied()
}

/// The parts that have the `count` lowest eigenvalues, none of which is above `bound`, and how many at most.
fn below(pencil: &Pencil, near_zero: Shifted, bound: f64, count: usize, watch: &dyn Watch) -> Result<Vec<(usize, usize)>, Cancelled> {
    let listed = |below: &[usize]| -> Vec<(usize, usize)> { below.iter().copied().enumerate().filter(|(_, below)| *below > 0).collect() };
    let total = |listed: &[(usize, usize)]| listed.iter().map(|(_, below)| below).sum::<usize>();
    let is_low = near_zero.below < count;
    let mut factor = Some(near_zero.factor);
    let mut at = |shift: f64| {
        let memory = factor.take().unwrap_or_else(|| InertiaFactor::new(pencil.pattern));
        let mut shifted = pencil.shifted(memory, shift).ok()?;
        let found = listed(&pencil.resisted_below_in_parts(&mut shifted));
        factor = Some(shifted.factor);
        Some(found)
    };
    let mut high = bound + EQUAL * bound.abs() + ROUND_OFF * pencil.typical;
    let all = || (0..pencil.pattern.parts().unwrap_or(0)).map(|part| (part, count)).collect();
    let Some(mut above) = at(high).filter(|found| total(found) >= count) else { return Ok(all()) };
    let mut low = if is_low { -ROUND_OFF * pencil.typical } else { -FARTHEST * pencil.typical };
    let mut certain = Vec::new();
    for _ in 0..HALVINGS {
        if above.len() <= count + BESIDE || high - low <= EQUAL * high.abs().max(low.abs()) {
            break;
        }
        watch.check()?;
        let middle = 0.5 * (low + high);
        match at(middle) {
            Some(found) if total(&found) >= count => (high, above) = (middle, found),
            Some(found) => (low, certain) = (middle, found),
            None => break,
        }
    }
    // Of parts that are alike, the first do.
    let mut left = (count + BESIDE).saturating_sub(certain.len());
    above.retain(|(part, _)| {
        let is_certain = certain.iter().any(|(other, _)| other == part);
        let is_kept = is_certain || left > 0;
        left = left.saturating_sub(usize::from(!is_certain && is_kept));
        is_kept
    });
    Ok(above)
}

/// The small motions of one part, by its nodes in elimination order.
struct Part<'a> {
    pencil: &'a Pencil<'a>,
    number: usize,
    nodes: &'a [u32],
    mass: Mass<'static>,
    neutral: Neutral,
    slides: Vec<(usize, Mat3)>,
}

impl<'a> Part<'a> {
    fn new(pencil: &'a Pencil<'a>, number: usize) -> Self {
        let nodes = pencil.pattern.nodes_of_part(number);
        let place = |slide: &(u32, Mat3)| Some((nodes.iter().position(|&node| node == slide.0)?, slide.1));
        let slides = pencil.system.slides.iter().filter_map(place).collect();
        Self { pencil, number, nodes, mass: pencil.mass.of_nodes(nodes), neutral: pencil.neutral.of_nodes(nodes), slides }
    }

    /// Its `count` lowest pairs, on its own nodes.
    fn lowest(&self, count: usize, watch: &dyn Watch) -> Result<Result<Vec<Pair>, f64>, Cancelled> {
        let Pencil { pattern, hessian, typical, .. } = *self.pencil;
        let mut factor = PartFactor::new(pattern, self.number);
        let weights = self.pencil.mass.lumped();
        let at = |factor: &mut PartFactor, shift: f64| {
            let below = factor.factorize_less(pattern, hessian, shift, weights);
            below.or_else(|_| factor.factorize_less(pattern, hessian, shift + 1e-14 * typical, weights)).ok()
        };
        let mut near = Near { shift: -ROUND_OFF * typical, below: 0 };
        let Some(below) = at(&mut factor, near.shift) else { return Ok(Err(near.shift)) };
        let neutral = self.neutral.negative_among(&self.mass, |right_sides| factor.solve(pattern, right_sides));
        near.below = below.saturating_sub(neutral.into_iter().map(|(_, count)| count).sum());
        for distance in distances(typical) {
            if near.below <= FEW {
                break;
            }
            watch.check()?;
            match at(&mut factor, -distance) {
                Some(below) => near = Near { shift: -distance, below },
                None => return Ok(Err(near.shift)),
            }
        }
        if near.below > FEW {
            return Ok(Err(near.shift));
        }
        let invert = |block: &mut [Vec<Vec3>]| {
            block.iter_mut().for_each(|vector| *vector = self.mass.product(vector));
            factor.solve(pattern, block);
        };
        let pairs = lanczos::eigenpairs(self, near, count, invert, watch)?;
        Ok(Ok(pairs.into_iter().take(count).collect()))
    }
}

impl Space for Part<'_> {
    fn nodes(&self) -> usize {
        self.nodes.len()
    }

    fn unknowns(&self) -> usize {
        3 * self.nodes.len()
    }

    fn dot(&self, a: &[Vec3], b: &[Vec3]) -> f64 {
        self.mass.dot(a, b)
    }

    fn confine(&self, vector: &mut [Vec3]) {
        self.slides.iter().for_each(|(place, allowed)| vector[*place] = allowed * vector[*place]);
        self.neutral.take_out(&self.mass, vector);
    }
}

//! No step lets surfaces touch.

use super::*;
use crate::contact::active::tests::min_distance;
use crate::contact::broad_phase::CandidateCache;
use crate::math::random::Random;

/// Whether the edge from `p` to `q` passes through the triangle.
fn pierces(p: &Vec3, q: &Vec3, [a, b, c]: [Vec3; 3]) -> bool {
    let volume = |a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3| (b - a).cross(&(c - a)).dot(&(d - a));
    let sides = [volume(p, q, &a, &b), volume(p, q, &b, &c), volume(p, q, &c, &a)];
    let inside = sides.iter().all(|s| *s > 0.0) || sides.iter().all(|s| *s < 0.0);
    inside && volume(&a, &b, &c, p) * volume(&a, &b, &c, q) <= 0.0
}

fn intersects(system: &System, x: &[Vec3]) -> bool {
    let surface = &system.surface;
    surface.edges.iter().any(|edge| {
        let [p, q] = edge.map(|n| x[n as usize]);
        surface.triangles.iter().any(|t| !edge.iter().any(|n| t.contains(n)) && pierces(&p, &q, t.map(|n| x[n as usize])))
    })
}

#[test]
fn random_moves_never_pass_through() {
    let mut random = Random::new(11);
    let (mut shortened, mut through) = (0, 0);
    for _ in 0..40 {
        let block = |corner, turn| Block { size: Vec3::repeat(0.3), cells: [2; 3], turn, corner };
        let (first, second) = (random.rotation(), random.rotation());
        let system =
            system(&[block(first * Vec3::repeat(-0.15), first), block(second * Vec3::repeat(-0.15) + 0.6 * Vec3::x(), second)], 0.0);
        let x = &system.positions;
        let towards = Vec3::new(random.uniform(-2.0, -0.2), random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3));
        let far = with_second_moved(&system, &vec![Vec3::zeros(); x.len()], towards);
        let dx: Vec<Vec3> = far.iter().map(|d| d + random.vector(-0.04, 0.04)).collect();
        let mut contacts = contacts(&system, &[]);
        let mut potential = contacts.begin(&system, x);
        let step = potential.max_step(x, &dx, 1.0);
        assert!(step > 0.0 && step <= 1.0);
        let at = |t: f64| -> Vec<Vec3> { x.iter().zip(&dx).map(|(x, d)| x + t * d).collect() };
        for k in 1..=8 {
            let there = at(step * f64::from(k) / 8.0);
            assert!(!intersects(&system, &there));
            let distance = min_distance(&system.surface, CandidateCache::default().ensure(&system.surface, &there, 1.0), &there);
            assert!(distance > 0.0);
            assert!(potential.energy(&there).is_finite());
        }
        shortened += u32::from(step < 1.0);
        through += u32::from((1..=8).any(|k| intersects(&system, &at(f64::from(k) / 8.0))));
        assert!(potential.max_step(x, &dx, 0.5 * step) == 0.5 * step);
    }
    // The whole moves do collide, so that the test means something; and a step is seldom shortened without need.
    assert!(through >= 15 && shortened >= through && shortened <= through + 12, "{through} {shortened}");
}

/// A step keeps preloaded gaps open, where the true distance alone would let it pass.
#[test]
fn steps_keep_preloaded_gaps_open() {
    let system = stack(1.7 * REACH, 0.5);
    let mut contacts = contacts(&system, &preloads(&system, 0.5));
    let x = system.positions.clone();
    let dx = with_second_moved(&system, &vec![Vec3::zeros(); x.len()], Vec3::new(0.01, -1.2 * REACH, 0.0));
    let mut potential = contacts.begin(&system, &x);
    let step = potential.max_step(&x, &dx, 1.0);
    let there: Vec<Vec3> = x.iter().zip(&dx).map(|(x, d)| x + step * d).collect();
    assert!(step > 0.0 && step < 1.0);
    assert!(potential.energy(&there).is_finite());
    let whole: Vec<Vec3> = x.iter().zip(&dx).map(|(x, d)| x + d).collect();
    assert_eq!(potential.energy(&whole), f64::INFINITY);
    let away: Vec<Vec3> = dx.iter().map(|d| -d).collect();
    assert_eq!(potential.max_step(&x, &away, 1.0), 1.0);
}

/// Straight down by twice the gap, a box stops with a tenth of it left, where vertices meet triangles and where edges cross.
#[test]
fn a_step_down_keeps_a_tenth_of_the_gap() {
    for gap in [0.3 * REACH, 2.0 * REACH] {
        let system = stack(gap, 0.0);
        let x = &system.positions;
        let dx = with_second_moved(&system, &vec![Vec3::zeros(); x.len()], Vec3::new(0.0, -2.0 * gap, 0.0));
        let step = contacts(&system, &[]).begin(&system, x).max_step(x, &dx, 1.0);
        let left = 1.0 - 2.0 * step;
        assert!((0.1..0.11).contains(&left), "{left} of the gap is left");
    }
}

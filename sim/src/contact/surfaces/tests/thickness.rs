//! Cloth with a thickness: derivatives, gaps in the given shape, and steps that keep layers a thickness apart.

use super::derivatives::check_differences;
use super::*;
use crate::contact::active::tests::min_distance;
use crate::contact::broad_phase::{BroadPhase, Candidates};
use crate::contact::intersection::intersections;
use crate::contact::surface::Thinness;
use crate::contact::surfaces::SurfacePotential;
use crate::math::random::Random;

const THICKNESS: f64 = 2.5 * REACH;

/// A sheet of squares of side `side`, halved, at `place` of the grid's coordinates [m]; its nodes begin with number `first`.
fn sheet(cells: [u32; 2], side: f64, first: u32, place: impl Fn(f64, f64) -> Vec3) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let node = |i: u32, j: u32| first + i * (cells[1] + 1) + j;
    let places = (0..=cells[0]).flat_map(|i| (0..=cells[1]).map(move |j| (i, j)));
    let x = places.map(|(i, j)| place(side * f64::from(i), side * f64::from(j))).collect();
    let squares = (0..cells[0]).flat_map(|i| (0..cells[1]).map(move |j| (i, j)));
    let halves = squares.flat_map(|(i, j)| {
        let [a, b, c, d] = [node(i, j), node(i, j + 1), node(i + 1, j), node(i + 1, j + 1)];
        if (i + j) % 2 == 0 { [[a, b, c], [b, d, c]] } else { [[a, b, d], [a, d, c]] }
    });
    (x, halves.collect())
}

/// Two bumpy sheets, one turned over the other, and a ball over them; far apart in the given shape, and in the positions that are
/// returned `gap` more apart than their thickness, with those a little later.
fn layers(seed: u64, gap: f64) -> (System, Vec<Vec3>, Vec<Vec3>) {
    let mut random = Random::new(seed);
    let turn = crate::math::rotation([0.0, random.uniform(0.0, 90.0), 0.0]);
    let (mut x, low) = sheet([3, 4], 0.15, 0, |i, j| Vec3::new(i - 0.225, 0.0, j - 0.3));
    let first = x.len();
    let (above, high) = sheet([3, 3], 0.13, first as u32, |i, j| turn * Vec3::new(i - 0.2, 0.0, j - 0.2));
    x.extend(above);
    let ball = x.len();
    x.push(Vec3::new(0.01, 0.0, 0.02));
    let part = |name: &str, triangles| PartInput::triangles(name, triangles).thick(THICKNESS);
    let parts = vec![part("low", low), part("high", high), PartInput::round("ball", vec![ball as u32], 0.1)];
    let level = |n: usize| if n == ball { 2.0 } else { f64::from(u8::from(n >= first)) };
    let lifted = |height: f64, over: f64| -> Vec<Vec3> {
        let up = |n: usize| height * level(n) + if n == ball { over } else { 0.0 };
        x.iter().enumerate().map(|(n, p)| p + up(n) * Vec3::y()).collect()
    };
    let system = system_of(lifted(0.5, 0.5), parts, 0.4);
    let near = lifted(THICKNESS + gap, 0.1 - 0.5 * THICKNESS);
    let origin: Vec<Vec3> = near.iter().map(|p| p + random.vector(-0.1, 0.1) * REACH).collect();
    let x = origin.iter().map(|p| p + random.vector(-0.02, 0.02) * REACH).collect();
    (system, origin, x)
}

/// Barrier and friction of thick sheets and a ball against central differences, where some are thinner than others too.
#[test]
fn gradient_and_hessian_of_thick_sheets_match_differences() {
    for seed in 0..6 {
        let (mut system, origin, x) = layers(seed, 0.5 * REACH);
        let mut random = Random::new(seed);
        if seed >= 3 {
            system.surface.thinness = Thinness::of_shares(3, x.iter().map(|_| random.uniform(0.98, 1.01).min(1.0)).collect());
        }
        let mut contacts = contacts(&system, &[]);
        let mut potential: SurfacePotential = contacts.begin(&system, &origin);
        if seed % 2 == 1 {
            potential.relag(&x);
        }
        let of_ball = potential.stencils().iter().filter(|stencil| stencil.weight > 10.0).count();
        let summary = potential.summary(&x);
        assert!(summary.count > 10 && of_ball > 0 && !potential.friction.is_empty(), "seed {seed}: {summary:?}");
        assert!(summary.min_gap > 0.1 * REACH && summary.min_gap < 0.6 * REACH, "{summary:?}");
        check_differences(&mut potential, &x, &mut random, &format!("seed {seed}"));
    }
}

/// Forces of thick sheets have no sum and no torque, and friction acts where the surfaces touch.
#[test]
fn thick_sheets_keep_momentum_and_angular_momentum() {
    for seed in 0..4 {
        let (system, origin, x) = layers(seed, 0.5 * REACH);
        let mut contacts = contacts(&system, &[]);
        let mut potential = contacts.begin(&system, &origin);
        potential.relag(&x);
        let slope = gradient(&mut potential, &x);
        let size: f64 = slope.iter().map(Vec3::norm).sum();
        let torque = x.iter().zip(&slope).map(|(x, g)| x.cross(g)).sum::<Vec3>().norm();
        assert!(size > 0.1 * FORCE && slope.iter().sum::<Vec3>().norm() < 1e-13 * size && torque < 1e-13 * size, "{torque:e} of {size:e}");
        // Forces are told of where surfaces touch: on the upper side of the one, or on the lower side of the other.
        let of_sheets = potential.forces(&x).into_iter().filter(|force| force.nodes.iter().all(|&n| n as usize != x.len() - 1));
        let heights: Vec<f64> = of_sheets.map(|force| force.point.y).collect();
        assert!(heights.len() > 5 && heights.iter().all(|y| (y - 0.5 * THICKNESS).abs() < 0.8 * REACH), "{heights:?}");
    }
}

/// Weights are areas, as without a thickness: that of a ball is not.
#[test]
fn a_thickness_leaves_weights_as_they_are() {
    let (system, _, x) = layers(0, 0.5 * REACH);
    let part = |k: usize| PartInput::triangles("sheet", system.surface.triangles[system.surface.parts[k].triangles.clone()].to_vec());
    let ball = PartInput::round("ball", vec![x.len() as u32 - 1], 0.1);
    let thin = system_of(system.positions.clone(), vec![part(0), part(1), ball], 0.4);
    let high = system.surface.parts[1].vertices.clone();
    let nodes = system.surface.vertices[high.start]..=system.surface.vertices[high.end - 1];
    let lower: Vec<Vec3> = (0..).zip(&x).map(|(n, p)| if nodes.contains(&n) { p - THICKNESS * Vec3::y() } else { *p }).collect();
    let [mut of_thick, mut of_thin] = [contacts(&system, &[]), contacts(&thin, &[])];
    let near_sheets = |potential: &SurfacePotential| -> Vec<([u32; 4], f64)> {
        let of_sheets = potential.stencils().iter().filter(|stencil| stencil.radius == THICKNESS || stencil.radius == 0.0);
        of_sheets.filter(|stencil| stencil.kind as usize >= 2 && stencil.mollifier == 0.0).map(|s| (s.nodes, s.weight)).collect()
    };
    // Straight down by the thickness, nearest features stay the same where they are faces and edges that cross.
    let thick = near_sheets(&of_thick.begin(&system, &x));
    let thin = near_sheets(&of_thin.begin(&thin, &lower));
    let same = thick.iter().filter(|(nodes, weight)| thin.iter().any(|(n, w)| n == nodes && (w - weight).abs() < 1e-12 * w)).count();
    assert!(same > 5 && 2 * same > thick.len(), "{same} of {} and {}", thick.len(), thin.len());
}

fn near(surface: &CollisionSurface, x: &[Vec3], reach: f64) -> Candidates {
    let mut candidates = Candidates::default();
    BroadPhase::default().find(surface, x, reach, &mut candidates);
    candidates
}

/// However small the triangles of a sheet are, flat or bent no sharper than its thickness lets it, nothing pushes and nothing is told of; and
/// it is as thick for everything else. A crease is no layer.
#[test]
fn neighbours_of_a_fine_sheet_do_not_touch() {
    for share in [0.3, 0.7, 1.4, 3.0] {
        let side = share * THICKNESS;
        let cells = (12.0 / share).ceil() as u32;
        let flat = |i: f64, j: f64| Vec3::new(i, 0.0, j);
        let rolled = |i: f64, j: f64| {
            let angle = i / (0.75 * THICKNESS);
            // A quarter of a circle, then straight on.
            let (sin, cos) = angle.min(1.5).sin_cos();
            let on = (i - 1.5 * 0.75 * THICKNESS).max(0.0);
            0.75 * THICKNESS * Vec3::new(sin, 1.0 - cos, 0.0) + on * Vec3::new(cos, sin, 0.0) + j * Vec3::z()
        };
        let creased = |i: f64, j: f64| if i < 2.0 * side { Vec3::new(i, 0.0, j) } else { Vec3::new(2.0 * side, i - 2.0 * side, j) };
        for (name, shape) in [("flat", &flat as &dyn Fn(f64, f64) -> Vec3), ("rolled", &rolled), ("creased", &creased)] {
            let (x, triangles) = sheet([cells, 4], side, 0, shape);
            let mut system = system_of(x, vec![PartInput::triangles("sheet", triangles).thick(THICKNESS)], 0.0);
            let x = system.positions.clone();
            let (thinness, tight) = Thinness::clear_of(&system.surface, &x, REACH);
            assert!(tight.is_empty(), "{name} {share}: {tight:?}");
            assert!(thinness == Thinness::default(), "{name} {share}");
            system.surface.thinness = thinness;
            let mut contacts = contacts(&system, &[]);
            let mut potential = contacts.begin(&system, &x);
            assert!(potential.stencils().is_empty() && potential.energy(&x) == 0.0, "{name} {share}");
            // As near to one another as they are, they may go through each other no more than others.
            let candidates = near(&system.surface, &x, REACH);
            assert!(share > 1.0 || !candidates.is_empty());
            let mut random = Random::new(3);
            let dx: Vec<Vec3> = x.iter().map(|_| random.vector(-2.0, 2.0) * THICKNESS).collect();
            let step = potential.max_step(&x, &dx, 1.0);
            let there: Vec<Vec3> = x.iter().zip(&dx).map(|(x, dx)| x + step * dx).collect();
            assert!(step > 0.0 && intersections(&system.surface, &there).is_empty(), "{name} {share}");
        }
    }
}

/// A strip that comes back over itself.
fn fold(height: f64, side: f64, cells: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let straight = f64::from(cells) * side;
    let radius = 0.5 * height;
    let arc = std::f64::consts::PI * radius;
    // Evenly cut: two straight layers with half a circle between.
    let scale = (2.0 * straight + arc) / (2.0 * straight);
    sheet([2 * cells, 4], side, 0, |i, j| {
        let s = scale * i;
        let angle = ((s - straight) / radius).clamp(0.0, std::f64::consts::PI);
        let beyond = (s - straight - arc).max(0.0);
        Vec3::new(s.min(straight) + radius * angle.sin() - beyond, radius * (1.0 - angle.cos()), j)
    })
}

/// Layers nearer than the thickness in the given shape stay at their distance, and are told of; those farther apart are not, and are as thick
/// as they are. Nothing pushes in the given shape, whichever it is.
#[test]
fn folded_layers_keep_the_distance_that_they_are_given() {
    for (share, is_tight) in [(0.1, true), (0.6, true), (1.0, false), (1.1, false), (1.6, false)] {
        let height = share * THICKNESS;
        let (x, triangles) = fold(height, 1.2 * THICKNESS, 9);
        let mut system = system_of(x, vec![PartInput::triangles("strip", triangles).thick(THICKNESS)], 0.3);
        let x = system.positions.clone();
        let (thinness, tight) = Thinness::clear_of(&system.surface, &x, REACH);
        system.surface.thinness = thinness;
        assert_eq!(!tight.is_empty(), is_tight, "{share}: {tight:?}");
        for tight in tight {
            assert!(tight.parts == [0, 0] && tight.count > 10 && tight.count <= x.len(), "{tight:?}");
            assert!(tight.least <= height * (1.0 + 1e-9) && tight.least > 0.5 * height, "{tight:?}");
            assert!(x.iter().any(|p| (p - tight.place).norm() < 1e-12));
        }
        let mut contacts = contacts(&system, &[]);
        let mut potential = contacts.begin(&system, &x);
        assert!(potential.energy(&x) == 0.0 && potential.jammed().is_none(), "{share}");
        // Pressed together they stop before they have lost more than the gap.
        let press: Vec<Vec3> = x.iter().map(|p| if p.y > 0.7 * height { -2.0 * height * Vec3::y() } else { Vec3::zeros() }).collect();
        let step = potential.max_step(&x, &press, 1.0);
        let there: Vec<Vec3> = x.iter().zip(&press).map(|(x, dx)| x + step * dx).collect();
        let left = height * (1.0 - 2.0 * step);
        let least = (height - 0.25 * REACH).clamp(0.0, THICKNESS);
        assert!(left > least * (1.0 - 1e-9) && step > 0.0, "{share}: {left} of {height}");
        assert!(potential.energy(&there).is_finite() && intersections(&system.surface, &there).is_empty());
        let free = near(&system.surface, &there, REACH);
        assert!(min_distance(&system.surface, &free, &there) > 0.0);
    }
}

/// Sheets that are thrown at one another, and one that is crumpled, stay a thickness apart however they move.
#[test]
fn random_moves_of_thick_sheets_keep_the_thickness() {
    let mut random = Random::new(21);
    let (mut shortened, mut least_left) = (0, f64::INFINITY);
    for trial in 0..30 {
        let wave = |random: &mut Random| {
            let (across, along, size) = (random.uniform(5.0, 12.0), random.uniform(0.0, 6.0), random.uniform(0.0, 0.04));
            move |i: f64, j: f64| Vec3::new(i, size * (across * i + along * j).sin(), j)
        };
        let (mut x, low) = sheet([5, 5], 0.1, 0, wave(&mut random));
        let mut parts = vec![PartInput::triangles("low", low).thick(THICKNESS)];
        if trial % 2 == 0 {
            let turn = random.rotation();
            let shape = wave(&mut random);
            let (high, triangles) =
                sheet([4, 4], 0.09, x.len() as u32, |i, j| turn * shape(i - 0.18, j - 0.18) + Vec3::new(0.25, 0.45, 0.25));
            x.extend(high);
            parts.push(PartInput::triangles("high", triangles).thick(THICKNESS));
        }
        let mut system = system_of(x, parts, 0.0);
        let (thinness, tight) = Thinness::clear_of(&system.surface, &system.positions, REACH);
        assert!(tight.is_empty(), "{tight:?}");
        system.surface.thinness = thinness;
        let mut contacts = contacts(&system, &[]);
        let mut x = system.positions.clone();
        for _ in 0..6 {
            let drop = Vec3::new(0.0, random.uniform(-0.5, -0.2), 0.0);
            let dx: Vec<Vec3> = (0..x.len()).map(|n| random.vector(-0.15, 0.15) + if n >= 36 { drop } else { Vec3::zeros() }).collect();
            let mut potential = contacts.begin(&system, x.clone());
            let step = potential.max_step(&x, &dx, 1.0);
            assert!(step > 0.0);
            shortened += u32::from(step < 1.0);
            for k in 1..=4 {
                let there: Vec<Vec3> = x.iter().zip(&dx).map(|(x, d)| x + step * f64::from(k) / 4.0 * d).collect();
                assert!(intersections(&system.surface, &there).is_empty(), "trial {trial}");
                assert!(potential.energy(&there).is_finite());
                let between = near(&system.surface, &there, REACH);
                least_left = least_left.min(min_distance(&system.surface, &between, &there));
            }
            x.iter_mut().zip(&dx).for_each(|(x, d)| *x += step * d);
        }
    }
    assert!(shortened > 60 && least_left > 0.0, "{shortened} {least_left}");
}

/// The energy is the sum of those of all pairs, each with the thickness that it has: pairs of the same nearest features may have others.
#[test]
fn energy_is_the_sum_over_all_pairs_whatever_their_thickness() {
    use crate::contact::active::ActiveSet;
    use crate::contact::reach::Reach;
    let mut differing = 0;
    for seed in 0..4 {
        let (mut system, _, x) = layers(seed, 0.5 * REACH);
        let mut random = Random::new(seed);
        system.surface.thinness = Thinness::of_shares(3, x.iter().map(|_| random.uniform(0.97, 1.02).min(1.0)).collect());
        let barrier = *contacts(&system, &[]).barrier();
        let reach = Reach::far(barrier.distance);
        let energy = |candidates: &Candidates| -> (f64, usize) {
            let mut active = ActiveSet::default();
            active.update(&system.surface, candidates, &x, &reach);
            let few = active.stencils().iter().filter(|s| s.nodes[3] == u32::MAX).map(|s| s.nodes).collect::<Vec<_>>();
            let twice = few.windows(2).filter(|pair| pair[0] == pair[1]).count();
            (active.stencils().iter().map(|stencil| stencil.energy(&barrier, &x)).sum(), twice)
        };
        let all = near(&system.surface, &x, REACH);
        let mut sum = 0.0;
        for pair in all.pairs() {
            let mut one = Candidates::default();
            one.of_mut(pair.kind).push(pair.features);
            sum += energy(&one).0;
        }
        let (found, twice) = energy(&all);
        differing += twice;
        assert!(found > 0.0 && (found - sum).abs() < 1e-12 * sum, "{found} {sum}");
    }
    assert!(differing > 0, "no pairs of the same nearest features differ");
}

/// The distance of a preloaded contact is that of the surfaces.
#[test]
fn preloaded_contacts_know_the_thickness() {
    let gap = 0.5 * REACH;
    let (mut x, low) = sheet([2, 2], 0.2, 0, |i, j| Vec3::new(i, 0.0, j));
    let (above, high) = sheet([1, 1], 0.1, 9, |i, j| Vec3::new(0.13 + i, THICKNESS + gap, 0.11 + j));
    x.extend(above);
    let part = |name: &str, triangles| PartInput::triangles(name, triangles).thick(THICKNESS);
    let touched = low[0];
    let mut system = system_of(x, vec![part("low", low), part("high", high)], 0.4);
    for share in [1.0, 0.9] {
        system.surface.thinness = Thinness::of_shares(2, vec![share; system.positions.len()]);
        let contacts = contacts(&system, &[preload(9, touched, FORCE, Vec3::zeros())]);
        let [slot] = contacts.memory.slots() else { panic!("one") };
        assert!((slot.distance(&system.positions) - gap - (1.0 - share) * THICKNESS).abs() < 1e-15, "{share}");
    }
}

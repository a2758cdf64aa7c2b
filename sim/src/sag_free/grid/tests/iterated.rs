//! Balances that are iterated against those that are factorised.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::transfer::Exchange;
use super::super::*;
use super::each;
use crate::material::liquid::Liquid;
use crate::material::{MATERIALS, Material};
use crate::math::random::Random;
use crate::sag_free::global::GlobalError;
use crate::watch::{Cancelled, Unwatched, Watch};

/// Edge of a cell [m], and gravity [m/s^2].
const CELL: f64 = 0.1;
const GRAVITY: f64 = 9.81;
const DENSITY: f64 = 1000.0;

/// Distance [m] of a place to a wall, and the way out of it.
type Distance = Box<dyn Fn(&Vec3) -> (f64, Vec3) + Sync>;

/// What is balanced: points in a box of so many cells with a corner at the origin, and walls by their distances.
struct Tank {
    x: Vec<Vec3>,
    material: Arc<dyn Material>,
    given: Vec<Mat3>,
    walls: Vec<(Distance, f64)>,
    by: Interpolation,
    reach: f64,
    /// Angle of gravity to the vertical.
    tilt: f64,
}

fn points(cells: [usize; 3], jitter: f64, random: &mut Random) -> Vec<Vec3> {
    let half = 0.5 * CELL;
    let of = |axis: usize| 0..2 * cells[axis];
    let mut x = Vec::new();
    for (i, j, k) in of(0).flat_map(|i| of(1).flat_map(move |j| of(2).map(move |k| (i, j, k)))) {
        x.push(half * (Vec3::new(i as f64, j as f64, k as f64) + Vec3::repeat(0.5) + jitter * random.vector(-1.0, 1.0)));
    }
    x
}

fn usual() -> Interpolation {
    Interpolation { spacing: CELL, ..Interpolation::default() }
}

fn plane(point: Vec3, normal: Vec3) -> Distance {
    Box::new(move |x| (normal.dot(&(x - point)), normal))
}

impl Tank {
    /// Water between walls on all sides, of this friction.
    fn of_water(cells: [usize; 3], friction: f64) -> Self {
        let x = points(cells, 0.0, &mut Random::new(1));
        let far = Vec3::from_fn(|axis, _| cells[axis] as f64 * CELL);
        let stand = |x: &Vec3| Mat3::from_diagonal_element(-DENSITY * GRAVITY * (far.y - x.y));
        let axes = [Vec3::x(), Vec3::z()];
        let sides = axes.iter().flat_map(|axis| [plane(Vec3::zeros(), *axis), plane(far, -axis)]);
        let walls = sides.chain([plane(Vec3::zeros(), Vec3::y())]).map(|wall| (wall, friction)).collect();
        let material = Arc::new(Liquid { stiffness: 4e4, exponent: 7.0 });
        Self { given: x.iter().map(stand).collect(), x, material, walls, by: usual(), reach: 1.5 * CELL - 1e-9, tilt: 0.0 }
    }

    /// The same with a step of so many cells along the floor, which fills the tank from its end to there.
    fn with_step(cells: [usize; 3], from: usize, height: usize) -> Self {
        let mut tank = Self::of_water(cells, 0.0);
        let corner = Vec3::new(from as f64 * CELL, height as f64 * CELL, 0.0);
        let is_wet: Vec<bool> = tank.x.iter().map(|x| x.x < corner.x || x.y > corner.y).collect();
        let mut wet = is_wet.iter();
        tank.x.retain(|_| *wet.next().unwrap());
        let mut wet = is_wet.iter();
        tank.given.retain(|_| *wet.next().unwrap());
        let step = move |x: &Vec3| {
            let away = Vec3::new(corner.x - x.x, x.y - corner.y, 0.0);
            let out = Vec3::new(-away.x.max(0.0), away.y.max(0.0), 0.0);
            match out.norm() {
                distance if distance > 0.0 => (distance, out / distance),
                _ if away.x > away.y => (away.x, -Vec3::x()),
                _ => (away.y, Vec3::y()),
            }
        };
        tank.walls.push((Box::new(step), 0.0));
        tank
    }

    /// The same in another grid: what is wet is at a wall as far as a kernel reaches.
    fn by(self, by: Interpolation) -> Self {
        let reach = if self.given.is_empty() { self.reach } else { by.kernel.reach() * CELL - 1e-9 };
        Self { by, reach, ..self }
    }

    /// A jittered block on a floor, with gravity at this angle to it.
    fn of_solid(law: usize, friction: f64, tilt: f64, random: &mut Random) -> Self {
        let x = points([4, 3, 4], 0.25, random);
        let floor = plane(Vec3::zeros(), Vec3::y());
        let material = (MATERIALS[law].build)(random.uniform(5e4, 2e5), random.uniform(0.1, 0.4));
        Self { x, material, given: Vec::new(), walls: vec![(floor, friction)], by: usual(), reach: 1e-9, tilt }
    }

    fn space(&self, direct_up_to: usize) -> Space {
        let volume = (0.5 * CELL).powi(3);
        let elements: Vec<MaterialPoint> = self.x.iter().map(|x| MaterialPoint::new(self.material.clone(), volume, *x).unwrap()).collect();
        let masses = vec![DENSITY * volume; self.x.len()];
        let bodies = vec![0; self.x.len()];
        Space::new(&elements, (&self.x, &masses), &bodies, self.by, |_| Mat3::identity(), direct_up_to).unwrap().unwrap()
    }

    fn solved(&self, space: &Space, tikhonov: Tikhonov, watch: &dyn Watch) -> Result<Solved, GlobalError> {
        let mut walls = Vec::new();
        for (node, x) in space.nodes() {
            for (wall, friction) in &self.walls {
                let (distance, normal) = wall(&x);
                if distance <= self.reach {
                    walls.push(Wall { at: Held::Node(node), normal, friction: *friction });
                }
            }
        }
        let down = Vec3::new(self.tilt.sin(), -self.tilt.cos(), 0.0);
        let loads = vec![DENSITY * (0.5 * CELL).powi(3) * GRAVITY * down; self.x.len()];
        space.balance(&loads, &walls, Shares::of_all(1.0), tikhonov, &self.given, watch)
    }

    /// Factorised, and iterated.
    fn both(&self) -> [Solved; 2] {
        let direct = if self.given.is_empty() { Tikhonov::ELASTIC } else { Tikhonov::WET };
        [(usize::MAX, direct), (0, self.iterated())].map(|(up_to, tikhonov)| self.solved(&self.space(up_to), tikhonov, &Unwatched).unwrap())
    }

    fn iterated(&self) -> Tikhonov {
        if self.given.is_empty() { Tikhonov::ITERATED } else { Tikhonov::ITERATED_WET }
    }
}

/// Differences of stresses over stresses, both as roots of sums of squares.
fn apart([a, b]: &[Solved; 2]) -> f64 {
    let squares: f64 = a.stresses.iter().map(Mat3::norm_squared).sum();
    let apart: f64 = a.stresses.iter().zip(&b.stresses).map(|(a, b)| (a - b).norm_squared()).sum();
    (apart / squares).sqrt()
}

/// The product from nodes to points and back is that with the matrix, and so are the blocks on its diagonal, by every kernel.
#[test]
fn products_need_no_matrix() {
    each(CELL).for_each(products);
}

fn products(by: Interpolation) {
    let mut random = Random::new(3);
    let tank = Tank::of_solid(0, 0.0, 0.0, &mut random).by(by);
    let space = tank.space(usize::MAX);
    let mut u: Vec<Vec3> = (0..space.roots.len()).map(|_| random.vector(-1.0, 1.0)).collect();
    space.clear_fixed(&mut u);
    let [mut with, mut without] = [(); 2].map(|()| vec![Vec3::zeros(); u.len()]);
    let Assembled { pattern, stiffness, .. } = space.assembled.as_ref().unwrap();
    stiffness.multiply(pattern, &u, &mut with);
    space.multiply(&mut Exchange::default(), &u, &mut without);
    let size = with.iter().map(Vec3::amax).fold(0.0, f64::max);
    let error = with.iter().zip(&without).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
    assert!(size > 0.1 && error < 1e-12 * size, "{error:e} {size}");
    let diagonal = space.diagonal();
    for node in (0..u.len()).filter(|node| space.roots[*node] > 0.0).step_by(7) {
        let unit: Vec<Vec3> = (0..u.len()).map(|other| if other == node { Vec3::new(1.0, 0.5, -0.2) } else { Vec3::zeros() }).collect();
        stiffness.multiply(pattern, &unit, &mut with);
        assert!((diagonal[node] * unit[node] - with[node]).amax() < 1e-11 * size);
    }
}

/// A tank of water needs few iterations, and has the pressures that a factorisation gives, by every kernel; rough walls are no matter for what cannot be sheared.
#[test]
fn water_stands_as_if_factorised() {
    let rough = [(usual(), 0.3)];
    for (by, friction) in each(CELL).map(|by| (by, 0.0)).chain(rough) {
        let both = Tank::of_water([4, 6, 3], friction).by(by).both();
        let [direct, iterated] = &both;
        let apart = apart(&both);
        println!(
            "{by:?}, friction {friction}: rms {:.1e} and {:.1e} in {} iterations, {apart:.1e} apart",
            direct.rms, iterated.rms, iterated.iterations
        );
        assert!(direct.rms < 1e-11 && iterated.rms < 1e-10 && apart < 0.01);
        assert!(iterated.iterations < 60 && iterated.factorisations == 0 && iterated.is_held);
        let [a, b] = [direct, iterated].map(|found| found.forces.iter().sum::<Vec3>());
        assert!((a - b).norm() < 1e-6 * a.norm(), "{a} {b}");
    }
}

/// Where the floor has a step, what stands above it is not all, and walls let go at its edge.
#[test]
fn water_stands_over_a_step() {
    let tank = Tank::with_step([8, 6, 3], 4, 2);
    let both = tank.both();
    let [direct, iterated] = &both;
    println!("rms {:.1e} and {:.1e} in {} iterations, {:.1e} apart", direct.rms, iterated.rms, iterated.iterations, apart(&both));
    assert!(direct.rms < 1e-9 && iterated.rms < 1e-6);
}

/// Blocks of three laws on floors that are smooth, rough and slanting.
#[test]
fn solids_stand_as_if_factorised() {
    let mut random = Random::new(9);
    for law in 0..3 {
        for (friction, tilt) in [(0.0, 0.0), (0.6, 0.0), (0.6, 0.15)] {
            let both = Tank::of_solid(law, friction, tilt, &mut random).both();
            let [direct, iterated] = &both;
            let apart = apart(&both);
            println!(
                "law {law}, friction {friction}, tilt {tilt}: rms {:.1e} and {:.1e} in {} iterations, {apart:.1e} apart",
                direct.rms, iterated.rms, iterated.iterations
            );
            assert!(iterated.rms < 1e-4 + 2.0 * direct.rms && apart < 0.1);
        }
    }
}

/// The same to the bit for any number of threads.
#[test]
fn threads_do_not_matter() {
    let mut random = Random::new(4);
    for tank in [Tank::of_water([4, 5, 3], 0.0), Tank::of_solid(1, 0.4, 0.1, &mut random)] {
        let of_threads = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| tank.solved(&tank.space(0), tank.iterated(), &Unwatched)).ok().unwrap();
            found.stresses.iter().flat_map(|stress| stress.iter().map(|s| s.to_bits()).collect::<Vec<u64>>()).collect::<Vec<u64>>()
        };
        let alone = of_threads(1);
        assert!(alone == of_threads(2) && alone == of_threads(4));
    }
}

/// Cancels once it was asked so often.
struct Impatient {
    asked: AtomicUsize,
    after: usize,
}

impl Watch for Impatient {
    fn progress(&self, _: &str, done: f64) {
        assert!((0.0..=1.0).contains(&done));
    }
    fn check(&self) -> Result<(), Cancelled> {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        if asked < self.after { Ok(()) } else { Err(Cancelled) }
    }
}

/// It is asked in every iteration whether to go on, and hardly any is begun after that.
#[test]
fn iterations_can_be_cancelled() {
    let tank = Tank::of_solid(0, 0.6, 0.1, &mut Random::new(2));
    let space = tank.space(0);
    for after in [0, 1, 7, 100, 700] {
        let watch = Impatient { asked: AtomicUsize::new(0), after };
        let outcome = tank.solved(&space, tank.iterated(), &watch);
        assert!(matches!(outcome, Err(GlobalError::Cancelled(_))), "{after}");
        let asked = watch.asked.into_inner();
        assert!(asked <= after + 12, "{asked} after {after}");
    }
}

/// A block on a slope that is too smooth keeps what friction cannot hold, as if factorised.
#[test]
fn what_slides_is_told_as_sliding() {
    let [direct, iterated] = Tank::of_solid(0, 0.05, 0.3, &mut Random::new(5)).both();
    println!("rms {:.3} and {:.3}", direct.rms, iterated.rms);
    assert!(!iterated.is_held && (iterated.rms / direct.rms - 1.0).abs() < 0.05 && iterated.rms > 0.1);
}

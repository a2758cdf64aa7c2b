//! What walls hold together: a velocity against which changes in the cone of each add up. In a corner what one rubs may press against another, which no answer by
//! itself would do, and the balance does.

use super::walls::{ROUNDED, Touch, unbound};
use crate::math::{Mat3, Vec3};

/// Of a unit vector, what round-off may make of being on a surface.
const ON: f64 = 1e-12;

/// A wall that pushes and rubs: its normal as far as others leave its direction free, and the sine of its angle of friction phi. Its dual cone is of the y, in the free
/// directions, with n y >= sin phi |y|.
#[derive(Clone, Copy)]
struct Pushing {
    normal: Vec3,
    sine: f64,
}

impl Pushing {
    fn is_dual(&self, y: &Vec3) -> bool {
        self.normal.dot(y) >= self.sine - ON
    }

    /// The unit vector of the surface of the dual cone that lies towards `along`; `None` where that says nothing, or nothing is in the cone.
    fn dual_towards(&self, along: &Vec3) -> Option<Vec3> {
        let axis = self.normal.try_normalize(ROUNDED)?;
        let cosine = self.sine / self.normal.norm();
        let beside = (along - axis.dot(along) * axis).try_normalize(ROUNDED * along.norm())?;
        (cosine <= 1.0).then(|| cosine * axis + (1.0 - cosine * cosine).sqrt() * beside)
    }
}

/// Whether walls that move alike, of which some are rough, hold a velocity `v` [m/s], as they see it. Those that bind make any force but in the directions that they
/// leave free; as far as it leads in these, -v is to be in the sum of the cones of the others: to lead along all that is in all of the dual cones. Of that it is
/// enough to look at what leads along it the least of the surface of one, and at what is on those of two.
pub fn hold(v: &Vec3, touches: &[Touch]) -> bool {
    if !touches.iter().any(Touch::rubs) {
        return false;
    }
    let free = unbound(touches);
    let wanted = -(free * v);
    if wanted.norm() <= ROUNDED * v.norm() {
        return true;
    }
    let of_wall = |touch: &Touch| Pushing { normal: free * touch.normal, sine: touch.friction / touch.friction.hypot(1.0) };
    let walls = || touches.iter().filter(|touch| !touch.binds()).map(of_wall).enumerate();
    let leads = |y: &Vec3| wanted.dot(y) >= -ROUNDED * wanted.norm();
    // In the dual cones of the others.
    let is_dual = |y: &Vec3, of: [usize; 2]| walls().all(|(k, wall)| of.contains(&k) || wall.is_dual(y));
    let holds_at = |y: &Vec3, of: [usize; 2]| !is_dual(y, of) || leads(y);
    match free.trace().round() as i32 {
        1 => {
            let way = wanted.normalize();
            [way, -way].iter().all(|y| holds_at(y, [usize::MAX; 2]))
        }
        2 => {
            let across = |normal: &Vec3| across(&free, normal);
            walls().all(|(k, wall)| {
                let beside = across(&wall.normal);
                [beside, -beside].iter().filter_map(|beside| wall.dual_towards(beside)).all(|y| holds_at(&y, [k; 2]))
            })
        }
        _ => {
            let of_one = |(k, wall): (usize, Pushing)| {
                // Where it leads straight at or off the wall, all on its surface lead along it alike.
                let any = || wall.dual_towards(&Vec3::ith(wall.normal.iamin(), 1.0));
                wall.dual_towards(&-wanted).or_else(any).is_none_or(|y| holds_at(&y, [k; 2]))
            };
            let of_two = |a: usize, b: usize, pair: [Pushing; 2]| on_both(pair).is_none_or(|both| both.iter().all(|y| holds_at(y, [a, b])));
            walls().all(of_one) && walls().all(|(a, first)| walls().take(a).all(|(b, second)| of_two(a, b, [first, second])))
        }
    }
}

/// The direction in a plane, on which `free` projects, across one in it.
fn across(free: &Mat3, along: &Vec3) -> Vec3 {
    let out = (Mat3::identity() - free).column_iter().map(|column| column.into_owned()).max_by(|a, b| a.norm().total_cmp(&b.norm()));
    out.unwrap_or_default().cross(along)
}

/// The two unit vectors on the surfaces of both dual cones; `None` where these do not meet.
fn on_both([a, b]: [Pushing; 2]) -> Option<[Vec3; 2]> {
    let edge = a.normal.cross(&b.normal);
    let way = edge.try_normalize(ROUNDED)?;
    let cosine = a.normal.dot(&b.normal);
    let between = ((a.sine - cosine * b.sine) * a.normal + (b.sine - cosine * a.sine) * b.normal) / edge.norm_squared();
    let rest = 1.0 - between.norm_squared();
    (rest >= 0.0).then(|| [1.0, -1.0].map(|sign| between + sign * rest.sqrt() * way))
}

#[cfg(test)]
mod tests {
    use super::super::walls::{resolved, resolved_into};
    use super::*;
    use crate::math::random::Random;
    use crate::scene::WallCondition;

    fn touch(normal: Vec3, friction: f64) -> Touch {
        Touch { node: 0, wall: 0, normal, friction, condition: WallCondition::Separating, velocity: Vec3::zeros() }
    }

    /// What forces inside of the cones of several walls balance is held, whatever the angles between them, wedged or not; what is outside of all is not.
    #[test]
    fn corners_hold_what_their_cones_hold() {
        let mut random = Random::new(9);
        for count in [2, 3] {
            for _ in 0..200 {
                let corner: Vec<Touch> =
                    (0..count).map(|_| touch(random.vector(-1.0, 1.0).normalize(), random.uniform(0.1, 0.9))).collect();
                let mut of_wall = |touch: &Touch| {
                    let any = random.vector(-1.0, 1.0);
                    let along = (any - touch.normal.dot(&any) * touch.normal).normalize();
                    random.uniform(0.1, 1.0) * (touch.normal + random.uniform(0.0, 0.95) * touch.friction * along)
                };
                let v = -corner.iter().map(&mut of_wall).sum::<Vec3>();
                assert!(resolved(&v, &corner).norm() < 1e-9, "{v} {corner:?}");
                let answer = resolved_into(&v, &corner);
                assert!(answer.after.norm() < 1e-9 && answer.held == Mat3::identity());
            }
        }
        // Where one rubs more than the other's normal leans away, what comes jams, wherever it leads, and by forces that are the larger the nearer that is.
        for friction in [1.02, 1.05, 1.1, 1.2, 1.5] {
            for _ in 0..50 {
                let v = random.vector(-1.0, 1.0);
                let after = resolved(&v, &[touch(Vec3::y(), friction), touch(Vec3::x(), friction)]);
                assert!(after.norm() < 1e-8, "{friction} {v}: {after}");
            }
        }
        // Out of both, and along the edge by more than they rub.
        let corner = [touch(Vec3::y(), 0.3), touch(Vec3::x(), 0.3)];
        assert_eq!(resolved(&Vec3::new(0.1, 0.2, 0.5), &corner), Vec3::new(0.1, 0.2, 0.5));
        let slides = resolved(&Vec3::new(-1.0, -1.0, 1.0), &corner);
        assert!((slides - 0.4 * Vec3::z()).norm() < 1e-9, "{slides}");
    }

    /// Two walls hold what is right inside of the sum of their cones, and nothing right outside, where it bends and where it is flat, whatever their angle and friction:
    /// as the balance, which may use all of the friction, gives them.
    #[test]
    fn two_walls_hold_up_to_the_edge_of_their_cones() {
        let mut random = Random::new(31);
        let mut tried = [0; 2];
        for _ in 0..4000 {
            let walls = [0; 2].map(|_| {
                touch(random.vector(-1.0, 1.0).normalize(), if random.uniform(0.0, 1.0) < 0.2 { 0.0 } else { random.uniform(0.05, 1.5) })
            });
            let sines = walls.map(|wall| wall.friction / wall.friction.hypot(1.0));
            let is_dual = |y: &Vec3| walls.iter().zip(sines).all(|(wall, sine)| wall.normal.dot(y) >= sine - 1e-12);
            // What y leads along at least: of the surface of one, or of both, found by halving the angle between.
            let one = usize::from(random.uniform(0.0, 1.0) < 0.5);
            let across = random.vector(-1.0, 1.0);
            let along = (across - walls[one].normal.dot(&across) * walls[one].normal).normalize();
            let on_one = |along: &Vec3| sines[one] * walls[one].normal + (1.0 - sines[one].powi(2)).sqrt() * along;
            let other = walls[one].normal.cross(&along);
            let turned = |angle: f64| on_one(&(angle.cos() * along + angle.sin() * other));
            let is_of_both = random.uniform(0.0, 1.0) < 0.5;
            let mut y = turned(0.0);
            if is_of_both {
                let (mut inside, mut outside) = (0.0, random.uniform(0.5, 3.0));
                if !is_dual(&turned(inside)) || is_dual(&turned(outside)) {
                    continue;
                }
                for _ in 0..60 {
                    let middle = 0.5 * (inside + outside);
                    if is_dual(&turned(middle)) { inside = middle } else { outside = middle }
                }
                y = turned(inside);
            }
            // A smooth wall has one force, at an edge.
            if !is_dual(&y) || walls.iter().all(|wall| wall.friction == 0.0) || !is_of_both && walls[one].friction == 0.0 {
                continue;
            }
            // Forces of the surfaces that y leads along not at all.
            let generator = |k: usize| walls[k].normal - sines[k] * y;
            let force = generator(one) + if is_of_both { random.uniform(0.1, 2.0) * generator(1 - one) } else { Vec3::zeros() };
            let size = force.norm();
            assert!(resolved(&-(force + 1e-6 * size * y), &walls).norm() < 1e-12, "{walls:?} {force}");
            assert!(resolved(&-force, &walls).norm() < 1e-12, "{walls:?} {force}");
            assert!(!hold(&-(force - 1e-6 * size * y), &walls), "{walls:?} {force}");
            tried[usize::from(is_of_both)] += 1;
        }
        println!("{tried:?}");
        assert!(tried.iter().all(|tried| *tried > 200));
    }

    /// What two or three walls of all kinds hold is what can be made of forces in their cones, as each in turn comes as near to the rest as it can.
    #[test]
    fn walls_of_all_kinds_hold_what_their_forces_add_up_to() {
        let mut random = Random::new(77);
        let mut tried = [0; 2];
        for _ in 0..3000 {
            let count = if random.uniform(0.0, 1.0) < 0.5 { 2 } else { 3 };
            let walls: Vec<Touch> = (0..count)
                .map(|_| {
                    let friction = if random.uniform(0.0, 1.0) < 0.2 { 0.0 } else { random.uniform(0.05, 1.5) };
                    let condition = if random.uniform(0.0, 1.0) < 0.3 { WallCondition::Slip } else { WallCondition::Separating };
                    Touch { condition, ..touch(random.vector(-1.0, 1.0).normalize(), friction) }
                })
                .collect();
            if !walls.iter().any(Touch::rubs) {
                continue;
            }
            let v = random.vector(-1.0, 1.0).normalize();
            let [before, left] = left_by_turns(&v, &walls);
            // Where they are about to jam it does not come to its end.
            if left < 1e-7 || left > 1e-2 && left > 0.99 * before {
                assert_eq!(hold(&v, &walls), left < 1e-7, "{left:e} {v} {walls:?}");
                tried[usize::from(left < 1e-7)] += 1;
            }
        }
        println!("{tried:?}");
        assert!(tried.iter().all(|tried| *tried > 500));
    }

    /// Two walls that are nearly one, as faces of a round surface are, rub as one; what leads straight off both is held by none, and what leads into one that binds
    /// by that, whatever rubs beside it.
    #[test]
    fn what_is_nearly_one_wall_holds_as_one() {
        for angle in [1e-2, 1e-4, 1e-5, 1e-6, 0.0_f64] {
            for turned in 0..20 {
                let turn = Mat3::from(nalgebra::Rotation3::from_euler_angles(0.3 * f64::from(turned), 0.7, 0.1 * f64::from(turned)));
                let walls = [angle, -angle].map(|angle| touch(turn * Vec3::new(angle.sin(), angle.cos(), 0.0), 0.3));
                let holds = |way: Vec3| hold(&(turn * way), &walls);
                assert!(holds(Vec3::new(0.0, -1.0, 0.29)) && !holds(Vec3::new(0.0, -1.0, 0.31)), "{angle}");
                assert!(!holds(Vec3::y()) && !hold(&walls[0].normal, &walls), "{angle}");
            }
        }
        let mut random = Random::new(5);
        for _ in 0..200 {
            let [slips, rubs] = [0; 2].map(|_| random.vector(-1.0, 1.0).normalize());
            let walls = [Touch { condition: WallCondition::Slip, ..touch(slips, 0.0) }, touch(rubs, 0.4)];
            assert!(hold(&(random.uniform(-1.0, 1.0) * slips), &walls), "{walls:?}");
        }
    }

    /// What is left of it after half of all turns, and after all.
    fn left_by_turns(v: &Vec3, walls: &[Touch]) -> [f64; 2] {
        let mut forces = vec![Vec3::zeros(); walls.len()];
        let (mut left, mut before) = (*v, 0.0);
        for turn in 0..3000 {
            if turn == 1500 {
                before = left.norm();
            }
            for (touch, force) in walls.iter().zip(&mut forces) {
                let wanted = *force - left;
                let across = touch.normal.dot(&wanted);
                let along = wanted - across * touch.normal;
                let outward = ((across + touch.friction * along.norm()) / (1.0 + touch.friction.powi(2))).max(0.0);
                let next = match touch.condition {
                    WallCondition::Slip => across * touch.normal,
                    _ if along.norm() <= touch.friction * across => wanted,
                    _ => outward * touch.normal + (touch.friction * outward * along).unscale(along.norm()),
                };
                left += next - *force;
                *force = next;
            }
        }
        [before, left.norm()]
    }
}

//! Random contact scenes: whatever comes, the answer is finite, inside the cones, and what it says it is.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use proptest::prelude::*;

use super::scenes::{Boxes, OPTIONS, cone_violation};
use crate::math::Vec3;

/// A box on a slope, and maybe a smaller one on it.
#[derive(Debug, Clone)]
struct Random {
    size: [f64; 3],
    cells: [usize; 3],
    degrees: f64,
    friction: f64,
    fixed: bool,
    second: Option<[usize; 3]>,
}

impl Random {
    fn scene(&self) -> Boxes {
        let mut scene = Boxes::default();
        let turn = nalgebra::Rotation3::from_axis_angle(&Vec3::z_axis(), self.degrees.to_radians());
        let size = Vec3::from(self.size);
        let normal = turn * Vec3::y();
        let lower = scene.add(size, self.cells, |x| turn * x);
        if let Some(cells) = self.second {
            let corner = Vec3::new(0.1 * size.x, size.y, 0.2 * size.z);
            let upper = scene.add(0.7 * size, cells, |x| turn * (x + corner));
            scene.rest_on_box(&upper, &lower, normal, self.friction);
        }
        if self.fixed {
            scene.fix(|x| normal.dot(x).abs() < 1e-9 && (turn.inverse() * x).x < 1e-9);
        }
        scene.rest_on_plane(Vec3::zeros(), normal, self.friction);
        scene
    }

    /// Whether it stays, by hand: it neither slides, where its lower edge is not held, nor tips over that edge. `None` near the
    /// limit, and for two boxes.
    fn stays(&self) -> Option<bool> {
        let friction = if self.fixed { f64::INFINITY } else { self.friction };
        let margin = friction.min(self.size[0] / self.size[1]) - self.degrees.to_radians().tan();
        (self.second.is_none() && margin.abs() > 1e-3).then_some(margin > 0.0)
    }
}

fn random() -> impl Strategy<Value = Random> {
    let sizes = prop::array::uniform3(0.05..0.4);
    let cells = || prop::array::uniform3(1usize..4);
    let friction = prop_oneof![Just(0.0), 0.01..1.2];
    (sizes, cells(), 0.0..40.0, friction, any::<bool>(), prop::option::of(cells()))
        .prop_map(|(size, cells, degrees, friction, fixed, second)| Random { size, cells, degrees, friction, fixed, second })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, rng_seed: prop::test_runner::RngSeed::Fixed(4), ..ProptestConfig::default() })]

    /// Whatever the scene: finite forces inside their cones, a residual that is what it says, and no wrong verdict.
    #[test]
    fn random_scenes_are_balanced_or_known_not_to_be(random in random()) {
        let scene = random.scene();
        let assembled = scene.assembled();
        let problem = scene.problem(&assembled);
        let forces = scene.solve();
        prop_assert!(forces.contacts.iter().chain(&forces.net).all(|f| f.iter().all(|x| x.is_finite())));
        prop_assert!(cone_violation(&scene.sites, &forces.contacts) < 1e-9);
        let mut again = forces.clone();
        problem.measure(&mut again);
        prop_assert_eq!(again.residual, forces.residual);
        if let Some(stays) = random.stays() {
            prop_assert_eq!(forces.residual <= OPTIONS.tolerance, stays, "residual {}", forces.residual);
        }
    }
}

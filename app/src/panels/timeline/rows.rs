//! What of a scene has a time of its own: one row each, with marks that can be moved.

use aplomb_sim::scene::{PressureSettings, RegionRole, Scene};

use crate::document::Selection;
use crate::document::place::{Mover, add_key, key_at, motion_mut, motion_of};

/// Least time between keyframes [s], and the latest of all.
const APART: f64 = 1e-3;
const LATEST: f64 = 1e6;

/// What a row is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Row {
    /// Keyframes of a motion.
    Motion(Mover),
    /// When a body comes in.
    Entrance(usize),
    /// When an obstacle is taken away.
    Removal(usize),
    /// From when on the wind blows.
    Wind,
    /// The time over which the load of a region of a body grows.
    Ramp(usize, usize),
}

impl Row {
    /// Every row of a scene.
    pub fn all(scene: &Scene) -> Vec<Self> {
        let mut rows = Vec::new();
        if scene.wind.is_some() {
            rows.push(Self::Wind);
        }
        for (b, body) in scene.bodies.iter().enumerate() {
            if body.enters_at > 0.0 {
                rows.push(Self::Entrance(b));
            }
            for (r, region) in body.regions.iter().enumerate() {
                match &region.role {
                    RegionRole::Dirichlet { motion: Some(_), .. } => rows.push(Self::Motion(Mover::Region(b, r))),
                    RegionRole::Traction { .. } | RegionRole::Pressure(_) => rows.push(Self::Ramp(b, r)),
                    _ => {}
                }
            }
        }
        for (o, obstacle) in scene.obstacles.iter().enumerate() {
            if obstacle.motion.is_some() {
                rows.push(Self::Motion(Mover::Obstacle(o)));
            }
            if obstacle.removed_at.is_some() {
                rows.push(Self::Removal(o));
            }
        }
        rows
    }

    /// The thing that it is of.
    pub fn of(self) -> Selection {
        match self {
            Self::Motion(Mover::Region(b, r)) | Self::Ramp(b, r) => Selection::Region(b, r),
            Self::Motion(Mover::Obstacle(o)) | Self::Removal(o) => Selection::Obstacle(o),
            Self::Entrance(b) => Selection::Body(b),
            Self::Wind => Selection::Scene,
        }
    }

    /// Its name, and what happens.
    pub fn words(self, scene: &Scene) -> (String, &'static str) {
        let name = match self {
            Self::Wind => "wind".to_owned(),
            row => row.of().name(scene).to_owned(),
        };
        let what = match self {
            Self::Motion(_) => "moves",
            Self::Entrance(_) => "comes in",
            Self::Removal(_) => "taken away",
            Self::Wind => "blows from",
            Self::Ramp(..) => "full from",
        };
        (name, what)
    }

    /// Whether it has keyframes, which can be added and removed.
    pub fn has_keys(self) -> bool {
        matches!(self, Self::Motion(_))
    }

    /// Its marks [s], ascending.
    pub fn marks(self, scene: &Scene) -> Vec<f64> {
        let one = |time: Option<f64>| time.into_iter().collect();
        match self {
            Self::Motion(mover) => {
                motion_of(scene, mover).map(|motion| motion.keyframes.iter().map(|key| key.time).collect()).unwrap_or_default()
            }
            Self::Entrance(b) => one(scene.bodies.get(b).map(|body| body.enters_at)),
            Self::Removal(o) => one(scene.obstacles.get(o).and_then(|obstacle| obstacle.removed_at)),
            Self::Wind => one(scene.wind.map(|wind| wind.from)),
            Self::Ramp(b, r) => one(scene.bodies.get(b).and_then(|body| body.regions.get(r)).and_then(|region| match &region.role {
                RegionRole::Traction { ramp, .. } | RegionRole::Pressure(PressureSettings { ramp, .. }) => Some(*ramp),
                _ => None,
            })),
        }
    }

    /// The times between which a mark can be moved [s]: keyframes stay in order.
    pub fn limits(self, scene: &Scene, index: usize) -> (f64, f64) {
        let marks = self.marks(scene);
        match self {
            Self::Motion(_) => {
                let earliest = index.checked_sub(1).and_then(|before| marks.get(before)).map_or(0.0, |before| *before) + APART;
                let latest = marks.get(index + 1).map_or(LATEST, |after| after - APART);
                (earliest, latest.max(earliest))
            }
            // What comes in at the start has always been there.
            Self::Entrance(_) => (APART, LATEST),
            Self::Removal(_) | Self::Wind | Self::Ramp(..) => (0.0, LATEST),
        }
    }

    /// `scene` with a mark at another time, as near as it may be.
    pub fn moved(self, scene: &Scene, index: usize, time: f64) -> Scene {
        let (earliest, latest) = self.limits(scene, index);
        let time = time.clamp(earliest, latest);
        let mut scene = scene.clone();
        match self {
            Self::Motion(mover) => {
                if let Some(key) = motion_mut(&mut scene, mover).and_then(|motion| motion.keyframes.get_mut(index)) {
                    key.time = time;
                }
            }
            Self::Entrance(b) => {
                if let Some(body) = scene.bodies.get_mut(b) {
                    body.enters_at = time;
                }
            }
            Self::Removal(o) => {
                if let Some(obstacle) = scene.obstacles.get_mut(o) {
                    obstacle.removed_at = Some(time);
                }
            }
            Self::Wind => {
                if let Some(wind) = &mut scene.wind {
                    wind.from = time;
                }
            }
            Self::Ramp(b, r) => {
                if let Some(RegionRole::Traction { ramp, .. } | RegionRole::Pressure(PressureSettings { ramp, .. })) =
                    scene.bodies.get_mut(b).and_then(|body| body.regions.get_mut(r)).map(|region| &mut region.role)
                {
                    *ramp = time;
                }
            }
        }
        scene
    }

    /// `scene` with a keyframe at `time` where the motion has got to by then, and its place. `None` where there are no keyframes, or one
    /// is there.
    pub fn added(self, scene: &Scene, time: f64) -> Option<(Scene, usize)> {
        let Self::Motion(mover) = self else { return None };
        let mut scene = scene.clone();
        let motion = motion_mut(&mut scene, mover)?;
        if time < APART || key_at(motion, time).is_some() {
            return None;
        }
        let index = add_key(motion, time);
        Some((scene, index))
    }

    /// `scene` with a copy of a keyframe at `time`; over the one that is there.
    pub fn copied(self, scene: &Scene, index: usize, time: f64) -> Option<(Scene, usize)> {
        let Self::Motion(mover) = self else { return None };
        let mut scene = scene.clone();
        let motion = motion_mut(&mut scene, mover)?;
        let key = *motion.keyframes.get(index)?;
        if time < APART {
            return None;
        }
        let place = add_key(motion, time);
        let at = motion.keyframes[place].time;
        motion.keyframes[place] = aplomb_sim::scene::Keyframe { time: at, ..key };
        Some((scene, place))
    }

    /// `scene` without a mark: a keyframe, but for the last one of a motion; an entrance or a removal, which is then from the start, or never;
    /// a ramp, which is then none.
    pub fn removed(self, scene: &Scene, index: usize) -> Option<Scene> {
        let mut scene = scene.clone();
        match self {
            Self::Motion(mover) => {
                let motion = motion_mut(&mut scene, mover).filter(|motion| motion.keyframes.len() > 1 && index < motion.keyframes.len())?;
                motion.keyframes.remove(index);
            }
            Self::Entrance(b) => scene.bodies.get_mut(b)?.enters_at = 0.0,
            Self::Removal(o) => scene.obstacles.get_mut(o)?.removed_at = None,
            Self::Wind | Self::Ramp(..) => return Some(self.moved(&scene, index, 0.0)),
        }
        Some(scene)
    }

    /// The latest mark of a scene [s].
    pub fn latest(scene: &Scene) -> f64 {
        Self::all(scene).into_iter().flat_map(|row| row.marks(scene)).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use aplomb_sim::scene::{Keyframe, MotionSettings, Obstacle, Shape, WallCondition, WindSettings};

    fn scene() -> Scene {
        let mut scene = Scene::empty("s");
        let key = |time, x| Keyframe { time, translate: [x, 0.0, 0.0], rotate: None };
        scene.obstacles.push(Obstacle {
            name: "ball".into(),
            shape: Shape::Sphere { center: [0.0; 3], radius: 1.0 },
            friction: 0.5,
            removed_at: Some(3.0),
            wall: WallCondition::default(),
            motion: Some(MotionSettings { pivot: None, keyframes: vec![key(1.0, 1.0), key(2.0, 5.0)] }),
        });
        scene.wind = Some(WindSettings { velocity: [1.0, 0.0, 0.0], density: 1.2, drag: 1.0, from: 0.5, gust: None });
        scene
    }

    const BALL: Row = Row::Motion(Mover::Obstacle(0));

    #[test]
    fn every_row_moves_its_marks_and_keys_stay_in_order() {
        let scene = scene();
        assert_eq!(Row::all(&scene), [Row::Wind, BALL, Row::Removal(0)]);
        assert_eq!(Row::latest(&scene), 3.0);
        for row in Row::all(&scene) {
            for (index, &mark) in row.marks(&scene).iter().enumerate() {
                let after = row.moved(&scene, index, mark + 0.25);
                assert_eq!(row.marks(&after)[index], mark + 0.25, "{row:?}");
                assert_ne!(after, scene);
                assert!(row.marks(&row.moved(&scene, index, -9.0))[index] >= 0.0, "{row:?}");
            }
        }
        let marks = BALL.marks(&BALL.moved(&scene, 0, 7.0));
        assert_eq!(marks, [2.0 - APART, 2.0]);
        let marks = BALL.marks(&BALL.moved(&scene, 1, 0.0));
        assert_eq!(marks, [1.0, 1.0 + APART]);
    }

    #[test]
    fn keys_are_added_copied_and_removed_but_for_the_last() {
        let scene = scene();
        let (more, index) = BALL.added(&scene, 1.5).unwrap();
        let keys = |scene: &Scene| motion_of(scene, Mover::Obstacle(0)).unwrap().keyframes.clone();
        assert_eq!((index, keys(&more)[1].translate), (1, [3.0, 0.0, 0.0]), "half way");
        assert_eq!(BALL.added(&scene, 2.0), None, "there is one");
        assert_eq!(BALL.added(&scene, 0.0), None, "nothing has moved yet");
        assert_eq!(Row::Wind.added(&scene, 1.0), None);
        let (copied, index) = BALL.copied(&scene, 0, 4.0).unwrap();
        assert_eq!((index, keys(&copied)[2].translate, keys(&copied)[2].time), (2, [1.0, 0.0, 0.0], 4.0));
        let (over, index) = BALL.copied(&scene, 0, 2.0).unwrap();
        assert_eq!((index, keys(&over).len(), keys(&over)[1].translate), (1, 2, [1.0, 0.0, 0.0]));
        let one = BALL.removed(&scene, 0).unwrap();
        assert_eq!(BALL.marks(&one), [2.0]);
        assert_eq!(BALL.removed(&one, 0), None, "a motion has at least one");
        assert_eq!(Row::all(&Row::Removal(0).removed(&scene, 0).unwrap()), [Row::Wind, BALL]);
        assert_eq!(Row::Wind.marks(&Row::Wind.removed(&scene, 0).unwrap()), [0.0]);
    }
}

//! Obstacles: shapes with a formula as the scene has them, surfaces of triangles where the snapshot has them.

use std::sync::Arc;

use aplomb_sim::math::{Vec3, bounding_box};
use aplomb_sim::mesh::TriangleMesh;
use aplomb_sim::scene::{Obstacle, Scene, Shape, Transform};
use aplomb_sim::system::Motion;

use crate::session::{Model, ModelSurface, Snapshot, is_open};
use crate::viewport::{ObstacleDraw, ObstacleForm};

/// Straight pieces around a round shape.
const ROUND: u32 = 32;

/// The obstacles of a scene, each with the triangles of one that was edited since the model was made.
#[derive(Debug, Default)]
pub struct Obstacles {
    edited: Vec<Option<ObstacleForm>>,
    /// Which of them the bodies lie in.
    around: Vec<bool>,
}

impl Obstacles {
    /// The obstacles of `scene`; without a model, those that need none.
    pub fn of(scene: &Scene, model: Option<&Model>) -> Self {
        let bodies = model.map_or(&[][..], |model| &model.positions[..model.body_nodes]);
        let edited = scene.obstacles.iter().enumerate().map(|(index, obstacle)| match surface(model, index) {
            Some(known) if known.authored.shape == obstacle.shape && known.authored.motion == obstacle.motion => None,
            known => Some(afresh(obstacle, known.zip(model), bodies)),
        });
        let around = |index: usize| {
            surface(model, index).zip(model).is_some_and(|(surface, model)| surrounds(&model.positions[surface.nodes.clone()], bodies))
        };
        Self { edited: edited.collect(), around: (0..scene.obstacles.len()).map(around).collect() }
    }

    /// What they look like in `snapshot`, in the order of the scene; those that were edited since, as at time zero. At a time of one's
    /// own [s] those that move are where their motions take them.
    pub fn draw(&self, scene: &Scene, model: Option<&Model>, snapshot: Option<&Snapshot>, own: Option<f64>) -> Vec<ObstacleDraw> {
        let bodies = model.map_or(&[][..], |model| &model.positions[..model.body_nodes]);
        let time = own.or(snapshot.map(|snapshot| snapshot.time)).unwrap_or(0.0);
        let obstacles = scene.obstacles.iter().zip(&self.edited).enumerate();
        let draw = |(index, (obstacle, edited)): (usize, (&Obstacle, &Option<ObstacleForm>))| {
            let on_the_way = own.zip(obstacle.motion.as_ref()).map(|(time, motion)| {
                let points = points(scene, model, index);
                let form = afresh(obstacle, surface(model, index).zip(model), bodies);
                taken(form, {
                    let placement = Motion::new(motion, &points).placement(time);
                    move |point: &Vec3| placement.place(point)
                })
            });
            let form = match edited {
                _ if on_the_way.is_some() => on_the_way,
                Some(form) => Some(form.clone()),
                None => surface(model, index).zip(snapshot).and_then(|(surface, snapshot)| now(surface, snapshot, self.around[index])),
            };
            let present = form.is_some() && obstacle.removed_at.is_none_or(|removed| time < removed);
            ObstacleDraw { form: form.unwrap_or_else(|| ObstacleForm::Shape(obstacle.shape.clone())), present }
        };
        obstacles.map(draw).collect()
    }
}

fn surface(model: Option<&Model>, obstacle: usize) -> Option<&ModelSurface> {
    model?.surfaces.iter().find(|surface| surface.obstacle == obstacle)
}

/// Where a surface is now. A half-space is drawn as the plane that the square in its stead lies in, something round around its chain.
fn now(surface: &ModelSurface, snapshot: &Snapshot, around: bool) -> Option<ObstacleForm> {
    let positions = snapshot.positions.get(surface.nodes.clone())?;
    if let Shape::HalfSpace { .. } = surface.authored.shape {
        let [a, b, c] = surface.triangles.first()?.map(|vertex| positions[vertex as usize]);
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0)?;
        return Some(ObstacleForm::Shape(Shape::HalfSpace { point: a.into(), normal: normal.into() }));
    }
    if let Some(radius) = surface.radius {
        let (from, to) = ((*positions.first()?).into(), (*positions.last()?).into());
        let shape = if positions.len() == 1 { Shape::Sphere { center: from, radius } } else { Shape::Capsule { from, to, radius } };
        return Some(ObstacleForm::Shape(shape));
    }
    let open = surface.open && around;
    Some(ObstacleForm::Surface { positions: positions.into(), triangles: Arc::clone(&surface.triangles), open })
}

/// An obstacle as the scene has it. `known`: the surface that the model has for it, with the mesh that was read.
fn afresh(obstacle: &Obstacle, known: Option<(&ModelSurface, &Model)>, bodies: &[Vec3]) -> ObstacleForm {
    match (&obstacle.shape, triangles(&obstacle.shape)) {
        (Shape::Torus { .. } | Shape::Revolution { .. }, Some(made)) => {
            let open = is_open(&made.triangles) && surrounds(&made.positions, bodies);
            ObstacleForm::Surface { positions: made.positions.into(), triangles: made.triangles.into(), open }
        }
        (shape, _) => match known.and_then(|(surface, model)| Some((surface, placed(shape, surface, model)?))) {
            Some((surface, positions)) => {
                let open = surface.open && surrounds(&positions, bodies);
                ObstacleForm::Surface { positions, triangles: Arc::clone(&surface.triangles), open }
            }
            None => ObstacleForm::Shape(shape.clone()),
        },
    }
}

/// Whether most of the bodies lie in the box around a surface: it would hide them.
fn surrounds(surface: &[Vec3], bodies: &[Vec3]) -> bool {
    if surface.is_empty() {
        return false;
    }
    let (low, high) = bounding_box(surface);
    2 * bodies.iter().filter(|point| (0..3).all(|k| low[k] <= point[k] && point[k] <= high[k])).count() > bodies.len()
}

/// What an obstacle looks like where a motion has taken it.
fn taken(form: ObstacleForm, place: impl Fn(&Vec3) -> Vec3) -> ObstacleForm {
    let at = |point: [f64; 3]| -> [f64; 3] { place(&point.into()).into() };
    match form {
        ObstacleForm::Surface { positions, triangles, open } => {
            ObstacleForm::Surface { positions: positions.iter().map(&place).collect(), triangles, open }
        }
        ObstacleForm::Shape(Shape::HalfSpace { point, normal }) => {
            let tip = place(&(Vec3::from(point) + Vec3::from(normal)));
            let point = at(point);
            ObstacleForm::Shape(Shape::HalfSpace { point, normal: (tip - Vec3::from(point)).into() })
        }
        ObstacleForm::Shape(Shape::Sphere { center, radius }) => ObstacleForm::Shape(Shape::Sphere { center: at(center), radius }),
        ObstacleForm::Shape(Shape::Capsule { from, to, radius }) => {
            ObstacleForm::Shape(Shape::Capsule { from: at(from), to: at(to), radius })
        }
        ObstacleForm::Shape(shape) => match triangles(&shape) {
            Some(made) => {
                let positions = made.positions.iter().map(&place).collect();
                ObstacleForm::Surface { positions, open: is_open(&made.triangles), triangles: made.triangles.into() }
            }
            None => ObstacleForm::Shape(shape),
        },
    }
}

/// Points of the obstacle at this place in the scene, where the scene puts it [m]: those that its motion moves.
pub fn points(scene: &Scene, model: Option<&Model>, index: usize) -> Vec<Vec3> {
    let Some(obstacle) = scene.obstacles.get(index) else { return Vec::new() };
    let known = surface(model, index).zip(model);
    let same = known.filter(|(surface, _)| surface.authored.shape == obstacle.shape);
    if let Some((surface, model)) = same {
        return model.positions[surface.nodes.clone()].to_vec();
    }
    if let Shape::HalfSpace { point, .. } = obstacle.shape {
        return vec![point.into()];
    }
    let made = triangles(&obstacle.shape).map(|made| made.positions);
    made.or_else(|| known.and_then(|(surface, model)| placed(&obstacle.shape, surface, model)).map(|points| points.to_vec()))
        .unwrap_or_default()
}

/// The triangles of a shape of finite size that is not in a file.
fn triangles(shape: &Shape) -> Option<TriangleMesh> {
    match shape {
        Shape::Sphere { center, radius } => Some(TriangleMesh::capsule(&Vec3::from(*center), &Vec3::from(*center), *radius, ROUND)),
        Shape::Capsule { from, to, radius } => Some(TriangleMesh::capsule(&Vec3::from(*from), &Vec3::from(*to), *radius, ROUND)),
        Shape::Box { center, size, rotate_degrees } => {
            Some(TriangleMesh::cuboid(&Vec3::from(*center), &Vec3::from(*size), *rotate_degrees))
        }
        Shape::Torus { center, axis, ring_radius, tube_radius, segments } => {
            Some(TriangleMesh::torus(&Vec3::from(*center), &direction(*axis), *ring_radius, *tube_radius, *segments))
        }
        Shape::Revolution { center, axis, profile, segments } => {
            Some(TriangleMesh::revolution(&Vec3::from(*center), &direction(*axis), profile, false, *segments))
        }
        Shape::HalfSpace { .. } | Shape::Mesh { .. } => None,
    }
}

/// The mesh that was read for `surface`, put where `shape` puts it.
fn placed(shape: &Shape, surface: &ModelSurface, model: &Model) -> Option<Arc<[Vec3]>> {
    match (&surface.authored.shape, shape) {
        (Shape::Mesh { transform: before, .. }, Shape::Mesh { transform: after, .. }) => {
            Some(moved(&model.positions[surface.nodes.clone()], before, after))
        }
        _ => None,
    }
}

/// Points that one transform has placed, as another places them.
fn moved(points: &[Vec3], before: &Transform, after: &Transform) -> Arc<[Vec3]> {
    let mut points: Vec<Vec3> = points.iter().map(|point| point - Vec3::from(before.translate)).collect();
    let inverse = aplomb_sim::math::rotation(before.rotate_degrees).transpose() / before.scale;
    points.iter_mut().for_each(|point| *point = inverse * *point);
    after.apply(&mut points);
    points.into()
}

/// A direction that is none yet, while it is typed, is drawn as up.
fn direction(axis: [f64; 3]) -> Vec3 {
    Vec3::from(axis).try_normalize(1e-12).unwrap_or_else(Vec3::y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_funnel_is_seen_through_and_a_pot_that_the_body_stands_in_is_not() {
        let bowl = [Vec3::new(-1.0, 0.0, -1.0), Vec3::new(1.0, 0.5, 1.0)];
        let body = |low: f64| (0..10).map(|i| Vec3::new(0.0, low + 0.1 * f64::from(i), 0.0)).collect::<Vec<_>>();
        assert!(surrounds(&bowl, &body(-0.3)), "six of ten points lie in it");
        assert!(!surrounds(&bowl, &body(0.25)), "three do");
        assert!(!surrounds(&[], &body(0.0)) && !surrounds(&bowl, &[]));
    }

    #[test]
    fn what_one_transform_placed_another_places_anew() {
        let before = Transform { scale: 2.0, rotate_degrees: [10.0, 20.0, 30.0], translate: [1.0, 2.0, 3.0] };
        let after = Transform { scale: 0.5, rotate_degrees: [-40.0, 5.0, 0.0], translate: [0.0, -1.0, 0.0] };
        let given = [Vec3::new(0.3, -0.2, 0.9), Vec3::new(-1.0, 4.0, 0.1)];
        let (mut first, mut second) = (given.to_vec(), given.to_vec());
        before.apply(&mut first);
        after.apply(&mut second);
        for (moved, expected) in moved(&first, &before, &after).iter().zip(&second) {
            assert!((moved - expected).norm() < 1e-12, "{moved} and {expected}");
        }
    }
}

//! Which obstacle lies under the cursor.

use aplomb_sim::contact::distance::placed;
use aplomb_sim::scene::Shape;

use super::bvh::meet;
use super::camera::Ray;
use super::draw_list::{DrawList, ObstacleForm};

/// Evaluations of a signed distance along a ray at most.
const STEPS: usize = 200;

/// The nearest obstacle on `ray`, no farther than `far` [m] and found to `fine` [m]; none where a body is hit `before` it, or is seen
/// through it.
pub fn under(list: &DrawList, ray: &Ray, before: Option<f64>, far: f64, fine: f64) -> Option<usize> {
    let hits = list.obstacles.iter().enumerate().filter(|(_, obstacle)| obstacle.present).filter_map(|(index, obstacle)| {
        let distance = distance(&obstacle.form, ray, far, fine)?;
        let hidden = before.is_some_and(|body| body < distance || obstacle.is_clear(list.xray));
        (!hidden).then_some((index, distance))
    });
    hits.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
}

/// How far along the ray the obstacle begins [m].
fn distance(form: &ObstacleForm, ray: &Ray, far: f64, fine: f64) -> Option<f64> {
    match form {
        ObstacleForm::Shape(shape) => trace(shape, ray, far, fine),
        ObstacleForm::Surface { positions, triangles, .. } => {
            let corners = |triangle: &[u32; 3]| -> Option<[_; 3]> {
                let [a, b, c] = triangle.map(|vertex| positions.get(vertex as usize).copied());
                Some([a?, b?, c?])
            };
            let hits = triangles.iter().filter_map(|triangle| meet(&corners(triangle)?, ray));
            hits.filter(|&distance| distance <= far).min_by(f64::total_cmp)
        }
    }
}

/// Walks along the ray by the shape's distance, which nothing of it is nearer than (Hart 1996, sphere tracing).
fn trace(shape: &Shape, ray: &Ray, far: f64, fine: f64) -> Option<f64> {
    let shape = placed(shape);
    let mut along = 0.0;
    for _ in 0..STEPS {
        let gap = shape.distance(&(ray.origin + along * ray.direction)).value;
        if gap < fine {
            return Some(along);
        }
        along += gap;
        if along > far {
            break;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use aplomb_sim::math::Vec3;

    use super::*;
    use crate::viewport::ObstacleDraw;

    fn list(open: bool) -> DrawList {
        let wall = [[-1.0, -1.0, -2.0], [1.0, -1.0, -2.0], [0.0, 1.0, -2.0]].map(Vec3::from);
        let forms = [
            ObstacleForm::Shape(Shape::HalfSpace { point: [0.0, -1.0, 0.0], normal: [0.0, 1.0, 0.0] }),
            ObstacleForm::Shape(Shape::Sphere { center: [0.0, 0.0, -6.0], radius: 1.0 }),
            ObstacleForm::Surface { positions: wall.into(), triangles: [[0, 1, 2]].into(), open },
        ];
        DrawList { obstacles: forms.map(|form| ObstacleDraw { form, present: true }).into(), ..DrawList::default() }
    }

    #[test]
    fn the_nearest_one_is_found_and_a_body_before_it_hides_it() {
        let ahead = Ray { origin: Vec3::zeros(), direction: -Vec3::z() };
        let mut list = list(false);
        assert_eq!(under(&list, &ahead, None, 20.0, 1e-5), Some(2));
        assert_eq!(under(&list, &ahead, Some(3.0), 20.0, 1e-5), Some(2), "the body is behind a wall");
        assert_eq!(under(&list, &ahead, Some(1.0), 20.0, 1e-5), None, "the body is before it");
        list.obstacles[2].present = false;
        assert_eq!(under(&list, &ahead, None, 20.0, 1e-5), Some(1));
        assert_eq!(under(&list, &ahead, None, 3.0, 1e-5), None, "too far");
        let down = Ray { origin: Vec3::zeros(), direction: Vec3::new(0.0, -1.0, 0.1).normalize() };
        assert_eq!(under(&list, &down, None, 20.0, 1e-5), Some(0));
        let up = Ray { origin: Vec3::zeros(), direction: Vec3::y() };
        assert_eq!(under(&list, &up, None, 20.0, 1e-5), None);
    }

    #[test]
    fn what_is_seen_through_gives_way_to_the_body_behind() {
        let ahead = Ray { origin: Vec3::zeros(), direction: -Vec3::z() };
        assert_eq!(under(&list(true), &ahead, Some(3.0), 20.0, 1e-5), None);
        assert_eq!(under(&list(true), &ahead, None, 20.0, 1e-5), Some(2));
        let xray = DrawList { xray: true, ..list(false) };
        assert_eq!(under(&xray, &ahead, Some(3.0), 20.0, 1e-5), None);
    }
}

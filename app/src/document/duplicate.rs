//! Copies of what is selected, beside it, with names of their own.

use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::scene::{Scene, Shape};

use super::place::{Target, placed};
use super::{Selection, free_name, role_color};
use crate::viewport::handles::{Change, Frame};

/// `scene` with copies, and what they are. `extent`: of bodies and obstacles among what is copied [m]; their copies stand beside them.
/// Regions are copied within their body, over the same vertices.
pub fn duplicated(scene: &Scene, what: &[Selection], extent: Vec3) -> (Scene, Vec<Selection>) {
    let mut scene = scene.clone();
    let aside = Vec3::new(1.1 * extent.x, 0.0, 0.0);
    let mut copies = Vec::new();
    // As they stand in the scene, whichever was selected first.
    let mut what = what.to_vec();
    what.sort_unstable();
    for one in what {
        match one {
            Selection::Scene | Selection::Probe(_) | Selection::Place(..) => {}
            Selection::Body(b) => {
                let Some(mut copy) = scene.bodies.get(b).cloned() else { continue };
                copy.name = free_name(stem(&copy.name), scene.bodies.iter().map(|body| body.name.as_str()));
                scene.bodies.push(copy);
                let index = scene.bodies.len() - 1;
                scene = moved(&scene, Target::Body(index), aside);
                copies.push(Selection::Body(index));
            }
            Selection::Obstacle(o) => {
                let Some(mut copy) = scene.obstacles.get(o).cloned() else { continue };
                copy.name = free_name(stem(&copy.name), scene.obstacles.iter().map(|obstacle| obstacle.name.as_str()));
                // A plane beside itself is the same plane: it goes down.
                let way = match &copy.shape {
                    Shape::HalfSpace { normal, .. } => -0.1 * extent.norm() * Vec3::from(*normal).try_normalize(1e-12).unwrap_or_default(),
                    _ => aside,
                };
                scene.obstacles.push(copy);
                let index = scene.obstacles.len() - 1;
                scene = moved(&scene, Target::Obstacle(index), way);
                copies.push(Selection::Obstacle(index));
            }
            Selection::Region(b, r) => {
                let Some(body) = scene.bodies.get_mut(b) else { continue };
                let Some(mut copy) = body.regions.get(r).cloned() else { continue };
                copy.name = free_name(stem(&copy.name), body.regions.iter().map(|region| region.name.as_str()));
                copy.color = Some(role_color(&copy.role, body.regions.len()));
                body.regions.push(copy);
                copies.push(Selection::Region(b, body.regions.len() - 1));
            }
        }
    }
    (scene, copies)
}

fn moved(scene: &Scene, target: Target, way: Vec3) -> Scene {
    let frame = Frame { pivot: Vec3::zeros(), axes: Mat3::identity() };
    placed(scene, &[target], &Change { translate: way, ..Change::still(frame) }, None)
}

/// A name without the number that made it free.
fn stem(name: &str) -> &str {
    let number = name.rsplit_once(' ').filter(|(stem, number)| !stem.is_empty() && number.parse::<u32>().is_ok());
    number.map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use aplomb_sim::scene::{Region, RegionRole, Selector};

    #[test]
    fn copies_have_names_of_their_own_and_stand_beside() {
        let file = aplomb_sim::scene_file::gallery::find("creature").unwrap().path();
        let mut scene = aplomb_sim::scene_file::load(&file).unwrap();
        let select = vec![Selector::Sphere { center: [0.0; 3], radius: 0.1 }];
        scene.bodies[0].regions = vec![Region { name: "a".into(), color: None, locked: false, role: RegionRole::FIXED, select }];
        let count = scene.obstacles.len();
        let what = [Selection::Region(0, 0), Selection::Obstacle(0), Selection::Body(0)];
        let (twice, copies) = duplicated(&scene, &what, Vec3::new(2.0, 1.0, 1.0));
        assert_eq!(copies, [Selection::Body(1), Selection::Region(0, 1), Selection::Obstacle(count)]);
        let name = &scene.bodies[0].name;
        assert_eq!(twice.bodies[1].name, format!("{name} 2"));
        assert_eq!((twice.bodies[0].regions[1].name.as_str(), twice.bodies[0].regions.len()), ("a 2", 2));
        assert_eq!(twice.bodies[1].transform.translate[0], scene.bodies[0].transform.translate[0] + 2.2);
        assert_eq!(twice.bodies[1].regions[0].select, [Selector::Sphere { center: [2.2, 0.0, 0.0], radius: 0.1 }]);
        let [Shape::HalfSpace { point: before, .. }, Shape::HalfSpace { point: after, .. }] =
            [&scene.obstacles[0].shape, &twice.obstacles[count].shape]
        else {
            panic!("the ground")
        };
        assert!(after[1] < before[1], "a second ground lies under the first");
        let (thrice, _) = duplicated(&twice, &[Selection::Body(1)], Vec3::zeros());
        assert_eq!(thrice.bodies[2].name, format!("{name} 3"), "numbers are counted on, and not put behind one another");
        assert_eq!((stem("ball 12"), stem("12"), stem("box")), ("ball", "12", "box"));
    }
}

//! What mends a fault that a report names, as an edit of the scene.

use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::scene::{Cure, Mend, Obstacle, Parts, Region, RegionRole, Scene, Shape, Way};

use super::place::{Target, placed};
use super::{MeshFile, ShapeKind, new_obstacle};
use crate::viewport::handles::{Change, Frame};
use crate::widgets::{quantity, significant};

/// What a button that mends does, at length.
pub fn mend_hint(mend: &Mend) -> String {
    match mend {
        Mend::StiffenUpTo(factor) => format!(
            "Elements that are too soft by up to × {}, and where the pose would buckle then, what bends; initialises again",
            significant(*factor, 8)
        ),
        _ => "Change it in the scene, and initialise again".to_owned(),
    }
}

/// What a button that mends says.
pub fn mend_label(mend: &Mend) -> String {
    match mend {
        Mend::Friction { coefficient, .. } => format!("Set friction to {}", significant(*coefficient, 4)),
        Mend::StiffenUpTo(_) => "Stiffen what gives way".to_owned(),
        Mend::Move { by, way, .. } => {
            let far = quantity(Vec3::from(*by).norm(), "m");
            match way {
                Way::Onto(obstacle) => format!("Drop onto {obstacle}"),
                Way::OutOf(obstacle) => format!("Move out of {obstacle} by {far}"),
                Way::Apart => format!("Separate by {far}"),
            }
        }
        Mend::Ground { .. } => "Put ground under it".to_owned(),
        Mend::Trim { points, .. } => format!("Leave out {points} points"),
        Mend::Keep { .. } => "Keep a small deviator".to_owned(),
        Mend::Substeps { number, .. } => format!("Take {number} substeps"),
    }
}

/// The scene with a fault mended; nothing that helps already is made less. `None` if there is nothing to change.
pub fn mended(scene: &Scene, mend: &Mend) -> Option<Scene> {
    let mut changed = scene.clone();
    match mend {
        Mend::Friction { obstacles, bodies, among_bodies, coefficient } => {
            let raise = |friction: &mut f64| *friction = friction.max(*coefficient);
            let touched: Vec<String> = obstacles.iter().filter_map(|&o| Some(scene.obstacles.get(o)?.name.clone())).collect();
            let is_touched = |(o, _): &(usize, &mut Obstacle)| obstacles.contains(o);
            changed.obstacles.iter_mut().enumerate().filter(is_touched).for_each(|(_, obstacle)| raise(&mut obstacle.friction));
            if *among_bodies {
                raise(&mut changed.contact.friction);
            }
            // A region of the bodies may say otherwise of the obstacles.
            let regions = bodies.iter().flat_map(|&b| scene.bodies.get(b).map_or(0..0, |body| 0..body.regions.len()).map(move |r| (b, r)));
            for (b, r) in regions {
                let Region { role, .. } = &mut changed.bodies[b].regions[r];
                if let RegionRole::Contact { friction: Some(friction), obstacles: named } = role
                    && named.as_ref().is_none_or(|named| touched.iter().any(|name| named.contains(name)))
                {
                    raise(friction);
                }
            }
        }
        Mend::StiffenUpTo(factor) => {
            let limit = &mut changed.initialise.stiffen_up_to;
            *limit = limit.max(*factor);
            // What can make its force now may buckle under it.
            if changed.initialise.cure == Cure::None {
                changed.initialise.cure = Cure::LocalStiffening;
            }
        }
        Mend::Move { body, by, .. } => {
            let frame = Frame { pivot: Vec3::zeros(), axes: Mat3::identity() };
            let change = Change { translate: (*by).into(), ..Change::still(frame) };
            changed = placed(scene, &[Target::Body(*body)], &change, None);
        }
        Mend::Ground { body, point, normal } => {
            let at = Vec3::from(*point);
            let mut ground = new_obstacle(scene, ShapeKind::Ground, (at, at), MeshFile::default());
            ground.shape = Shape::HalfSpace { point: *point, normal: *normal };
            // Where regions of the body name what they touch, it is not among these.
            for region in changed.bodies.get_mut(*body).map_or(&mut [][..], |body| &mut body.regions) {
                if let RegionRole::Contact { obstacles: Some(named), .. } = &mut region.role {
                    named.push(ground.name.clone());
                }
            }
            changed.obstacles.push(ground);
        }
        Mend::Trim { body, cells, .. } => {
            let kind = changed.bodies.get_mut(*body)?.kind.as_mut()?;
            kind.settings.as_object_mut()?.insert("trim".to_owned(), (*cells).into());
        }
        Mend::Keep { body, until } => {
            let kind = changed.bodies.get_mut(*body)?.kind.as_mut()?;
            kind.settings.get_mut("liquid")?.as_object_mut()?.insert("kept_until".to_owned(), (*until).into());
        }
        Mend::Substeps { of: Parts::Projection, number } => {
            let parts = &mut changed.simulate.projection.substeps;
            *parts = (*number).max(*parts);
        }
        // Where none are given, as many as it takes are taken already.
        Mend::Substeps { of: Parts::Grid, number } => {
            changed.simulate.grid.substeps.iter_mut().for_each(|parts| *parts = (*number).max(*parts));
        }
    }
    (changed != *scene).then_some(changed)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use aplomb_sim::scene_file::{gallery, load};

    use super::*;

    #[test]
    fn substeps_are_raised_where_they_are_given_and_nowhere_lowered() {
        let mut scene = load(&gallery::find("xpbd_cloth").unwrap().path()).unwrap();
        scene.simulate.projection.substeps = 5;
        let parts = |scene: &Scene, of, number| {
            let mended = mended(scene, &Mend::Substeps { of, number })?;
            Some((mended.simulate.projection.substeps, mended.simulate.grid.substeps))
        };
        assert_eq!(parts(&scene, Parts::Projection, 9), Some((9, None)));
        assert_eq!(parts(&scene, Parts::Projection, 4), None);
        // Where no number is given, the grid takes as many as it needs.
        assert_eq!(parts(&scene, Parts::Grid, 9), None);
        scene.simulate.grid.substeps = Some(2);
        assert_eq!(parts(&scene, Parts::Grid, 9), Some((5, Some(9))));
    }

    #[test]
    fn points_are_left_out_of_the_body_that_has_them() {
        let scene = load(&gallery::find("mpm_creature").unwrap().path()).unwrap();
        let trim = |body| mended(&scene, &Mend::Trim { body, cells: 0.04, points: 3 });
        assert_eq!(trim(0).unwrap().bodies[0].kind.as_ref().unwrap().settings["trim"], 0.04);
        assert_eq!(trim(1), None);
    }

    #[test]
    fn a_deviator_is_kept_by_the_liquid_that_is_told_to() {
        let scene = load(&gallery::find("mpm_dam").unwrap().path()).unwrap();
        let keep = |scene: &Scene, body| mended(scene, &Mend::Keep { body, until: 0.01 });
        assert_eq!(keep(&scene, 0).unwrap().bodies[0].kind.as_ref().unwrap().settings["liquid"]["kept_until"], 0.01);
        assert_eq!(keep(&scene, 1), None);
        let solid = load(&gallery::find("mpm_creature").unwrap().path()).unwrap();
        assert_eq!(keep(&solid, 0), None);
    }

    #[test]
    fn friction_is_raised_where_it_acts_and_nowhere_lowered() {
        let mut scene = load(&gallery::find("too_slippery").unwrap().path()).unwrap();
        let role = |named: Option<&str>| RegionRole::Contact { friction: Some(0.1), obstacles: named.map(|name| vec![name.to_owned()]) };
        let slope = scene.obstacles[0].name.clone();
        let region = |role| Region { name: "sole".into(), color: None, locked: false, role, select: Vec::new() };
        scene.bodies[0].regions = vec![region(role(None)), region(role(Some(&slope))), region(role(Some("elsewhere")))];
        let mend = |coefficient| Mend::Friction { obstacles: vec![0], bodies: vec![0], among_bodies: false, coefficient };
        let changed = mended(&scene, &mend(0.37)).unwrap();
        let of_region = |r: usize| match changed.bodies[0].regions[r].role {
            RegionRole::Contact { friction, .. } => friction,
            _ => panic!("it has another role"),
        };
        assert_eq!([0, 1, 2].map(of_region), [Some(0.37), Some(0.37), Some(0.1)]);
        assert_eq!((changed.obstacles[0].friction, changed.contact.friction), (0.37, scene.contact.friction));
        assert!(mended(&changed, &mend(0.2)).is_none(), "it is more already");
        let among = Mend::Friction { obstacles: Vec::new(), bodies: vec![0], among_bodies: true, coefficient: 3.0 };
        assert_eq!(mended(&scene, &among).unwrap().contact.friction, 3.0);
        let stiffer = mended(&scene, &Mend::StiffenUpTo(2.5)).unwrap().initialise;
        assert_eq!((stiffer.stiffen_up_to, stiffer.cure), (2.5, Cure::LocalStiffening));
        scene.initialise.cure = Cure::TensionShift;
        assert_eq!(mended(&scene, &Mend::StiffenUpTo(2.5)).unwrap().initialise.cure, Cure::TensionShift, "a cure that was chosen stays");
    }
}

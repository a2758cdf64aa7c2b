//! Names by which parts of a scene call one another: where one changes, or what it names is gone, the others follow.

use aplomb_sim::scene::{Region, RegionRole, Scene};

use super::{Selection, free_name};

/// The obstacle called `from` is now called `to`, or is gone: regions that name it follow. What went along with one that is gone is held.
pub fn follow_obstacle(scene: &mut Scene, from: &str, to: Option<&str>) {
    for region in scene.bodies.iter_mut().flat_map(|body| &mut body.regions) {
        match &mut region.role {
            RegionRole::Contact { obstacles: Some(names), .. } => match to {
                Some(to) => names.iter_mut().filter(|name| *name == from).for_each(|name| *name = to.to_owned()),
                None => names.retain(|name| name != from),
            },
            RegionRole::Dirichlet { follows, .. } if follows.as_deref() == Some(from) => *follows = to.map(str::to_owned),
            _ => {}
        }
    }
}

/// The body called `from` is now called `to`: equalities, regions and probes that name it follow.
pub fn follow_body(scene: &mut Scene, from: &str, to: &str) {
    let terms = scene.equalities.iter_mut().flat_map(|equality| &mut equality.terms);
    let named = terms.map(|term| &mut term.body);
    let attached = scene.bodies.iter_mut().flat_map(|body| &mut body.regions).filter_map(|region| match &mut region.role {
        RegionRole::Attach(settings) => Some(&mut settings.body),
        _ => None,
    });
    let probed = scene.probes.iter_mut().map(|probe| &mut probe.body);
    named.chain(attached).chain(probed).filter(|name| *name == from).for_each(|name| *name = to.to_owned());
}

/// The body called `name` is gone, and with it what attaches others to it, and its probes.
pub fn detach(scene: &mut Scene, name: &str) {
    let is_attached = |region: &Region| matches!(&region.role, RegionRole::Attach(settings) if settings.body == name);
    scene.probes.retain(|probe| probe.body != name);
    scene.bodies.iter_mut().for_each(|body| body.regions.retain(|region| !is_attached(region)));
}

/// The region called `from` of the body called `body` is now called `to`, or is gone: what is attached to it follows. Where it is gone,
/// springs run to the whole body.
pub fn follow_region(scene: &mut Scene, body: &str, from: &str, to: Option<&str>) {
    for region in scene.bodies.iter_mut().flat_map(|body| &mut body.regions) {
        if let RegionRole::Attach(settings) = &mut region.role
            && settings.body == body
            && settings.region.as_deref() == Some(from)
        {
            settings.region = to.map(str::to_owned);
        }
    }
}

/// `scene` with `what` called `name`, or the first free name after it: whatever names it follows. `None` where that changes nothing.
pub fn renamed(scene: &Scene, what: Selection, name: &str) -> Option<Scene> {
    let name = name.trim();
    let before = what.name(scene).to_owned();
    if name.is_empty() || name == before {
        return None;
    }
    let mut scene = scene.clone();
    match what {
        Selection::Scene => name.clone_into(&mut scene.name),
        Selection::Body(b) => {
            let name = free_name(name, scene.bodies.iter().map(|body| body.name.as_str()));
            scene.bodies.get_mut(b)?.name.clone_from(&name);
            follow_body(&mut scene, &before, &name);
        }
        Selection::Region(b, r) => {
            let body = scene.bodies.get_mut(b)?;
            let name = free_name(name, body.regions.iter().map(|region| region.name.as_str()));
            body.regions.get_mut(r)?.name.clone_from(&name);
            let body = body.name.clone();
            follow_region(&mut scene, &body, &before, Some(&name));
        }
        Selection::Obstacle(o) => {
            let name = free_name(name, scene.obstacles.iter().map(|obstacle| obstacle.name.as_str()));
            scene.obstacles.get_mut(o)?.name.clone_from(&name);
            follow_obstacle(&mut scene, &before, Some(&name));
        }
        Selection::Probe(p) => {
            let name = free_name(name, scene.probes.iter().map(|probe| probe.name.as_str()));
            scene.probes.get_mut(p)?.name = name;
        }
        Selection::Place(..) => return None,
    }
    Some(scene)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn whatever_names_it_follows_and_no_two_have_one_name() {
        let file = aplomb_sim::scene_file::gallery::find("creature").unwrap().path();
        let mut scene = aplomb_sim::scene_file::load(&file).unwrap();
        let ground = scene.obstacles[0].name.clone();
        let role = RegionRole::Contact { friction: None, obstacles: Some(vec![ground.clone()]) };
        scene.bodies[0].regions.push(Region { name: "feet".into(), color: None, locked: false, role, select: Vec::new() });
        let named = |scene: &Scene| match &scene.bodies[0].regions.last().unwrap().role {
            RegionRole::Contact { obstacles: Some(names), .. } => names.clone(),
            _ => Vec::new(),
        };
        let after = renamed(&scene, Selection::Obstacle(0), " floor ").unwrap();
        assert_eq!((after.obstacles[0].name.as_str(), named(&after)), ("floor", vec!["floor".to_owned()]));
        let copy = aplomb_sim::scene::Obstacle { name: "other".into(), ..scene.obstacles[0].clone() };
        scene.obstacles.push(copy);
        let after = renamed(&scene, Selection::Obstacle(1), &ground).unwrap();
        assert_eq!(after.obstacles[1].name, format!("{ground} 2"));
        assert_eq!(named(&after), std::slice::from_ref(&ground), "what names the first one goes on to do so");
        assert_eq!(renamed(&scene, Selection::Obstacle(0), "  "), None);
        assert_eq!(renamed(&scene, Selection::Obstacle(0), &ground), None);
    }
}

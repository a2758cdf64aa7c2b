//! Names by which parts of a scene call one another: where one changes, or what it names is gone, the others follow.

use aplomb_sim::scene::{Region, RegionRole, Scene};

/// The obstacle called `from` is now called `to`, or is gone: regions that name it follow.
pub fn follow_obstacle(scene: &mut Scene, from: &str, to: Option<&str>) {
    for region in scene.bodies.iter_mut().flat_map(|body| &mut body.regions) {
        if let RegionRole::Contact { obstacles: Some(names), .. } = &mut region.role {
            match to {
                Some(to) => names.iter_mut().filter(|name| *name == from).for_each(|name| *name = to.to_owned()),
                None => names.retain(|name| name != from),
            }
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

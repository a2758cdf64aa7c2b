//! Taking away what is selected, and what only makes sense with it.

use aplomb_sim::scene::Scene;

use super::{Selection, detach, follow_obstacle, follow_region};

/// `scene` without these, what is selected then, and the name of the edit. `None` where nothing goes.
pub fn removed(scene: &Scene, what: &[Selection]) -> Option<(Scene, Selection, &'static str)> {
    let mut scene = scene.clone();
    let (mut gone, mut next) = (0, Selection::Scene);
    let mut label = "Delete selected";
    // From behind, so that places before stay; with a body its regions go.
    let mut what = what.to_vec();
    what.sort_unstable();
    for one in what.iter().rev() {
        match *one {
            missing if !missing.is_in(&scene) => continue,
            Selection::Region(b, r) => {
                let region = scene.bodies[b].regions.remove(r);
                let body = scene.bodies[b].name.clone();
                follow_region(&mut scene, &body, &region.name, None);
                (next, label) = (Selection::Body(b), "Delete region");
            }
            Selection::Obstacle(o) => {
                let obstacle = scene.obstacles.remove(o);
                follow_obstacle(&mut scene, &obstacle.name, None);
                label = "Delete obstacle";
            }
            Selection::Body(b) => {
                let body = scene.bodies.remove(b);
                detach(&mut scene, &body.name);
                (next, label) = (Selection::Scene, "Delete body");
            }
            Selection::Probe(p) => {
                scene.probes.remove(p);
                label = "Delete probe";
            }
            Selection::Scene | Selection::Place(..) => continue,
        }
        gone += 1;
    }
    match gone {
        0 => None,
        1 => Some((scene, next, label)),
        _ => Some((scene, Selection::Scene, "Delete selected")),
    }
}

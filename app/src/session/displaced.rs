//! What two scenes differ in where bodies only stand elsewhere.

use aplomb_sim::bodies::keys::same_geometry;
use aplomb_sim::scene::{Scene, Shape, Transform};

/// How bodies stand in `scene`, and how in `of`, where that is all that is different in what is to be loaded; bodies in the order of the
/// scene.
pub fn displaced(of: &Scene, scene: &Scene) -> Option<Vec<(Transform, Transform)>> {
    if of.bodies.len() != scene.bodies.len() || of.obstacles.len() != scene.obstacles.len() {
        return None;
    }
    let mut moved = of.clone();
    for (body, to) in moved.bodies.iter_mut().zip(&scene.bodies) {
        body.transform = to.transform;
    }
    for (obstacle, to) in moved.obstacles.iter_mut().zip(&scene.obstacles) {
        if let (Shape::Mesh { transform, .. }, Shape::Mesh { transform: to, .. }) = (&mut obstacle.shape, &to.shape) {
            *transform = *to;
        }
    }
    let transforms = || of.bodies.iter().zip(&scene.bodies).map(|(before, after)| (before.transform, after.transform));
    same_geometry(&moved, scene).then(|| transforms().collect())
}

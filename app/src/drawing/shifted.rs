//! Bodies where the scene has them by now, before they are loaded there.

use aplomb_sim::math::{Vec3, rotation};
use aplomb_sim::scene::Transform;

use crate::session::{Model, Snapshot};

/// A snapshot with each body taken from where its first transform puts it to where its second one does.
pub fn shifted(snapshot: &Snapshot, model: &Model, transforms: &[(Transform, Transform)]) -> Snapshot {
    let mut positions = snapshot.positions.to_vec();
    for (body, (before, after)) in model.bodies.iter().zip(transforms).filter(|(_, (before, after))| before != after) {
        let turn = rotation(after.rotate_degrees) * rotation(before.rotate_degrees).transpose() * (after.scale / before.scale);
        let way = Vec3::from(after.translate) - turn * Vec3::from(before.translate);
        positions[body.nodes.clone()].iter_mut().for_each(|at| *at = turn * *at + way);
    }
    Snapshot {
        run: snapshot.run,
        frame: snapshot.frame,
        time: snapshot.time,
        positions: positions.into(),
        fields: snapshot.fields.clone(),
        contacts: snapshot.contacts.clone(),
        unbalanced: [].into(),
        place: None,
    }
}

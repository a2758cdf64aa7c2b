//! A body elsewhere: its transform, and the places that its regions name.

use aplomb_sim::bodies::select::fingerprint;
use aplomb_sim::math::{Mat3, Vec3, bounding_box};
use aplomb_sim::scene::{Body, Region, RegionRole, Selector, Transform};

use super::{angles, length, point};
use crate::drawing::painted;
use crate::session::ModelBody;
use crate::viewport::handles::Change;

/// Grain of places of bodies [m].
const GRAIN: f64 = 1e-12;

/// Places a body; it is scaled in all directions alike. What its regions say of places goes along.
pub fn place(body: &mut Body, change: &Change, model: Option<&ModelBody>) {
    transform(&mut body.transform, change);
    let mut mesh = None;
    for region in &mut body.regions {
        if let RegionRole::Dirichlet { motion: Some(motion), .. } = &mut region.role {
            motion.pivot = motion.pivot.map(|pivot| point(change.place(&pivot.into()), GRAIN));
        }
        if !go_along(region, change)
            && let Some(model) = model
        {
            region.select = vec![Selector::Vertices(painted(model, region, false))];
            mesh = Some(fingerprint(&model.mesh));
        }
    }
    body.painted_on = mesh.or(body.painted_on.take());
}

/// A transform followed by a change.
pub fn transform(transform: &mut Transform, change: &Change) {
    let factor = change.scale.x;
    transform.translate = point(change.place(&transform.translate.into()), GRAIN);
    if change.rotate != Vec3::zeros() {
        transform.rotate_degrees = angles(&(change.rotation() * aplomb_sim::math::rotation(transform.rotate_degrees)));
    }
    if factor != 1.0 {
        transform.scale = length(factor * transform.scale);
    }
}

/// Moves the places that a region names; false, with nothing changed, where one of them cannot be turned like this.
fn go_along(region: &mut Region, change: &Change) -> bool {
    let turn = change.rotation();
    let swaps = swaps(&turn);
    let stays = |selector: &Selector| !matches!(selector, Selector::Box { .. } | Selector::Height { .. }) || swaps.is_some();
    if !region.select.iter().all(stays) {
        return false;
    }
    let place = |at: [f64; 3]| point(change.place(&at.into()), GRAIN);
    for selector in &mut region.select {
        match selector {
            Selector::Box { min, max } => {
                let (low, high) = bounding_box(&[change.place(&(*min).into()), change.place(&(*max).into())]);
                (*min, *max) = (point(low, GRAIN), point(high, GRAIN));
            }
            Selector::PlaneSide { point: at, normal } => {
                *at = place(*at);
                *normal = point(turn * Vec3::from(*normal), GRAIN);
            }
            Selector::Sphere { center, radius } => {
                *center = place(*center);
                *radius = if change.scale.x == 1.0 { *radius } else { length(change.scale.x * *radius) };
            }
            Selector::Height { axis, from, to } => {
                use aplomb_sim::scene::Axis::{X, Y, Z};
                let index = match axis {
                    X => 0,
                    Y => 1,
                    Z => 2,
                };
                let Some((to_axis, sign)) = swaps.map(|swaps| swaps[index]) else { continue };
                *axis = [X, Y, Z][to_axis];
                if sign < 0.0 {
                    (*from, *to) = (1.0 - *to, 1.0 - *from);
                }
            }
            Selector::All {} | Selector::Vertices(_) | Selector::Elements(_) | Selector::Tag(_) => {}
        }
    }
    true
}

/// Where a rotation takes each axis, if it takes axes to axes: to which one, and to which end of it.
fn swaps(turn: &Mat3) -> Option<[(usize, f64); 3]> {
    let to = [0, 1, 2].map(|axis| {
        let column = turn.column(axis);
        let most = column.iamax();
        (most, column[most])
    });
    to.iter().all(|(_, most)| most.abs() > 1.0 - 1e-9).then_some(to)
}

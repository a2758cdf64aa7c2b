//! Fields that nodes have of themselves, beside those that follow from the elements around them.

use aplomb_sim::element::{FieldKind, Scale};
use aplomb_sim::math::Vec3;

/// What is known of the nodes at an instant.
pub(super) struct Moment<'a> {
    /// Places in the given shape [m].
    pub given: &'a [Vec3],
    /// Places now [m].
    pub positions: &'a [Vec3],
    /// Velocities [m/s], where they are known.
    pub velocities: Option<&'a [Vec3]>,
    /// Forces, where they are known: recordings hold none.
    pub forces: Option<Forces<'a>>,
    /// Nodes of bodies; those behind them are of obstacles, which are no part of the bodies and go where they are told.
    pub body_nodes: usize,
}

/// Forces on the nodes at an instant.
pub(super) struct Forces<'a> {
    /// Net force on each [N].
    pub net: &'a [Vec3],
    /// The largest load on one [N].
    pub largest_load: f64,
    /// Pressure of contacts [Pa].
    pub pressure: Vec<f64>,
}

/// A field of nodes.
pub struct NodeField {
    /// What it is.
    pub kind: FieldKind,
    /// Its values at an instant, of which enough is known.
    of: fn(&Moment<'_>) -> Option<Vec<f64>>,
}

/// How far nodes have moved.
pub const DISPLACEMENT: FieldKind = FieldKind {
    name: "displacement from the target",
    label: "Displacement",
    unit: "m",
    doc: "distance from the shape that was given",
    scale: Scale::From0,
};

/// Every field of nodes.
pub static NODE_FIELDS: [NodeField; 4] = [
    NodeField { kind: DISPLACEMENT, of: |at| Some(at.positions.iter().zip(at.given).map(|(now, given)| (now - given).norm()).collect()) },
    NodeField {
        kind: FieldKind {
            name: "speed",
            label: "Speed",
            unit: "m/s",
            doc: "how fast it moves; of a recorded frame the mean over the step before",
            scale: Scale::From0,
        },
        of: |at| Some(at.velocities?.iter().map(Vec3::norm).collect()),
    },
    NodeField {
        kind: FieldKind {
            name: "residual",
            label: "Residual",
            unit: "of the largest load",
            doc: "net force as a share of the largest load",
            scale: Scale::From0,
        },
        of: |at| at.forces.as_ref().map(|forces| forces.net.iter().map(|net| net.norm() / forces.largest_load).collect()),
    },
    NodeField {
        kind: FieldKind {
            name: "contact pressure",
            label: "Contact pressure",
            unit: "Pa",
            doc: "force of contacts over the surface that they press on",
            scale: Scale::From0,
        },
        of: |at| at.forces.as_ref().map(|forces| forces.pressure.clone()),
    },
];

impl NodeField {
    /// Its values, NaN at the nodes of obstacles; none where not enough is known.
    pub(super) fn values(&self, at: &Moment<'_>) -> Option<Vec<f64>> {
        let mut values = (self.of)(at)?;
        values.iter_mut().skip(at.body_nodes).for_each(|value| *value = f64::NAN);
        Some(values)
    }
}

/// The largest of the forces on nodes of bodies, `most` at most, with their places: the largest first, none of zero.
pub(super) fn largest(at: &Moment<'_>, most: usize) -> Vec<(Vec3, Vec3)> {
    let net = at.forces.as_ref().map_or(&[][..], |forces| forces.net);
    let of_bodies = at.positions.iter().zip(net).take(at.body_nodes).filter(|(_, force)| force.norm() > 0.0);
    let mut all: Vec<(Vec3, Vec3)> = of_bodies.map(|(place, force)| (*place, *force)).collect();
    let by_size = |a: &(Vec3, Vec3), b: &(Vec3, Vec3)| b.1.norm_squared().total_cmp(&a.1.norm_squared());
    if all.len() > most {
        all.select_nth_unstable_by(most, by_size);
        all.truncate(most);
    }
    all.sort_by(by_size);
    all
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_is_not_known_has_no_field_and_obstacles_have_no_values() {
        let (given, positions) = (vec![Vec3::zeros(); 3], vec![Vec3::x(); 3]);
        let mut at = Moment { given: &given, positions: &positions, velocities: None, forces: None, body_nodes: 2 };
        let known = |at: &Moment<'_>| {
            NODE_FIELDS.iter().filter(|field| field.values(at).is_some()).map(|field| field.kind.name).collect::<Vec<_>>()
        };
        assert_eq!(known(&at), ["displacement from the target"]);
        let velocities = [2.0 * Vec3::y(); 3];
        at.velocities = Some(&velocities);
        let net = [Vec3::zeros(), 3.0 * Vec3::x(), 9.0 * Vec3::x()];
        at.forces = Some(Forces { net: &net, largest_load: 6.0, pressure: vec![0.0, 5.0, 7.0] });
        assert_eq!(known(&at).len(), NODE_FIELDS.len());
        let values = |name: &str| NODE_FIELDS.iter().find(|field| field.kind.name == name).unwrap().values(&at).unwrap();
        for (name, expected) in [("speed", [2.0, 2.0]), ("residual", [0.0, 0.5]), ("contact pressure", [0.0, 5.0])] {
            let found = values(name);
            assert_eq!(found[..2], expected, "{name}");
            assert!(found[2].is_nan(), "{name}");
        }
        assert_eq!(largest(&at, 50), [(Vec3::x(), 3.0 * Vec3::x())], "of bodies, where there is one");
    }

    #[test]
    fn the_largest_forces_are_kept_in_their_order() {
        let net: Vec<Vec3> = [3.0, 1.0, 7.0, 5.0].map(|size| size * Vec3::z()).into();
        let places = vec![Vec3::zeros(); 4];
        let forces = Forces { net: &net, largest_load: 1.0, pressure: Vec::new() };
        let at = Moment { given: &places, positions: &places, velocities: None, forces: Some(forces), body_nodes: 4 };
        assert_eq!(largest(&at, 2).iter().map(|(_, force)| force.z).collect::<Vec<_>>(), [7.0, 5.0]);
    }
}

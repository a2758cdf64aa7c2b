//! Friction against published numbers.

use std::path::Path;

use serde_json::Value;

use super::super::common_point::CommonPoint;
use super::super::friction::LaggedFriction;
use super::super::term::{self, Pose};
use crate::contact::barrier::{Barrier, BarrierKind};
use crate::contact::friction::SlipPotential;
use crate::contact::stencil::NO_NODE;
use crate::math::Vec3;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().flat_map(|v| if v.is_array() { numbers(v) } else { vec![v.as_f64().unwrap()] }).collect()
}

fn points(value: &Value) -> Vec<Vec3> {
    numbers(value).as_chunks::<3>().0.iter().map(|p| Vec3::from(*p)).collect()
}

/// Nodes, and weights of the vector between the closest points, of one row of the file.
fn stencil(ids: &[f64], closest: &[f64]) -> ([u32; 4], [f64; 4]) {
    let (s, t) = (closest[0], closest[1]);
    let node = |id: f64| if id < 0.0 { (-id - 1.0) as u32 } else { id as u32 };
    let nodes = [node(ids[0]), node(ids[1]), node(ids[2]), if ids[3] < 0.0 { NO_NODE } else { node(ids[3]) }];
    let weights = match (ids[0] < 0.0, ids[3] < 0.0) {
        (false, _) => [1.0 - s, s, t - 1.0, -t],
        (true, false) => [1.0, s + t - 1.0, -s, -t],
        (true, true) => [1.0, s - 1.0, -s, 0.0],
    };
    (nodes, weights)
}

/// Energy, gradient and second derivatives of lagged friction agree with the IPC Toolkit's on ten stencils of two cubes.
#[test]
fn friction_of_ten_stencils_is_the_published_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/meshes/reference/ipc-friction/friction_data_10.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("SKIPPED: ../shared is missing ({})", path.display());
        return;
    };
    let data: Value = serde_json::from_str(&text).unwrap();
    let (origin, x) = (points(&data["V_start"]), points(&data["V_end"]));
    let length = data["epsv_times_h_squared"].as_f64().unwrap().sqrt();
    let mu = data["mu"].as_f64().unwrap();
    let (ids, closest) = (numbers(&data["mmcvids"]), numbers(&data["closest_point_coordinates"]));
    let (forces, bases) = (numbers(&data["normal_force_magnitudes"]), numbers(&data["tangent_bases"]));
    let terms: Vec<LaggedFriction> = (0..forces.len())
        .map(|k| {
            let (nodes, weights) = stencil(&ids[4 * k..4 * k + 4], &closest[2 * k..2 * k + 2]);
            let column = |c: usize| Vec3::from_fn(|row, _| bases[6 * k + 2 * row + c]);
            let potential = SlipPotential { limit: mu * forces[k], length };
            LaggedFriction {
                at: CommonPoint::plain(&nodes, &weights),
                normal: column(0).cross(&column(1)).normalize(),
                slip: Vec3::zeros(),
                potential,
                known: None,
            }
        })
        .collect();
    assert_eq!(terms.len(), 10);
    let pose = Pose { x: &x, origin: &origin, barrier: Barrier { distance: 1.0, stiffness: 1.0, kind: BarrierKind::C2 } };

    // The file's potential is higher by a third of the slip length: a constant.
    let constant: f64 = terms.iter().map(|term| term.potential.limit * length / 3.0).sum();
    let energy = term::energy(&terms, &pose) + constant;
    let expected = data["energy"].as_f64().unwrap();
    assert!((energy / expected - 1.0).abs() < 1e-10, "{energy} {expected}");

    let mut gradient = vec![Vec3::zeros(); x.len()];
    term::add_gradient(&terms, &pose, &mut Vec::new(), &mut gradient);
    let expected = points(&data["gradient"]);
    let largest = crate::math::largest_norm(&expected);
    for (found, expected) in gradient.iter().zip(&expected) {
        assert!((found - expected).norm() < 1e-10 * largest);
    }

    let mut blocks = vec![Default::default(); terms.len()];
    // The published ones are semidefinite as they are.
    term::fill_hessians(&terms, &pose, false, &mut blocks);
    let size = 3 * x.len();
    let mut hessian = nalgebra::DMatrix::<f64>::zeros(size, size);
    for (term, block) in terms.iter().zip(&blocks) {
        for (i, &row) in term.at.nodes.iter().enumerate().filter(|(_, n)| **n != NO_NODE) {
            for (j, &column) in term.at.nodes.iter().enumerate().filter(|(_, n)| **n != NO_NODE) {
                let mut view = hessian.fixed_view_mut::<3, 3>(3 * row as usize, 3 * column as usize);
                view += block[i][j];
            }
        }
    }
    let mut expected = nalgebra::DMatrix::<f64>::zeros(size, size);
    for entry in numbers(&data["hessian_triplets"]).as_chunks::<3>().0 {
        expected[(entry[0] as usize, entry[1] as usize)] += entry[2];
    }
    assert!((&hessian - &expected).amax() < 1e-10 * expected.amax(), "{:e}", (&hessian - &expected).amax() / expected.amax());
}

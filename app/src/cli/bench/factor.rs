//! Factorisation of the stiffness matrix of a box that is clamped at one side: linear elasticity, 5 tetrahedra a cube.

use std::sync::Arc;
use std::time::Instant;

use aplomb_sim::element::{Batch, Family};
use aplomb_sim::linear::{CholeskyFactor, NodeMatrix, NodeMatrixPattern};
use aplomb_sim::material::registry::MATERIALS;
use aplomb_sim::mesh::structured::{CubeCut, box_mesh};
use nalgebra::{Matrix3, Vector3};

use super::Request;
use super::reference::Peer;
use super::report::Row;
use crate::cli::failure::Failure;

const fn cholmod(phase: &'static str, figure: &'static str, record: &'static [(&'static str, &'static str)]) -> Peer {
    Peer { phase, what: "CHOLMOD with METIS", record, figure, unit: 1.0 }
}

/// Cubes along each side, and who else factorised the same matrix.
static SIZES: &[(&str, [usize; 3], &[Peer])] = &[
    ("10k", [20, 21, 21], {
        const RECORD: &[(&str, &str)] = &[("name", "cholmod supernodal metis"), ("verts", "10164")];
        &[cholmod("factorise", "factor_min", RECORD), cholmod("order", "analyse_min", RECORD), cholmod("solve", "solve_min", RECORD)]
    }),
    ("24k", [28, 28, 28], {
        const RECORD: &[(&str, &str)] = &[("name", "cholmod supernodal metis"), ("verts", "24389")];
        &[cholmod("factorise", "factor_min", RECORD), cholmod("order", "analyse_min", RECORD), cholmod("solve", "solve_min", RECORD)]
    }),
    ("50k", [36, 36, 36], {
        const RECORD: &[(&str, &str)] = &[("name", "cholmod supernodal metis"), ("verts", "50653")];
        &[cholmod("factorise", "factor_min", RECORD), cholmod("order", "analyse_min", RECORD), cholmod("solve", "solve_min", RECORD)]
    }),
];

/// Inner vertices are moved by up to this share of a cube.
const UNEVEN: f64 = 0.1;
/// Each time is the least of so many.
const REPETITIONS: usize = 3;

/// One row a size.
pub fn run(_: &Request) -> Result<Vec<Row>, Failure> {
    SIZES.iter().map(|&(name, cells, peers)| Ok(Row { name: format!("factor.{name}"), peers, ..measured(cells)? })).collect()
}

fn measured(cells: [usize; 3]) -> Result<Row, Failure> {
    let (positions, tets) = mesh(cells);
    let law = MATERIALS.iter().find(|law| law.name == "neo_hookean").unwrap_or(&MATERIALS[0]);
    let materials = vec![(law.build)(1e5, 0.3); tets.len()];
    let batch = Batch::at_rest(&positions, &tets, &materials).map_err(|_| Failure::Input("the box has flat elements".into()))?;
    let families: Vec<Box<dyn Family>> = vec![Box::new(batch)];
    let mut blocks = vec![vec![Matrix3::zeros(); 16 * tets.len()]];
    families[0].hessian_blocks(&positions, true, &mut blocks[0]);
    let free: Vec<bool> = positions.iter().map(|x| x.x > 1e-9).collect();
    let mut row = Row {
        system: "stiffness of a clamped box at rest, 1e5 Pa; the least of 3 times".into(),
        elements: tets.len(),
        masses: positions.len(),
        ..Row::default()
    };

    let clock = Instant::now();
    let pattern = Arc::new(NodeMatrixPattern::new(&free, &families));
    row.time("order", clock.elapsed().as_secs_f64());
    let diagonal = vec![Matrix3::zeros(); positions.len()];
    let mut matrix = NodeMatrix::new(&pattern);
    row.time(
        "assemble",
        least(|| {
            matrix.assemble(&pattern, &blocks, 1.0, &diagonal);
            Ok(())
        })?,
    );
    let mut factor = CholeskyFactor::new(&pattern);
    row.time("factorise", least(|| factor.factorize(&pattern, &matrix).map_err(|error| Failure::Unreached(error.to_string())))?);
    let load = -Vector3::z();
    let mut x = vec![load; positions.len()];
    row.time(
        "solve",
        least(|| {
            x.fill(load);
            factor.solve(&pattern, &mut x);
            Ok(())
        })?,
    );
    let mut product = x.clone();
    matrix.multiply(&pattern, &x, &mut product);
    let error = product.iter().zip(&free).filter(|(_, free)| **free).map(|(y, _)| (y - load).norm_squared()).sum::<f64>();
    row.residual = Some((error / free.iter().filter(|free| **free).count() as f64).sqrt());
    row.count("unknowns", 3 * free.iter().filter(|free| **free).count());
    Ok(row)
}

fn least(mut work: impl FnMut() -> Result<(), Failure>) -> Result<f64, Failure> {
    let mut least = f64::INFINITY;
    for _ in 0..REPETITIONS {
        let clock = Instant::now();
        work()?;
        least = least.min(clock.elapsed().as_secs_f64());
    }
    Ok(least)
}

/// A box of length 1 along x whose inner vertices are a little out of place.
fn mesh(cells: [usize; 3]) -> (Vec<Vector3<f64>>, Vec<[u32; 4]>) {
    let side = 1.0 / cells[0] as f64;
    let size = Vector3::from_fn(|axis, _| cells[axis] as f64 * side);
    let (mut positions, tets) = box_mesh(size, cells, CubeCut::Five);
    for (n, x) in positions.iter_mut().enumerate() {
        let is_inner = (0..3).all(|axis| x[axis] > 0.5 * side && x[axis] < size[axis] - 0.5 * side);
        if is_inner {
            *x += UNEVEN * side * Vector3::from_fn(|axis, _| ((axis as f64 + 1.0) * 78.233 * n as f64).sin());
        }
    }
    (positions, tets)
}

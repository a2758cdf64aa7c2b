//! A twisted neo-Hookean box solved by another program (softy), vertex by vertex and tet by tet.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;

use aplomb_sim::element::{Batch, Element, Potential};
use aplomb_sim::material::law;
use aplomb_sim::math::{Vec3, largest_norm};

/// What stands behind `header` in a legacy VTK file with binary (big-endian) data: `count` numbers of `N` bytes.
fn numbers<const N: usize>(file: &[u8], header: &str, count: usize, read: fn([u8; N]) -> f64) -> Vec<f64> {
    let at = file.windows(header.len()).position(|w| w == header.as_bytes()).expect(header) + header.len();
    file[at..at + N * count].as_chunks::<N>().0.iter().map(|bytes| read(*bytes)).collect()
}

fn double(bytes: [u8; 8]) -> f64 {
    f64::from_be_bytes(bytes)
}

fn float(bytes: [u8; 4]) -> f64 {
    f32::from_be_bytes(bytes).into()
}

fn vectors(numbers: &[f64]) -> Vec<Vec3> {
    numbers.as_chunks::<3>().0.iter().map(|v| Vec3::from(*v)).collect()
}

#[test]
fn energies_and_forces_of_a_solved_twist() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/meshes/reference/neohookean-twist/box_twisted.vtk");
    let Ok(file) = std::fs::read(&path) else {
        println!("SKIPPED: ../shared is missing");
        return;
    };
    let (points, count) = (125, 384);
    let x = vectors(&numbers(&file, "POINTS 125 double\n", 3 * points, double));
    let rest = vectors(&numbers(&file, "VECTORS ref float\n", 3 * points, float));
    let force = vectors(&numbers(&file, "VECTORS elastic_force double\n", 3 * points, double));
    let scalar = |name: &str| format!("SCALARS {name} double 1\nLOOKUP_TABLE default\n");
    let energy = numbers(&file, &scalar("strain_energy"), count, double);
    let volume = numbers(&file, &scalar("ref_volume"), count, double);
    let fixed = numbers(&file, "SCALARS fixed char 1\nLOOKUP_TABLE default\n", points, |[b]: [u8; 1]| b.into());
    let cells = numbers(&file, "CELLS 384 1920\n", 5 * count, |b: [u8; 4]| u32::from_be_bytes(b).into());
    // The file's tets are negative: two nodes of each change places.
    let tets: Vec<[u32; 4]> = cells.as_chunks::<5>().0.iter().map(|c| [c[1], c[3], c[2], c[4]].map(|n| n as u32)).collect();

    let material = (law("neo_hookean").unwrap().build)(1000.0, 0.0);
    let batch = Batch::at_rest(&rest, &tets, &vec![material; count]).unwrap();
    for (((tet, nodes), energy), volume) in batch.elements.iter().zip(&tets).zip(&energy).zip(&volume) {
        let found = tet.energy(&nodes.map(|n| x[n as usize]));
        assert!((found / energy - 1.0).abs() < 1e-12, "{found} {energy}");
        assert!((tet.rest_volume / volume.abs() - 1.0).abs() < 1e-12);
    }
    assert!((batch.energy(&x) / energy.iter().sum::<f64>() - 1.0).abs() < 1e-13);
    let mut gradient = vec![Vec3::zeros(); points];
    batch.add_gradient(&x, &mut gradient);
    let largest = largest_norm(&force);
    for (found, force) in gradient.iter().zip(&force) {
        assert!((found + force).norm() < 1e-12 * largest, "{found} {force}");
    }
    let free: Vec<Vec3> = gradient.iter().zip(&fixed).filter(|(_, fixed)| **fixed == 0.0).map(|(g, _)| *g).collect();
    assert_eq!(free.len(), 75);
    assert!(largest_norm(&free) < 1e-7 && largest > 1.0, "{} {largest}", largest_norm(&free));
}

//! The same by dense matrices, and by quadrature.

use aplomb_sim::contact::Balance;
use aplomb_sim::linear::NodeMatrix;
use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::sag_free::stability::{Assessment, assess};
use aplomb_sim::step::instant::Curvature;
use aplomb_sim::step::{STEPPERS, State};
use aplomb_sim::system::System;
use aplomb_sim::watch::Unwatched;
use nalgebra::{DMatrix, DVector};

/// The same system with consistent masses.
pub fn consistent(mut system: System) -> System {
    for body in &system.bodies {
        let couplings = body.matter.mass_couplings(&body.mesh, &system.positions[body.nodes.clone()]).unwrap();
        system.mass_couplings.append(&couplings, body.nodes.start as u32);
    }
    system
}

/// Barycentric coordinates of four points of a tet; their mean is exact for quadratics (Hammer, Stroud 1956).
fn quadrature() -> [[f64; 4]; 4] {
    let (near, far) = ((5.0 + 3.0 * 5f64.sqrt()) / 20.0, (5.0 - 5f64.sqrt()) / 20.0);
    std::array::from_fn(|k| std::array::from_fn(|i| if i == k { near } else { far }))
}

/// M v, the integral of rho N_i v over all tets: v is interpolated, and no matrix made.
pub fn mass_times(system: &System, density: f64, v: &[Vec3]) -> Vec<Vec3> {
    let mut product = vec![Vec3::zeros(); v.len()];
    for nodes in system.tets().iter().map(|tet| tet.map(|n| n as usize)) {
        let [a, b, c, d] = nodes.map(|n| system.positions[n]);
        let mass = density * (b - a).cross(&(c - a)).dot(&(d - a)).abs() / 6.0;
        for point in quadrature() {
            let there: Vec3 = nodes.iter().zip(point).map(|(&n, share)| share * v[n]).sum();
            nodes.iter().zip(point).for_each(|(&n, share)| product[n] += 0.25 * mass * share * there);
        }
    }
    product
}

fn hessian(system: &System, curvature: &mut Curvature) -> NodeMatrix {
    let mut stepper = (STEPPERS[0].make)();
    stepper.warm_start(system, &Balance::default());
    let state = State::at_rest(system);
    curvature.hessian(system, &system.families, stepper.contacts(system), &state, false).1.clone()
}

/// The softest modes in the given shape.
pub fn softest(system: &System, count: usize) -> Assessment {
    let mut curvature = Curvature::default();
    let matrix = hessian(system, &mut curvature);
    assess(system, curvature.pattern().unwrap(), &matrix, count, &Unwatched).unwrap()
}

fn columns(count: usize, of: impl Fn(&[Vec3]) -> Vec<Vec3>) -> DMatrix<f64> {
    let mut dense = DMatrix::zeros(3 * count, 3 * count);
    for j in 0..3 * count {
        let mut unit = vec![Vec3::zeros(); count];
        unit[j / 3][j % 3] = 1.0;
        dense.column_mut(j).copy_from_slice(of(&unit).iter().flat_map(|v| [v.x, v.y, v.z]).collect::<Vec<f64>>().as_slice());
    }
    dense
}

/// Second derivatives of the elements' energy in the given shape [N/m].
pub fn stiffness(system: &System) -> DMatrix<f64> {
    let mut curvature = Curvature::default();
    let matrix = hessian(system, &mut curvature);
    columns(system.positions.len(), |v| {
        let mut product = v.to_vec();
        matrix.multiply(curvature.pattern().unwrap(), v, &mut product);
        product
    })
}

/// Eigenvalues of `stiffness` against the mass matrix over the mean lumped mass, on what supports leave, ascending.
pub fn eigenvalues(system: &System, stiffness: &DMatrix<f64>, density: f64) -> Vec<f64> {
    let free: Vec<usize> = (0..system.positions.len()).filter(|&n| !system.fixed[n]).collect();
    let mean = free.iter().map(|&n| system.masses[n]).sum::<f64>() / free.len() as f64;
    let mut directions: Vec<DVector<f64>> = Vec::new();
    for &node in &free {
        let projector = system.slides.iter().find(|slide| slide.0 as usize == node).map_or(Mat3::identity(), |slide| slide.1);
        let eigen = projector.symmetric_eigen();
        for k in (0..3).filter(|&k| eigen.eigenvalues[k] > 0.5) {
            let mut direction = DVector::zeros(stiffness.nrows());
            direction.rows_mut(3 * node, 3).copy_from(&eigen.eigenvectors.column(k));
            directions.push(direction);
        }
    }
    let basis = DMatrix::from_columns(&directions);
    let mass = columns(system.positions.len(), |v| mass_times(system, density, v)) / mean;
    let factor = (basis.transpose() * mass * &basis).cholesky().unwrap();
    let half = factor.l().solve_lower_triangular(&(basis.transpose() * stiffness * &basis)).unwrap();
    let whole = factor.l().solve_lower_triangular(&half.transpose()).unwrap();
    let mut values: Vec<f64> = (0.5 * (&whole + whole.transpose())).symmetric_eigenvalues().iter().copied().collect();
    values.sort_by(f64::total_cmp);
    values
}

//! Orders of convergence on bodies of tetrahedra, in space and in time.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::mesh::structured::{CubeCut, box_mesh};
use aplomb_sim::mesh::topology::Faces;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::system::System;
use aplomb_sim::system::loads::{Traction, area_vector};
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{BoxBody, fitted_order};

/// Error of the displacement in the L2 norm over the body, against `exact` (displacement by place in the given shape), over
/// the norm of the exact one: by the four-point rule of order two in each tet (Keast 1986).
fn relative_error(system: &System, x: &[Vec3], exact: impl Fn(&Vec3) -> Vec3) -> f64 {
    const NEAR: f64 = 0.585_410_196_624_968_5;
    const FAR: f64 = 0.138_196_601_125_010_5;
    let (mut error, mut size) = (0.0, 0.0);
    for tet in system.tets() {
        let corners = tet.map(|n| system.positions[n as usize]);
        let moved = tet.map(|n| x[n as usize] - system.positions[n as usize]);
        let [a, b, c, d] = corners;
        let volume = (b - a).cross(&(c - a)).dot(&(d - a)).abs() / 6.0;
        for near in 0..4 {
            let at = |values: &[Vec3; 4]| (0..4).map(|k| if k == near { NEAR } else { FAR } * values[k]).sum::<Vec3>();
            let wanted = exact(&at(&corners));
            error += volume / 4.0 * (at(&moved) - wanted).norm_squared();
            size += volume / 4.0 * wanted.norm_squared();
        }
    }
    (error / size).sqrt()
}

/// The equilibrium that is found from `start` [m].
fn equilibrium(mut system: System, start: Vec<Vec3>) -> Simulation {
    system.simulate.stepper = "quasi_static".into();
    system.simulate.tolerance = 1e-10;
    let mut simulation = Simulation::new(system);
    simulation.state.positions = start;
    let stats = simulation.step(&Unwatched).unwrap();
    assert!(stats.residual < 1e-6, "{}", stats.residual);
    simulation
}

/// A bar that hangs from its top, with nu = 0: the stress is the weight below over the area, so that
/// u(z) = -rho g / (2 E) (L^2 - z^2), with z from the free end, and the whole elongation is rho g L^2 / (2 E).
#[test]
fn a_hanging_bar_is_as_long_as_the_closed_form_says_and_converges_at_second_order() {
    const LENGTH: f64 = 1.0;
    let cells = [4, 8, 12, 16];
    let mut elongation = 0.0;
    let errors = cells.map(|n| {
        let body = BoxBody { size: Vec3::repeat(LENGTH), cells: [n; 3], law: "linear", young: 1e7, poisson: 0.0, density: 1000.0 };
        let system = body.system(|x| x.y > LENGTH - 1e-9);
        let start = system.positions.clone();
        let simulation = equilibrium(system, start);
        let system = &simulation.system;
        let exact = |x: &Vec3| Vec3::new(0.0, -1000.0 * 9.81 / (2.0 * 1e7) * (LENGTH * LENGTH - x.y * x.y), 0.0);
        let lowest: Vec<f64> =
            (0..system.positions.len()).filter(|&k| system.positions[k].y == 0.0).map(|k| -simulation.state.positions[k].y).collect();
        elongation = lowest.iter().sum::<f64>() / lowest.len() as f64;
        relative_error(system, &simulation.state.positions, exact)
    });
    let order = fitted_order(&cells.map(|n| 1.0 / n as f64), &errors);
    println!("hanging bar: order {order:.3}, errors {errors:?}, elongation {elongation}");
    assert!(order >= 1.8, "{order}");
    let exact = 1000.0 * 9.81 / (2.0 * 1e7);
    assert!((elongation / exact - 1.0).abs() < 1e-3, "{elongation} for {exact}");
}

/// A bar bent, stretched and sheared by a smooth map, with the body forces and boundary values that make it an equilibrium.
struct Manufactured {
    young: f64,
    poisson: f64,
}

const BAR: Vec3 = Vec3::new(2.0, 0.5, 0.5);

impl Manufactured {
    /// Where the point is brought that starts at `x`.
    fn moved(x: &Vec3) -> Vec3 {
        let (s, t) = (x.x * 1.5, x.y * 2.0);
        x + Vec3::new(
            0.15 * x.x + 0.05 * s.sin() * (1.0 + 0.5 * x.z),
            0.15 * s * s * 0.3 + 0.05 * t.sin(),
            0.08 * (x.x * x.y).sin() + 0.04 * x.z * x.x,
        )
    }

    /// Deformation gradient, by central differences of the map.
    fn gradient(x: &Vec3) -> Mat3 {
        const STEP: f64 = 1e-5;
        let column = |axis: usize| {
            let mut along = Vec3::zeros();
            along[axis] = STEP;
            (Self::moved(&(x + along)) - Self::moved(&(x - along))) / (2.0 * STEP)
        };
        Mat3::from_columns(&[column(0), column(1), column(2)])
    }

    /// First Piola stress of the neo-Hookean law with ln J (Bonet and Wood 2008, eq. 6.28).
    fn stress(&self, x: &Vec3) -> Mat3 {
        let mu = self.young / (2.0 * (1.0 + self.poisson));
        let lambda = self.young * self.poisson / ((1.0 + self.poisson) * (1.0 - 2.0 * self.poisson));
        let f = Self::gradient(x);
        let inverse = f.try_inverse().unwrap().transpose();
        mu * (f - inverse) + lambda * f.determinant().ln() * inverse
    }

    /// Body force that balances the stress, -div P [N/m^3].
    fn body_force(&self, x: &Vec3) -> Vec3 {
        const STEP: f64 = 1e-3;
        let mut force = Vec3::zeros();
        for axis in 0..3 {
            let mut along = Vec3::zeros();
            along[axis] = STEP;
            let stress = |k: f64| self.stress(&(x + k * along)).column(axis).into_owned();
            // Fourth order, so that round-off of the inner differences stays small.
            force -= (8.0 * (stress(1.0) - stress(-1.0)) - (stress(2.0) - stress(-2.0))) / (12.0 * STEP);
        }
        force
    }

    /// The bar in n x n/4 x n/4 cubes: its end at x = 0 is held where the map puts it, and the other faces carry the tractions P N.
    fn bar(&self, n: usize) -> System {
        let (positions, tets) = box_mesh(BAR, [n, n / 4, n / 4], CubeCut::Kuhn);
        let body =
            BoxBody { size: BAR, cells: [n, n / 4, n / 4], law: "neo_hookean", young: self.young, poisson: self.poisson, density: 1000.0 };
        let mut system = body.system(|x| x.x < 1e-9);
        system.gravity = Vec3::zeros();
        // Forces by degenerate faces: a traction on three times one node is a load on that node.
        let mut load = |node: u32, force: Vec3| system.loads.tractions.push(Traction { face: [node; 3], force, ramp: 0.0 });
        for tet in &tets {
            let corners = tet.map(|n| positions[n as usize]);
            let volume = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).dot(&(corners[3] - corners[0])) / 6.0;
            for node in tet {
                load(*node, volume / 4.0 * self.body_force(&positions[*node as usize]));
            }
        }
        for face in Faces::of(&tets).boundary(&tets).0 {
            let area = area_vector(&face, &positions);
            for node in face {
                load(node, self.stress(&positions[node as usize]) * area / 3.0);
            }
        }
        for n in (0..positions.len()).filter(|&n| system.fixed[n]) {
            system.positions[n] = Self::moved(&positions[n]);
        }
        // What is held is displaced in the given shape; the rest states stay those of the straight bar.
        system.families = vec![Box::new(body.elements())];
        system
    }
}

#[test]
fn a_large_smooth_deformation_converges_at_second_order() {
    let problem = Manufactured { young: 1e5, poisson: 0.3 };
    let cells = [4, 8, 16, 24];
    let errors = cells.map(|n| {
        let straight = box_mesh(BAR, [n, n / 4, n / 4], CubeCut::Kuhn).0;
        // From near by: dead loads that press have other equilibria too.
        let mut simulation = equilibrium(problem.bar(n), straight.iter().map(Manufactured::moved).collect());
        let x = std::mem::take(&mut simulation.state.positions);
        simulation.system.positions = straight;
        relative_error(&simulation.system, &x, |x| Manufactured::moved(x) - x)
    });
    let order = fitted_order(&cells.map(|n| 1.0 / n as f64), &errors);
    println!("manufactured: order {order:.3}, errors {errors:?}");
    assert!(order >= 1.8, "{order}");
}

/// A beam that is held at one end and set swinging, large: fitted order of the error of positions in h.
#[test]
fn errors_in_time_of_a_swinging_beam_fall_at_the_order_of_the_integrator() {
    let body = BoxBody { size: Vec3::new(0.6, 0.1, 0.1), cells: [6, 1, 1], law: "neo_hookean", young: 5e4, poisson: 0.3, density: 1000.0 };
    let end = |stepper: &str, h: f64| {
        let mut system = body.system(|x| x.x < 1e-9);
        system.initial_velocities = system.positions.iter().map(|x| Vec3::new(0.0, 0.5, 1.0) * (x.x / 0.6).powi(2)).collect();
        system.simulate.stepper = stepper.into();
        system.simulate.step_size = h;
        system.simulate.tolerance = 1e-11;
        let steps = (0.128 / h).round() as usize;
        let mut simulation = Simulation::new(system);
        for _ in 0..steps {
            simulation.step(&Unwatched).unwrap();
        }
        simulation.state.positions
    };
    let reference = end("midpoint", 2.5e-5);
    for (stepper, least, most) in [("backward_euler", 0.9, 1.5), ("bdf2", 1.8, 2.5), ("midpoint", 1.8, 2.5)] {
        let sizes = [1e-3, 5e-4, 2.5e-4];
        let errors = sizes.map(|h| {
            let far = |(a, b): (&Vec3, &Vec3)| (a - b).norm_squared();
            end(stepper, h).iter().zip(&reference).map(far).sum::<f64>().sqrt()
        });
        let order = fitted_order(&sizes, &errors);
        println!("{stepper}: order {order:.3}, errors {errors:?}");
        assert!(order >= least && order <= most, "{stepper}: {order}");
    }
}

//! Loads on faces: tractions, pressures and wind, as forces on nodes. As an energy, pressure is in `pressure`.

use std::f64::consts::TAU;

use super::pressure::Push;
use crate::math::Vec3;

/// What pushes on the faces of the bodies. Everything is evaluated where the caller says: steppers do so at a step's start, but for
/// pressures, which they take where they look for the step's end.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Loads {
    /// Faces pushed by a force of constant direction.
    pub tractions: Vec<Traction>,
    /// Faces pushed along their normal.
    pub pressures: Vec<Pressure>,
    /// Moving air, if there is any.
    pub wind: Option<Wind>,
    /// Faces that the wind may blow onto: all of the bodies' surfaces, outward oriented.
    pub exposed: Vec<[u32; 3]>,
}

/// A force of constant direction on a face (Neumann boundary condition).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Traction {
    /// The face's nodes.
    pub face: [u32; 3],
    /// Traction times the area of the face in the given shape [N]: a dead load, with the potential -x . T.
    pub force: Vec3,
    /// Seconds over which it grows from zero; 0: there from the start.
    pub ramp: f64,
}

/// A pressure on a face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pressure {
    /// The face's nodes, outward oriented.
    pub face: [u32; 3],
    /// How it pushes.
    pub push: Push,
    /// Seconds over which it grows from zero; 0: there from the start.
    pub ramp: f64,
}

/// Moving air.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wind {
    /// Velocity [m/s].
    pub velocity: Vec3,
    /// Density of the air [kg/m^3].
    pub density: f64,
    /// Drag coefficient of a plate across the wind.
    pub drag: f64,
    /// Time from which it blows [s]; the air is still before.
    pub from: f64,
    /// Share of the velocity by which gusts change it.
    pub gust_amplitude: f64,
    /// Time from gust to gust [s]; 0: steady.
    pub gust_period: f64,
}

impl Wind {
    /// Velocity at `time` [m/s].
    pub fn velocity_at(&self, time: f64) -> Vec3 {
        let blown = time - self.from;
        if blown < 0.0 {
            return Vec3::zeros();
        }
        let gust = if self.gust_period > 0.0 { self.gust_amplitude * (TAU * blown / self.gust_period).sin() } else { 0.0 };
        (1.0 + gust) * self.velocity
    }

    /// Force on a face with outward area vector `area` [m^2] that moves at `velocity`, in air that moves at `air` [m/s]:
    /// c_d rho/2 A u_n^2 against the normal, where u_n is the speed at which the air comes onto the face. Faces in the lee
    /// feel nothing, so a thin plate across the wind feels c_d rho/2 A u^2 in all.
    pub(super) fn force(&self, area: &Vec3, velocity: &Vec3, air: &Vec3) -> Vec3 {
        let size = area.norm();
        if size == 0.0 {
            return Vec3::zeros();
        }
        let normal = area / size;
        let onto = (velocity - air).dot(&normal).max(0.0);
        -0.5 * self.drag * self.density * size * onto * onto * normal
    }
}

impl Loads {
    /// Whether there is none at any time.
    pub fn is_empty(&self) -> bool {
        self.tractions.is_empty() && self.pressures.is_empty() && self.wind.is_none()
    }

    /// Time by which everything has grown to its full size [s].
    pub fn settled(&self) -> f64 {
        let ramps = self.tractions.iter().map(|load| load.ramp).chain(self.pressures.iter().map(|load| load.ramp));
        ramps.chain(self.wind.iter().map(|wind| wind.from)).fold(0.0, f64::max)
    }

    /// The loads of `time` [s] at all times: what has yet to grow or to rise stays away, and gusts stay as they are.
    pub fn frozen_at(&self, time: f64) -> Self {
        let traction = |load: &Traction| Traction { force: growth(load.ramp, time) * load.force, ramp: 0.0, ..*load };
        let pressure = |load: &Pressure| Pressure { push: load.push.scaled(growth(load.ramp, time)), ramp: 0.0, ..*load };
        let steady = |wind: Wind| Wind { velocity: wind.velocity_at(time), from: 0.0, gust_amplitude: 0.0, ..wind };
        Self {
            tractions: self.tractions.iter().map(traction).collect(),
            pressures: self.pressures.iter().map(pressure).collect(),
            wind: self.wind.map(steady),
            exposed: self.exposed.clone(),
        }
    }

    /// Adds the forces on all nodes [N] at positions `x` [m], velocities `v` [m/s] and `time` [s].
    pub fn add_forces(&self, x: &[Vec3], v: &[Vec3], time: f64, out: &mut [Vec3]) {
        self.add_forces_without_pressure(x, v, time, out);
        for load in &self.pressures {
            let forces = load.push.scaled(growth(load.ramp, time)).forces(&load.face.map(|n| x[n as usize]));
            load.face.iter().zip(forces).for_each(|(&n, force)| out[n as usize] += force);
        }
    }

    /// The same without pressures. A face's force is shared equally by its nodes.
    pub fn add_forces_without_pressure(&self, x: &[Vec3], v: &[Vec3], time: f64, out: &mut [Vec3]) {
        for load in &self.tractions {
            share(&load.face, growth(load.ramp, time) * load.force, out);
        }
        if let Some(wind) = &self.wind {
            let air = wind.velocity_at(time);
            for face in &self.exposed {
                let velocity = face.iter().map(|&n| v[n as usize]).sum::<Vec3>() / 3.0;
                share(face, wind.force(&area_vector(face, x), &velocity, &air), out);
            }
        }
    }
}

/// Share of a load that is there at `time` when it grows over `ramp` seconds.
pub fn growth(ramp: f64, time: f64) -> f64 {
    if time >= ramp { 1.0 } else { (time / ramp).max(0.0) }
}

/// Outward normal of a face times its area [m^2].
pub fn area_vector(face: &[u32; 3], x: &[Vec3]) -> Vec3 {
    let [a, b, c] = face.map(|n| x[n as usize]);
    0.5 * (b - a).cross(&(c - a))
}

fn share(face: &[u32; 3], force: Vec3, out: &mut [Vec3]) {
    for &node in face {
        out[node as usize] += force / 3.0;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::mesh::structured::{CubeCut, box_mesh};
    use crate::mesh::topology::Faces;

    /// A box of 0.3 x 0.2 x 0.4 m with its outward faces.
    fn cuboid() -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let (positions, tets) = box_mesh(Vec3::new(0.3, 0.2, 0.4), [3, 2, 4], CubeCut::Kuhn);
        let faces = Faces::of(&tets).boundary(&tets).0;
        (positions, faces)
    }

    fn top(x: &[Vec3], faces: &[[u32; 3]]) -> Vec<[u32; 3]> {
        faces.iter().copied().filter(|face| face.iter().all(|&n| x[n as usize].y > 0.2 - 1e-9)).collect()
    }

    fn forces(loads: &Loads, x: &[Vec3], v: &[Vec3], time: f64) -> Vec<Vec3> {
        let mut out = vec![Vec3::zeros(); x.len()];
        loads.add_forces(x, v, time, &mut out);
        out
    }

    fn still(x: &[Vec3]) -> Vec<Vec3> {
        vec![Vec3::zeros(); x.len()]
    }

    /// Boundary quadrature: nodal areas add up to the area, so the total force is traction times area.
    #[test]
    fn total_force_of_a_traction_is_traction_times_area() {
        let (x, faces) = cuboid();
        let traction = Vec3::new(100.0, -50.0, 20.0);
        let load = |face: [u32; 3]| Traction { face, force: traction * area_vector(&face, &x).norm(), ramp: 2.0 };
        let loads = Loads { tractions: top(&x, &faces).into_iter().map(load).collect(), ..Loads::default() };
        for (time, share) in [(0.0, 0.0), (0.5, 0.25), (2.0, 1.0), (9.0, 1.0)] {
            let total: Vec3 = forces(&loads, &x, &still(&x), time).iter().sum();
            assert!((total - share * traction * 0.12).norm() < 1e-12, "{time}: {total}");
        }
    }

    #[test]
    fn pressure_is_pressure_times_area_on_a_flat_face_and_nothing_in_all_on_a_closed_surface() {
        let (x, faces) = cuboid();
        let of = |faces: Vec<[u32; 3]>| Loads {
            pressures: faces.into_iter().map(|face| Pressure { face, push: Push::Uniform(1000.0), ramp: 0.0 }).collect(),
            ..Loads::default()
        };
        let total: Vec3 = forces(&of(top(&x, &faces)), &x, &still(&x), 0.0).iter().sum();
        assert!((total - Vec3::new(0.0, -120.0, 0.0)).norm() < 1e-10, "{total}");
        // Bent out of shape the surface is still closed: neither force nor torque.
        let bent: Vec<Vec3> = x.iter().map(|p| p + 0.1 * Vec3::new((9.0 * p.y).sin(), p.x * p.z, (5.0 * p.x).cos())).collect();
        let on_nodes = forces(&of(faces), &bent, &still(&x), 0.0);
        let torque: Vec3 = bent.iter().zip(&on_nodes).map(|(x, f)| x.cross(f)).sum();
        assert!(on_nodes.iter().sum::<Vec3>().norm() < 1e-11);
        assert!(torque.norm() < 1e-11, "{torque}");
    }

    #[test]
    fn wind_pushes_the_side_it_blows_onto_and_not_what_moves_along() {
        let (x, faces) = cuboid();
        let wind = Wind { velocity: Vec3::new(0.0, -5.0, 0.0), density: 1.2, drag: 1.1, from: 0.0, gust_amplitude: 0.5, gust_period: 4.0 };
        let loads = Loads { wind: Some(wind), exposed: faces, ..Loads::default() };
        let dynamic = |speed: f64| 0.5 * 1.2 * 1.1 * 0.12 * speed * speed;
        let total: Vec3 = forces(&loads, &x, &still(&x), 0.0).iter().sum();
        assert!((total - Vec3::new(0.0, -dynamic(5.0), 0.0)).norm() < 1e-12, "{total}");
        let gust: Vec3 = forces(&loads, &x, &still(&x), 1.0).iter().sum();
        assert!((gust - Vec3::new(0.0, -dynamic(7.5), 0.0)).norm() < 1e-12, "{gust}");
        let along = vec![wind.velocity; x.len()];
        assert!(forces(&loads, &x, &along, 0.0).iter().all(|f| f.norm() == 0.0));
        // Faster than the wind, it meets air from below.
        let faster: Vec3 = forces(&loads, &x, &vec![Vec3::new(0.0, -7.0, 0.0); x.len()], 0.0).iter().sum();
        assert!((faster - Vec3::new(0.0, dynamic(2.0), 0.0)).norm() < 1e-12, "{faster}");
    }

    #[test]
    fn frozen_loads_are_those_of_one_time() {
        let (x, faces) = cuboid();
        let velocity = Vec3::new(0.0, -5.0, 0.0);
        let loads = Loads {
            tractions: faces.iter().map(|&face| Traction { face, force: Vec3::x(), ramp: 2.0 }).collect(),
            pressures: faces.iter().map(|&face| Pressure { face, push: Push::Uniform(100.0), ramp: 4.0 }).collect(),
            wind: Some(Wind { velocity, density: 1.2, drag: 1.0, from: 0.5, gust_amplitude: 0.5, gust_period: 3.0 }),
            exposed: faces,
        };
        for time in [0.0, 0.25, 1.0, 3.0, 9.0] {
            let (frozen, expected) = (loads.frozen_at(time), forces(&loads, &x, &still(&x), time));
            for later in [0.0, 1.0, 7.0] {
                let found = forces(&frozen, &x, &still(&x), later);
                let most = found.iter().zip(&expected).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
                assert!(most < 1e-12, "{most} at {later} of {time}");
            }
        }
    }

    #[test]
    fn before_the_wind_rises_the_air_is_still() {
        let (x, faces) = cuboid();
        let velocity = Vec3::new(0.0, -5.0, 0.0);
        let wind = Wind { velocity, density: 1.2, drag: 1.0, from: 2.0, gust_amplitude: 0.5, gust_period: 4.0 };
        let loads = Loads { wind: Some(wind), exposed: faces, ..Loads::default() };
        assert_eq!(loads.settled(), 2.0);
        assert!(forces(&loads, &x, &still(&x), 1.999).iter().all(|f| f.norm() == 0.0));
        // What moves meets the still air.
        let falling: Vec3 = forces(&loads, &x, &vec![velocity; x.len()], 1.0).iter().sum();
        assert!(falling.y > 0.0, "{falling}");
        // Gusts count from there: a quarter of a period later the wind is at its strongest.
        assert_eq!(wind.velocity_at(2.0), velocity);
        assert!((wind.velocity_at(3.0) - 1.5 * velocity).norm() < 1e-12);
    }
}

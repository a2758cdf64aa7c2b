//! [`Unsupported`]: what a stepper cannot do for a system, asked before the first step.

use crate::system::System;

/// Why a stepper cannot step a system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{stepper}` cannot keep {what}: {lacks}")]
pub struct Unsupported {
    /// Name of the stepper.
    pub stepper: &'static str,
    /// What it cannot step, in words: a family of elements, or something that a scene asks for.
    pub what: String,
    /// What it lacks for that, and what to do.
    pub lacks: &'static str,
}

/// Of `stepper`, which knows elements alone.
pub fn no_particles(stepper: &'static str, system: &System) -> Result<(), Unsupported> {
    match system.particles().next() {
        None => Ok(()),
        Some((body, matter)) if matter.is_of_points() => Err(Unsupported {
            stepper,
            what: format!("the material points of `{}`", body.name),
            lacks: "their forces act through a grid, which it has not; set \"stepper\" to \"mpm\"",
        }),
        Some((body, _)) => Err(Unsupported {
            stepper,
            what: format!("the particles of `{}`", body.name),
            lacks: "they have no elements, and nothing would keep their density; set \"stepper\" to \"xpbd\" or \"pbd\"",
        }),
    }
}

/// Of `stepper`, which moves each node by its own force.
pub fn no_equalities(stepper: &'static str, system: &System) -> Result<(), Unsupported> {
    match system.equalities.first() {
        None => Ok(()),
        Some(equality) => Err(Unsupported {
            stepper,
            what: format!("the equality `{}`", equality.name),
            lacks: "it solves no equations in which vertices are tied to one another; choose an implicit stepper",
        }),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use crate::math::Vec3;
    use crate::simulation::Simulation;
    use crate::step::{STEPPERS, StepError};
    use crate::system::{Equality, System};
    use crate::watch::Unwatched;

    /// Two free masses, tied or not.
    fn masses(tied: bool) -> System {
        let positions = vec![Vec3::zeros(), Vec3::x()];
        let terms = vec![(0, Vec3::y()), (1, -Vec3::y())];
        let equalities = if tied { vec![Equality::new("level".into(), terms, &positions)] } else { Vec::new() };
        System {
            equalities,
            masses: vec![1.0; 2],
            fixed: vec![false; 2],
            diagonal: 1.0,
            gravity: -Vec3::y(),
            positions,
            ..System::default()
        }
    }

    /// Refused before anything moves; whoever says that it can does.
    #[test]
    fn every_stepper_does_what_it_says_that_it_can() {
        let mut refused = Vec::new();
        for entry in STEPPERS {
            for tied in [false, true] {
                let mut system = masses(tied);
                system.simulate.stepper = entry.name.into();
                let can = (entry.needs)(&system);
                let mut simulation = Simulation::new(system);
                let (before, taken) = (simulation.state.positions.clone(), simulation.step(&Unwatched));
                match can {
                    // A free mass has no static equilibrium.
                    Ok(()) => assert!(taken.is_ok() || entry.name == "quasi_static", "{}: {taken:?}", entry.name),
                    Err(why) => {
                        assert_eq!(taken.unwrap_err(), StepError::Unsupported(why));
                        assert_eq!(simulation.state.positions, before);
                        assert!(tied || entry.name.starts_with("mpm"), "they are no material points");
                        refused.push(entry.name);
                    }
                }
            }
        }
        assert_eq!(refused, ["symplectic_euler", "forward_euler", "xpbd", "pbd", "mpm", "mpm", "mpm_implicit", "mpm_implicit"]);
    }
}

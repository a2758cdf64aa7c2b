//! The statistics of a step as a row of numbers with names: what tables and recordings keep of them.

use crate::math::Vec3;
use crate::step::{Phases, StepStats};

/// Numbers in a row.
pub const COUNT: usize = 40;

/// Name and unit of each number.
pub const NAMES: [&str; COUNT] = [
    "time [s]",
    "kinetic [J]",
    "elastic [J]",
    "gravity [J]",
    "contact [J]",
    "pressure [J]",
    "total [J]",
    "friction [J]",
    "damping [J]",
    "momentum_x [kg m/s]",
    "momentum_y [kg m/s]",
    "momentum_z [kg m/s]",
    "angular_momentum_x [kg m^2/s]",
    "angular_momentum_y [kg m^2/s]",
    "angular_momentum_z [kg m^2/s]",
    "residual",
    "friction_lag",
    "iterations",
    "unsolved",
    "linear_iterations",
    "linear_residual",
    "halvings",
    "substeps",
    "by_backward_euler",
    "unsettled",
    "volume [m^3]",
    "inversions",
    "couple",
    "min_gap [m]",
    "min_effective_gap [m]",
    "contacts",
    "contact_pairs",
    "drift",
    "seconds [s]",
    "elements [s]",
    "contact [s]",
    "ccd [s]",
    "linear [s]",
    "line_search [s]",
    "phases_total [s]",
];

/// Numbers that came later than recordings without names.
const LATER: [&str; 2] = ["linear_iterations", "linear_residual"];

/// Places in [`NAMES`] of the numbers of recordings without names, in their order.
pub fn without_names() -> impl Iterator<Item = usize> {
    (0..COUNT).filter(|&k| !LATER.contains(&NAMES[k]))
}

/// The numbers of a step, in the order of [`NAMES`].
pub fn row(stats: &StepStats) -> [f64; COUNT] {
    // Taken apart without `..`, so that no new quantity is forgotten here.
    let StepStats {
        time,
        kinetic,
        elastic,
        gravity,
        contact,
        pressure,
        total,
        friction,
        damping,
        momentum: p,
        angular_momentum: l,
        residual,
        friction_lag,
        iterations,
        unsolved,
        linear_iterations,
        linear_residual,
        halvings,
        substeps,
        by_backward_euler,
        unsettled,
        volume,
        inversions,
        couple,
        min_gap,
        min_effective_gap,
        contacts,
        contact_pairs,
        drift,
        seconds,
        phases: Phases { elements, contact: contact_seconds, ccd, linear, line_search, total: all_phases },
    } = *stats;
    let [iterations, unsolved, halvings, substeps, by_backward_euler, unsettled] =
        [iterations, unsolved, halvings, substeps, by_backward_euler, unsettled].map(f64::from);
    let [inversions, contacts, contact_pairs, linear_iterations] = [inversions, contacts, contact_pairs, linear_iterations].map(f64::from);
    [
        time,
        kinetic,
        elastic,
        gravity,
        contact,
        pressure,
        total,
        friction,
        damping,
        p.x,
        p.y,
        p.z,
        l.x,
        l.y,
        l.z,
        residual,
        friction_lag,
        iterations,
        unsolved,
        linear_iterations,
        linear_residual,
        halvings,
        substeps,
        by_backward_euler,
        unsettled,
        volume,
        inversions,
        couple,
        min_gap,
        min_effective_gap,
        contacts,
        contact_pairs,
        drift,
        seconds,
        elements,
        contact_seconds,
        ccd,
        linear,
        line_search,
        all_phases,
    ]
}

/// The step whose [`row`] this is.
pub fn from_row(row: &[f64; COUNT]) -> StepStats {
    let [
        time,
        kinetic,
        elastic,
        gravity,
        contact,
        pressure,
        total,
        friction,
        damping,
        px,
        py,
        pz,
        lx,
        ly,
        lz,
        residual,
        friction_lag,
        iterations,
        unsolved,
        linear_iterations,
        linear_residual,
        halvings,
        substeps,
        by_backward_euler,
        unsettled,
        volume,
        inversions,
        couple,
        min_gap,
        min_effective_gap,
        contacts,
        contact_pairs,
        drift,
        seconds,
        elements,
        contact_seconds,
        ccd,
        linear,
        line_search,
        all_phases,
    ] = *row;
    // Counts were counts; the conversion saturates on anything else.
    let [iterations, unsolved, halvings, substeps, by_backward_euler, unsettled] =
        [iterations, unsolved, halvings, substeps, by_backward_euler, unsettled].map(|count| count as u32);
    let [inversions, contacts, contact_pairs, linear_iterations] =
        [inversions, contacts, contact_pairs, linear_iterations].map(|count| count as u32);
    StepStats {
        time,
        kinetic,
        elastic,
        gravity,
        contact,
        pressure,
        total,
        friction,
        damping,
        momentum: Vec3::new(px, py, pz),
        angular_momentum: Vec3::new(lx, ly, lz),
        residual,
        friction_lag,
        iterations,
        unsolved,
        linear_iterations,
        linear_residual,
        halvings,
        substeps,
        by_backward_euler,
        unsettled,
        volume,
        inversions,
        couple,
        min_gap,
        min_effective_gap,
        contacts,
        contact_pairs,
        drift,
        seconds,
        phases: Phases { elements, contact: contact_seconds, ccd, linear, line_search, total: all_phases },
    }
}

/// The first line of a table of comma-separated values, without its end.
pub fn csv_head() -> String {
    NAMES.join(",")
}

/// A step's line of such a table, without its end; a number that is not finite leaves its cell empty.
pub fn csv_line(stats: &StepStats) -> String {
    row(stats).map(|value| if value.is_finite() { format!("{value:?}") } else { String::new() }).join(",")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// A row in which no two numbers are equal: one that were exchanged would show.
    fn distinct() -> [f64; COUNT] {
        std::array::from_fn(|i| {
            if NAMES[i].contains('[') || ["residual", "friction_lag", "linear_residual", "couple", "drift"].contains(&NAMES[i]) {
                i as f64 + 0.25
            } else {
                i as f64
            }
        })
    }

    #[test]
    fn a_step_comes_back_from_its_row() {
        assert_eq!(row(&from_row(&distinct())), distinct());
        let endless = StepStats { min_gap: f64::INFINITY, iterations: u32::MAX, ..StepStats::default() };
        assert_eq!(from_row(&row(&endless)), endless);
    }

    #[test]
    fn names_stand_over_their_numbers() {
        let stats = StepStats {
            iterations: 7,
            min_gap: f64::INFINITY,
            momentum: Vec3::new(0.0, -1.5, 0.0),
            phases: Phases { ccd: 0.5, ..Phases::default() },
            ..StepStats::default()
        };
        let (head, line) = (csv_head(), csv_line(&stats));
        let cell = |name: &str| {
            let column = head.split(',').position(|of| of == name).unwrap();
            line.split(',').nth(column).unwrap().to_owned()
        };
        assert_eq!(head.split(',').count(), line.split(',').count());
        assert_eq!(
            ["iterations", "momentum_y [kg m/s]", "ccd [s]", "contact [s]", "min_gap [m]"].map(cell),
            ["7.0", "-1.5", "0.5", "0.0", ""]
        );
    }
}

//! The statistics of a step as lines of a table.

use super::registry::statistics;
use crate::step::StepStats;

/// The first line of a table of comma-separated values, without its end.
pub fn csv_head() -> String {
    statistics().iter().map(|statistic| statistic.head()).collect::<Vec<_>>().join(",")
}

/// A step's line of such a table, without its end; a number that is not finite leaves its cell empty.
pub fn csv_line(step: &StepStats) -> String {
    let cell = |value: f64| if value.is_finite() { format!("{value:?}") } else { String::new() };
    statistics().iter().map(|statistic| cell(statistic.of(step))).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::Vec3;
    use crate::stats::registry::STATISTICS;
    use crate::step::Phases;

    /// A step in which no two numbers are equal: one that were exchanged, or that no statistic has, would show.
    #[test]
    fn every_number_of_a_step_comes_back() {
        let mut step = StepStats::default();
        let stored = || STATISTICS.iter().filter_map(|statistic| Some((statistic, statistic.value.set?))).zip(1..);
        stored().for_each(|((_, set), k)| set(&mut step, k.into()));
        for ((statistic, _), k) in stored() {
            assert_eq!(statistic.of(&step), f64::from(k), "{}", statistic.head());
        }
        let written = format!("{step:?}");
        let numbers = written.split(|c: char| !(c.is_ascii_digit() || c == '.')).filter_map(|piece| piece.parse::<f64>().ok());
        let mut numbers: Vec<usize> = numbers.map(|number| number as usize).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=stored().count()).collect::<Vec<_>>(), "a field without a statistic, or one with two: {written}");
    }

    #[test]
    fn no_two_statistics_have_one_name() {
        let mut heads: Vec<String> = STATISTICS.iter().map(|statistic| statistic.head()).collect();
        heads.sort();
        heads.dedup();
        assert_eq!(heads.len(), STATISTICS.len());
    }

    #[test]
    fn names_stand_over_their_numbers() {
        let step = StepStats {
            iterations: 7,
            min_gap: f64::INFINITY,
            momentum: Vec3::new(0.0, -1.5, 0.0),
            phases: Phases { ccd: 0.5, ..Phases::default() },
            ..StepStats::default()
        };
        let (head, line) = (csv_head(), csv_line(&step));
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

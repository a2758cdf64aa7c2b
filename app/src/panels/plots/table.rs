//! The plotted numbers as a table of comma-separated values.

use std::fmt::Write as _;

use aplomb_sim::stats::statistic::Statistic;
use aplomb_sim::step::StepStats;

use super::pages::pages;
use crate::panels::Look;
use crate::session::Series;

/// The numbers of the page that is shown, a line a step, each in its own unit under its name and as exact as it is; where two runs are
/// beside one another, those of A behind those of B. A number that is not finite, or that a run does not have, leaves its cell empty.
pub fn csv(look: &Look<'_>) -> String {
    let pages = pages();
    let state = &look.desk.plots;
    let page = pages.get(state.page).or(pages.first());
    let curves = page.into_iter().flat_map(|page| &page.charts).flat_map(|chart| &chart.curves);
    let columns: Vec<&Statistic> = curves.map(|curve| curve.statistic).filter(|statistic| !state.hidden.contains(statistic.name)).collect();
    table(&columns, &look.main.series, look.twin.map(|twin| &twin.series))
}

fn table(columns: &[&Statistic], main: &Series, twin: Option<&Series>) -> String {
    let mut text = "time [s]".to_owned();
    let heads = |prefix: &str| columns.iter().map(|of| format!(",{prefix}{}", of.head())).collect::<String>();
    text.push_str(&if twin.is_some() { heads("B ") + &heads("A ") } else { heads("") });
    text.push('\n');
    let cells = |text: &mut String, step: Option<&StepStats>| {
        for column in columns {
            text.push(',');
            if let Some(value) = step.map(|step| column.of(step)).filter(|value| value.is_finite()) {
                // Writing into text does not fail.
                let _ = write!(text, "{value:?}");
            }
        }
    };
    let mut b = main.iter().peekable();
    let mut a = twin.map(|twin| twin.iter().peekable());
    loop {
        // Both are on one clock, but one may be a few steps ahead.
        let next = [b.peek().map(|step| step.time), a.as_mut().and_then(|a| a.peek().map(|step| step.time))];
        let Some(time) = next.into_iter().flatten().reduce(f64::min) else { break };
        let is_now = |step: &&StepStats| step.time <= time + 1e-9 * time.abs();
        let _ = write!(text, "{time:?}");
        cells(&mut text, b.next_if(is_now));
        if let Some(a) = &mut a {
            cells(&mut text, a.next_if(is_now));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use aplomb_sim::stats::registry::STATISTICS;

    fn series(from: u32, to: u32) -> Series {
        let mut series = Series::default();
        for k in from..=to {
            let kinetic = if k == 2 { f64::INFINITY } else { 0.1 * f64::from(k) };
            series.push(StepStats { time: 0.01 * f64::from(k), kinetic, iterations: k, ..StepStats::default() });
        }
        series
    }

    #[test]
    fn two_runs_stand_beside_one_another_by_their_times() {
        let columns: Vec<&Statistic> = STATISTICS.iter().filter(|of| ["kinetic", "iterations"].contains(&of.name)).collect();
        let text = table(&columns, &series(1, 3), Some(&series(1, 2)));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "time [s],B kinetic [J],B iterations,A kinetic [J],A iterations");
        assert_eq!(lines[1], "0.01,0.1,1.0,0.1,1.0");
        assert_eq!(lines[2], "0.02,,2.0,,2.0", "what is not finite has no cell");
        assert_eq!(lines[3], "0.03,0.30000000000000004,3.0,,");
        assert_eq!(lines.len(), 4);
        assert_eq!(table(&columns, &series(1, 1), None).lines().last().unwrap(), "0.01,0.1,1.0");
    }
}

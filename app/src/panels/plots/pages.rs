//! Which numbers are drawn together: pages of charts, charts of curves, in the order in which statistics name them.

use aplomb_sim::stats::chart::{Chart as Authored, Curve, Hue};
use aplomb_sim::stats::registry::statistics;
use aplomb_sim::stats::statistic::Statistic;
use aplomb_sim::step::StepStats;
use egui::Color32;

/// The shades of a hue on a dark ground, and on a light one, where it is dark enough to be read.
pub fn shades(hue: Hue) -> [Color32; 2] {
    let [dark, light] = match hue {
        Hue::Blue => [[88, 184, 240], [7, 102, 153]],
        Hue::Orange => [[242, 166, 90], [178, 95, 0]],
        Hue::Green => [[111, 207, 151], [27, 132, 81]],
        Hue::Pink => [[229, 127, 178], [178, 58, 126]],
        Hue::Violet => [[156, 130, 230], [96, 66, 176]],
        Hue::Grey => [[185, 192, 202], [90, 99, 110]],
    };
    [dark, light].map(|[r, g, b]| Color32::from_rgb(r, g, b))
}

/// A statistic that is drawn, and how.
#[derive(Clone, Copy)]
pub struct Drawn {
    /// The statistic.
    pub statistic: &'static Statistic,
    /// Its curve.
    pub curve: Curve,
}

impl Drawn {
    /// Its number of a step, as it is drawn.
    pub fn of(&self, step: &StepStats) -> f64 {
        self.curve.chart.factor * self.statistic.of(step)
    }

    /// What the number is, with its unit.
    pub fn hint(&self) -> String {
        let Statistic { unit, doc, .. } = self.statistic;
        if unit.is_empty() { (*doc).to_owned() } else { format!("{doc} [{unit}]") }
    }
}

/// Curves with one axis.
pub struct Plotted {
    /// The chart.
    pub chart: &'static Authored,
    /// Its curves.
    pub curves: Vec<Drawn>,
}

/// Charts that are seen together.
pub struct Page {
    /// Its name.
    pub name: &'static str,
    /// Its charts.
    pub charts: Vec<Plotted>,
}

/// Every page.
pub fn pages() -> Vec<Page> {
    let mut pages: Vec<Page> = Vec::new();
    for statistic in statistics() {
        let Some(curve) = statistic.curve else { continue };
        let drawn = Drawn { statistic, curve };
        let page = match pages.iter().position(|page| page.name == curve.chart.page) {
            Some(known) => known,
            None => {
                pages.push(Page { name: curve.chart.page, charts: Vec::new() });
                pages.len() - 1
            }
        };
        let charts = &mut pages[page].charts;
        match charts.iter_mut().find(|plotted| plotted.chart == curve.chart) {
            Some(plotted) => plotted.curves.push(drawn),
            None => charts.push(Plotted { chart: curve.chart, curves: vec![drawn] }),
        }
    }
    pages
}

//! Numbers against time, on pages; a line stands at the frame on screen, and a click goes to another.

mod interact;
mod lines;
mod pages;
mod paint;
pub mod picture;
mod scale;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use egui::{ComboBox, Rect, ScrollArea, Sense, Ui, vec2};

use super::Look;
use crate::document::Action;
use crate::document::command::{FileAction, Seek};
use crate::theme::{icons, meaning};
use crate::widgets::small_icon_button;
use lines::Chart;
use pages::{Page, pages};

pub use table::csv;

/// Least height of a plot, and least width [points].
const HEIGHT: f32 = 140.0;
const WIDTH: f32 = 160.0;
/// How many stand beside one another at most.
const ACROSS: usize = 3;
/// Between two of them [points].
const GAP: f32 = 20.0;

/// How plots are looked at.
#[derive(Debug, Clone)]
pub struct PlotState {
    /// The page that is shown, in the order of the registry of pages.
    pub page: usize,
    /// Names of statistics whose curves are not drawn.
    pub hidden: BTreeSet<&'static str>,
    /// Titles of charts whose axis is not the usual one: logarithmic in place of linear, or the other way round.
    pub turned: BTreeSet<&'static str>,
    /// Whether all plots have one axis of time.
    pub linked: bool,
    /// The time that is looked at [s], by the titles of charts; under no title, in all that are linked.
    spans: BTreeMap<&'static str, [f64; 2]>,
    /// The numbers that are looked at, as they are drawn, by the titles of charts.
    ranges: BTreeMap<&'static str, [f64; 2]>,
    /// Where a drag with the right button began.
    dragged_from: Option<egui::Pos2>,
    /// The time that is pointed at [s], and the chart.
    pointed: Option<(f64, &'static str)>,
}

impl Default for PlotState {
    fn default() -> Self {
        Self {
            page: 0,
            hidden: BTreeSet::new(),
            turned: BTreeSet::new(),
            linked: true,
            spans: BTreeMap::new(),
            ranges: BTreeMap::new(),
            dragged_from: None,
            pointed: None,
        }
    }
}

impl PlotState {
    fn key(&self, title: &'static str) -> &'static str {
        if self.linked { "" } else { title }
    }

    /// The time that a chart shows [s], if the user chose it.
    pub fn span(&self, title: &'static str) -> Option<[f64; 2]> {
        self.spans.get(self.key(title)).copied()
    }

    /// The numbers that a chart shows, if the user chose them.
    pub fn range(&self, title: &'static str) -> Option<[f64; 2]> {
        self.ranges.get(title).copied()
    }

    fn look_at(&mut self, title: &'static str, span: Option<[f64; 2]>, range: Option<[f64; 2]>) {
        // Nearer than numbers can be told apart nothing is seen.
        let is_some = |[low, high]: &[f64; 2]| high - low > 1e-9 * low.abs().max(high.abs()) && (high - low).is_finite();
        let key = self.key(title);
        self.spans.extend(span.filter(is_some).map(|span| (key, span)));
        self.ranges.extend(range.filter(is_some).map(|range| (title, range)));
    }

    /// All of every plot is seen again: there is another run.
    pub fn forget(&mut self) {
        self.spans.clear();
        self.ranges.clear();
    }

    fn look_at_all(&mut self, title: &'static str) {
        self.spans.remove(self.key(title));
        self.ranges.remove(title);
    }
}

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let main = look.main;
    if main.series.is_empty() {
        look.desk.plots.forget();
        ui.weak("Press Play: energies, residual and volume are drawn here, one point a step.");
        return;
    }
    let pages = pages();
    let Some(page) = pages.get(look.desk.plots.page).or(pages.first()) else { return };
    let charts: Vec<Chart> = page.charts.iter().map(|plotted| Chart::of(plotted, main, look.twin, &look.desk.plots)).collect();
    let room = ui.available_size();
    let across = ((room.x + GAP) / (WIDTH + GAP)).floor().clamp(1.0, ACROSS as f32) as usize;
    let rows = charts.len().div_ceil(across).max(1);
    let width = (room.x - GAP * (across - 1) as f32) / across as f32;
    let height = ((room.y - 4.0 * (rows - 1) as f32) / rows as f32).max(HEIGHT);
    let pointed = look.desk.plots.pointed.take();
    let mut sought = None;
    ScrollArea::vertical().auto_shrink(false).animated(false).show(ui, |ui| {
        let (all, _) = ui.allocate_exact_size(vec2(room.x, rows as f32 * height + 4.0 * (rows - 1) as f32), Sense::hover());
        for (index, chart) in charts.iter().enumerate() {
            let at = vec2((index % across) as f32 * (width + GAP), (index / across) as f32 * (height + 4.0));
            let rect = Rect::from_min_size(all.min + at, vec2(width, height));
            sought = interact::chart(ui, &mut look.desk.plots, chart, rect, pointed).or(sought);
        }
    });
    if let Some(time) = sought {
        look.actions.push(Action::Seek(Seek::To(main.series.frame_at(time))));
    }
}

/// Width of the word of a page [points].
const PAGE: f32 = 76.0;

/// What stands at the right end of the bar of tabs, from the right.
pub fn bar(ui: &mut Ui, look: &mut Look<'_>) {
    let some = !look.main.series.is_empty();
    let hint = if some { "Write what is plotted into a table or a picture" } else { "Nothing is plotted yet: press Play" };
    if small_icon_button(ui, some, false, icons::EXPORT, "Export plot", hint).clicked() {
        look.actions.push(Action::Ask(FileAction::Plot));
    }
    let linked = look.desk.plots.linked;
    let hint = if linked { "All plots have one axis of time; a click gives each its own" } else { "Each plot has its own axis of time" };
    if small_icon_button(ui, true, linked, icons::LINK, "One axis of time", hint).clicked() {
        look.desk.plots.linked = !linked;
        look.desk.plots.spans.clear();
    }
    ui.add_space(8.0);
    if !some {
        return;
    }
    let pages = pages();
    let chosen = &mut look.desk.plots.page;
    // Each page has a word where there is room for all.
    if ui.available_width() > PAGE * pages.len() as f32 {
        for (index, page) in pages.iter().enumerate().rev() {
            let text = egui::RichText::new(page.name).color(if *chosen == index { meaning(ui).selected[1] } else { meaning(ui).dim });
            if ui.add(egui::Button::selectable(*chosen == index, text).min_size(vec2(0.0, 24.0))).clicked() {
                *chosen = index;
            }
        }
    } else {
        let name = |index: usize| pages.get(index).map_or("", |page: &Page| page.name);
        let list = ComboBox::from_id_salt("page of plots").width(92.0).selected_text(name(*chosen)).show_ui(ui, |ui| {
            for (index, page) in pages.iter().enumerate() {
                ui.selectable_value(chosen, index, page.name);
            }
        });
        let name = format!("Page: {}", name(*chosen));
        list.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, &name));
    }
}

/// The charts of the page that is shown, to be written into a file.
pub fn shown(look: &Look<'_>) -> Vec<Chart> {
    let pages = pages();
    let page = pages.get(look.desk.plots.page).or(pages.first());
    let charts = page.map_or(&[][..], |page| &page.charts);
    charts.iter().map(|plotted| Chart::of(plotted, look.main, look.twin, &look.desk.plots)).collect()
}

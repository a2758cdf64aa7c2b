//! The verdict: what Play would start from, as the first line of the right column and as a badge in the view.

use aplomb_sim::scene::Method;
use aplomb_sim::stats::report::{Conclusion, Verdict};
use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Align2, Color32, FontFamily, FontId, Label, Layout, Rect, RichText, Ui, vec2};

use super::Look;
use super::desk::method_words;
use super::initialise::tone;
use crate::session::Activity;
use crate::theme::{self, Meaning, icons, meaning};
use crate::widgets::percent;

/// Height of the badge [points].
const BADGE: f32 = 28.0;

/// How the pose stands.
pub struct Standing {
    /// An icon, filled.
    pub icon: &'static str,
    /// In a word or two.
    pub words: &'static str,
    /// More of it: a method, a share.
    pub detail: String,
    /// Its colour.
    pub tone: Color32,
    /// Why, at length.
    pub why: String,
}

impl Standing {
    /// Of what is at hand; none where there is no body.
    pub fn of(look: &Look<'_>, colors: Meaning) -> Option<Self> {
        if look.document.scene().bodies.is_empty() {
            return None;
        }
        let plain = |icon, words, tone, why: &str| Self { icon, words, detail: String::new(), tone, why: why.to_owned() };
        if look.main.is_unbuilt && look.main.activity == Activity::Idle {
            return Some(plain(icons::FAILED, "Cannot be simulated", colors.error, "Something is wrong with the scene: see Problems"));
        }
        if look.main.activity == Activity::Initialising {
            return Some(plain(icons::HALF, "Initialising", colors.dim, "The rest state is looked for"));
        }
        if look.main.activity == Activity::Balancing && look.main.certificate.as_ref().is_none_or(|c| c.is_stale(look.document.scene())) {
            return Some(plain(icons::HALF, "Balancing", colors.dim, "The forces of the scene as it is now are looked for"));
        }
        let Some(certificate) = look.main.certificate.as_ref() else {
            return Some(plain(icons::TO_DO, "Not initialised", colors.dim, "As it is, the pose will sag when it is played"));
        };
        if certificate.is_stale(look.document.scene()) || !look.is_current() {
            return Some(plain(icons::STALE, "Stale", colors.warning, "The scene was edited since: initialise again"));
        }
        let report = &certificate.report;
        let out_of_balance = || format!("{} out of balance", percent(report.residual.after));
        if !certificate.is_judged && report.outcome.holds {
            let (words, why) = match look.main.activity {
                Activity::Balancing => ("Balanced, being judged", "The forces are in balance; stability is being judged"),
                _ => ("Balanced, not judged", "The forces are in balance; nobody has asked whether it is stable: initialise to know"),
            };
            return Some(Self { detail: out_of_balance(), ..plain(icons::HALF, words, colors.dim, why) });
        }
        if report.outcome.verdict == Conclusion::Holds && report.stability.as_ref().is_some_and(|found| found.verdict == Verdict::NotTried)
        {
            let why = "The given shape is the equilibrium; whether it is stable a nudge test tells (Ctrl+Shift+N)";
            return Some(Self { detail: out_of_balance(), ..plain(icons::DONE, "Holds, not nudged", colors.good, why) });
        }
        let verdict = report.outcome.verdict;
        let (icon, words) = match verdict {
            Conclusion::Holds => (icons::DONE, "Holds"),
            Conclusion::Unstable => (icons::HALF, "Unstable"),
            Conclusion::Undecided => (icons::HALF, "Undecided"),
            Conclusion::DoesNotHold => (icons::FAILED, "Does not hold"),
        };
        let detail = match report.method {
            Method::SagFree => out_of_balance(),
            method => method_words(method).0.to_owned(),
        };
        let why = report.outcome.reason.clone().unwrap_or_else(|| "The given shape is the equilibrium".to_owned());
        Some(Self { icon, words, detail, tone: tone(verdict, colors), why })
    }

    /// Icon and words as one text.
    fn title(&self, text: Color32, size: f32) -> LayoutJob {
        let mut job = LayoutJob::default();
        // What is not yet done is an empty circle.
        let family = if self.icon == icons::TO_DO { FontFamily::Proportional } else { theme::filled() };
        let middle = |format: TextFormat| TextFormat { valign: Align::Center, ..format };
        job.append(self.icon, 0.0, middle(TextFormat::simple(FontId::new(size, family), self.tone)));
        job.append(self.words, 8.0, middle(TextFormat::simple(FontId::new(13.0, theme::strong()), text)));
        job
    }
}

/// Draws the line.
pub fn line(ui: &mut Ui, look: &Look<'_>) {
    let colors = meaning(ui);
    let Some(standing) = Standing::of(look, colors) else { return };
    ui.horizontal(|ui| {
        let title = ui.add(Label::new(standing.title(ui.visuals().strong_text_color(), 18.0)).selectable(false));
        title.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, standing.words));
        title.on_hover_text(&standing.why);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let detail = RichText::new(&standing.detail).color(colors.dim).small();
            ui.add(Label::new(detail).truncate()).on_hover_text("Largest net force over the largest load");
        });
    });
}

/// Draws the badge at the upper left of a view.
pub fn badge(ui: &Ui, look: &Look<'_>, view: Rect) {
    let colors = meaning(ui);
    let Some(standing) = Standing::of(look, colors) else { return };
    let mut job = standing.title(ui.visuals().strong_text_color(), 15.0);
    let method = method_words(look.main.method).0;
    if look.main.certificate.is_some() {
        let dim = TextFormat { valign: Align::Center, ..TextFormat::simple(FontId::proportional(13.0), colors.dim) };
        job.append(method, 8.0, dim);
    }
    let line = ui.painter().layout_job(job);
    let card = Align2::LEFT_TOP.anchor_size(view.left_top() + vec2(12.0, 12.0), vec2(line.size().x + 20.0, BADGE));
    if !view.contains_rect(card) || card.width() > 0.6 * view.width() {
        return;
    }
    ui.painter().rect_filled(card, 6.0, ui.visuals().panel_fill.gamma_multiply(0.9));
    ui.painter().galley(card.left_center() + vec2(10.0, -0.5 * line.size().y), line, colors.dim);
}

//! What is painted of a pattern.

use std::collections::BTreeMap;

use egui::{Align2, Color32, CornerRadius, FontId, Mesh, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};

use super::sheet::Sheet;
use super::{middle, seam_color};
use crate::sewing_pattern::Flat;
use crate::theme::meaning;
use crate::viewport::{BodyColor, BodyDraw};
use crate::widgets::unit::Shown;
use crate::widgets::{quantity, significant};

/// What is in no region.
const PLAIN: Color32 = Color32::from_rgb(0x8C, 0x88, 0x82);
/// Sides between triangles are drawn where most are at least so long [points].
const FINE: f64 = 7.0;
/// Width of a border, and of one that is sewn [points].
const BORDER: f32 = 1.5;
const SEWN: f32 = 3.5;
/// The plate of a seam's number, and how long a run must be to have one [points].
const PLATE: egui::Vec2 = vec2(17.0, 14.0);
const LEAST_RUN: f32 = 24.0;

/// Paints the panels in the colours of the body as it is `seen`, those that are `chosen` in the accent, and tells what is `under` the pointer.
pub fn paint(ui: &Ui, sheet: &Sheet, flat: &Flat, seen: Option<&BodyDraw>, chosen: &[u32], under: Option<(usize, [f64; 3])>) {
    let painter = ui.painter().with_clip_rect(sheet.room);
    painter.rect_filled(sheet.room, 4.0, ui.visuals().extreme_bg_color);
    let at: Vec<Pos2> = flat.points.iter().map(|point| sheet.to_screen(*point)).collect();
    let seen = seen.filter(|seen| seen.triangles.len() == flat.triangles.len());
    painter.add(Shape::mesh(filled(ui, flat, &at, seen, chosen)));
    let shown = |ends: &[u32; 2]| ends.map(|end| at[end as usize]);
    let sample = flat.inner.iter().step_by(1 + flat.inner.len() / 200).map(shown).map(|[a, b]| f64::from((b - a).length()));
    let (count, length) = sample.fold((0, 0.0), |(count, sum), length| (count + 1, sum + length));
    if count > 0 && length >= FINE * f64::from(count) {
        let line = Stroke::new(1.0, Color32::from_black_alpha(46));
        let lines = flat.inner.iter().map(shown).filter(|ends| sheet.room.intersects(Rect::from_two_pos(ends[0], ends[1])));
        painter.extend(lines.map(|ends| Shape::line_segment(ends, line)));
    }
    let hovered = under.and_then(|_| hovered_seam(ui, sheet, flat, &at));
    let plain = Stroke::new(BORDER, if ui.visuals().dark_mode { Color32::from_gray(210) } else { Color32::from_gray(60) });
    for border in flat.borders.iter().filter(|border| border.seam.is_none()) {
        painter.line_segment(shown(&border.ends), plain);
    }
    for (border, seam) in flat.borders.iter().filter_map(|border| Some((border, border.seam?))) {
        let width = if hovered == Some(seam) { 2.0 * SEWN } else { SEWN };
        painter.line_segment(shown(&border.ends), Stroke::new(width, seam_color(seam)));
    }
    numbers(ui, sheet, flat, &at, hovered);
    rule(ui, sheet);
    tell(ui, sheet, flat, seen, under, hovered);
}

/// The triangles.
fn filled(ui: &Ui, flat: &Flat, at: &[Pos2], seen: Option<&BodyDraw>, chosen: &[u32]) -> Mesh {
    let accent = meaning(ui).accent;
    let mut mesh = Mesh::default();
    mesh.reserve_triangles(flat.triangles.len());
    mesh.reserve_vertices(3 * flat.triangles.len());
    for (t, corners) in flat.triangles.iter().enumerate() {
        let tint = seen.and_then(|seen| seen.face_tint.as_ref()).and_then(|tint| tint.get(t)).copied().unwrap_or_default();
        let is_chosen = chosen.contains(&flat.panel_of[t]);
        let first = mesh.vertices.len() as u32;
        for corner in corners.map(|corner| corner as usize) {
            let base = match seen.map(|seen| &seen.color) {
                Some(BodyColor::Scalar { values, tone, .. }) => {
                    let [r, g, b] = tone.color(values.get(flat.vertices[corner] as usize).copied().unwrap_or(f64::NAN));
                    Color32::from_rgb(r, g, b)
                }
                _ => PLAIN,
            };
            let [r, g, b, strength] = tint;
            let color = base.lerp_to_gamma(Color32::from_rgb(r, g, b), f32::from(strength) / 255.0);
            mesh.colored_vertex(at[corner], if is_chosen { color.lerp_to_gamma(accent, 0.55) } else { color });
        }
        mesh.add_triangle(first, first + 1, first + 2);
    }
    mesh
}

/// The seam at the pointer.
fn hovered_seam(ui: &Ui, sheet: &Sheet, flat: &Flat, at: &[Pos2]) -> Option<u32> {
    let pointer = ui.input(|input| input.pointer.hover_pos()).filter(|pointer| sheet.room.contains(*pointer))?;
    let away = |ends: [u32; 2]| {
        let [a, b] = ends.map(|end| at[end as usize]);
        let share = ((pointer - a).dot(b - a) / (b - a).length_sq().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        (pointer - a.lerp(b, share)).length()
    };
    let near = flat.borders.iter().filter_map(|border| Some((border.seam?, away(border.ends))));
    near.filter(|(_, away)| *away < 8.0).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(seam, _)| seam)
}

/// The number of each seam on each of its sides, and between the sides of the one that is pointed at.
fn numbers(ui: &Ui, sheet: &Sheet, flat: &Flat, at: &[Pos2], hovered: Option<u32>) {
    // Of each run its length, and its sides with theirs.
    let mut runs: BTreeMap<u32, (u32, f32, Vec<[Pos2; 2]>)> = BTreeMap::new();
    for (border, seam) in flat.borders.iter().filter_map(|border| Some((border, border.seam?))) {
        let [a, b] = border.ends.map(|end| at[end as usize]);
        let run = runs.entry(border.run).or_insert((seam, 0.0, Vec::new()));
        run.1 += (b - a).length();
        run.2.push([a, b]);
    }
    let painter = ui.painter().with_clip_rect(sheet.room);
    let mut plates = Vec::new();
    for (seam, length, sides) in runs.values().filter(|run| run.1 >= LEAST_RUN) {
        let heart = sides.iter().fold(vec2(0.0, 0.0), |sum, [a, b]| sum + middle(*a, *b).to_vec2() * (*b - *a).length()) / *length;
        let to_heart = |ends: &&[Pos2; 2]| (middle(ends[0], ends[1]) - heart.to_pos2()).length();
        let Some([a, b]) = sides.iter().min_by(|one, other| to_heart(one).total_cmp(&to_heart(other))) else { continue };
        plates.push((*seam, middle(*a, *b)));
    }
    for (seam, from) in plates.iter().filter(|(seam, _)| hovered == Some(*seam)) {
        for (_, to) in plates.iter().filter(|(other, to)| other == seam && to != from) {
            painter.extend(Shape::dashed_line(&[*from, *to], Stroke::new(1.5, seam_color(*seam)), 6.0, 4.0));
        }
    }
    for (seam, place) in plates {
        let plate = Rect::from_center_size(place, PLATE);
        painter.rect_filled(plate, CornerRadius::same(4), seam_color(seam));
        painter.text(place, Align2::CENTER_CENTER, seam + 1, FontId::proportional(11.0), Color32::BLACK);
    }
}

/// How long a line is that one can compare with.
fn rule(ui: &Ui, sheet: &Sheet) {
    let painter = ui.painter().with_clip_rect(sheet.room);
    let color = ui.visuals().text_color();
    let (length, [from, to]) = sheet.rule();
    painter.line_segment([from, to], Stroke::new(1.5, color));
    for end in [from, to] {
        painter.line_segment([end - vec2(0.0, 4.0), end + vec2(0.0, 4.0)], Stroke::new(1.5, color));
    }
    painter.text(to + vec2(8.0, 0.0), Align2::LEFT_CENTER, quantity(length, "m"), FontId::proportional(12.0), color);
}

/// A line of words about what is under the pointer, or about all.
fn tell(ui: &Ui, sheet: &Sheet, flat: &Flat, seen: Option<&BodyDraw>, under: Option<(usize, [f64; 3])>, hovered: Option<u32>) {
    let count = flat.panels.len();
    let mut words = match under {
        None if count == 1 => format!("1 panel, {} seams", flat.seams),
        None => format!("{count} panels, {} seams", flat.seams),
        Some((triangle, _)) => {
            let panel = flat.panel_of[triangle] as usize;
            let [low, high] = flat.panels[panel];
            let [wide, tall] = [0, 1].map(|axis| high[axis] - low[axis]);
            let shown = Shown::of(wide.max(tall), "m");
            let [wide, tall] = [wide, tall].map(|length| significant(length / shown.size, 3));
            format!("Panel {} of {count}: {wide} × {tall} {}", panel + 1, shown.name)
        }
    };
    if let Some(seam) = hovered {
        words.push_str(&format!(", seam {}", seam + 1));
    }
    if let (Some((triangle, shares)), Some(BodyColor::Scalar { values, name, unit, .. })) = (under, seen.map(|seen| &seen.color)) {
        let value = |(corner, share): (u32, f64)| Some(share * values.get(flat.vertices[corner as usize] as usize)?);
        if let Some(value) = flat.triangles[triangle].into_iter().zip(shares).map(value).sum::<Option<f64>>().filter(|_| !name.is_empty()) {
            words.push_str(&format!("   {name}: {}", quantity(value, unit)));
        }
    }
    let painter = ui.painter().with_clip_rect(sheet.room);
    let galley = painter.layout_no_wrap(words, FontId::proportional(12.0), ui.visuals().text_color());
    let at = pos2(sheet.room.left() + 8.0, sheet.room.top() + 6.0);
    let ground = Rect::from_min_size(at, galley.size()).expand2(vec2(5.0, 2.0));
    painter.rect_filled(ground, 3.0, ui.visuals().extreme_bg_color.gamma_multiply(0.8));
    painter.galley(at, galley, ui.visuals().text_color());
}

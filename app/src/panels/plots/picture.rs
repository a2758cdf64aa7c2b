//! Plots as a picture: drawn as in the window, by a context of their own, and filled in without a graphics card.

use std::collections::HashMap;
use std::path::Path;

use egui::epaint::{ClippedPrimitive, Mesh, Primitive, Vertex};
use egui::{Color32, ColorImage, Context, Event, ImageData, Pos2, RawInput, Rect, TextureId, Theme, Ui, vec2};

use super::lines::Chart;
use super::paint::{self, Look};
use super::{ACROSS, GAP};
use crate::theme;

/// Size of a plot in a picture, and the room around all [points].
const SIZE: egui::Vec2 = egui::Vec2::new(360.0, 220.0);
const MARGIN: f32 = 16.0;
/// Pixels a point.
const SCALE: f32 = 2.0;

/// Writes the charts into a PNG file.
///
/// # Errors
/// In words.
pub fn write(charts: &[Chart], theme: Theme, path: &Path) -> Result<(), String> {
    let image = draw(charts, theme);
    let bytes: Vec<u8> = image.pixels.iter().flat_map(|color| [color.r(), color.g(), color.b()]).collect();
    let mut file = std::io::Cursor::new(Vec::new());
    let [width, height] = image.size.map(|size| size as u32);
    image::write_buffer_with_format(&mut file, &bytes, width, height, image::ExtendedColorType::Rgb8, image::ImageFormat::Png)
        .map_err(|error| error.to_string())?;
    aplomb_sim::files::write_atomically(path, &file.into_inner()).map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

/// Draws the charts, three in a row.
pub fn draw(charts: &[Chart], theme: Theme) -> ColorImage {
    let across = charts.len().clamp(1, ACROSS);
    let rows = charts.len().div_ceil(across).max(1);
    let size = vec2(across as f32 * (SIZE.x + GAP) - GAP, rows as f32 * (SIZE.y + GAP) - GAP) + vec2(2.0 * MARGIN, 2.0 * MARGIN);
    let ctx = Context::default();
    theme::install(&ctx, None);
    ctx.set_theme(theme);
    ctx.set_pixels_per_point(SCALE);
    let mut textures = HashMap::new();
    let mut image = ColorImage::filled([(size.x * SCALE) as usize, (size.y * SCALE) as usize], Color32::TRANSPARENT);
    // Fonts and scale are those that were asked for from the second time on.
    for _ in 0..2 {
        let input =
            RawInput { screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)), events: vec![Event::PointerGone], ..RawInput::default() };
        let mut output = ctx.run_ui(input, |ui| page(ui, charts, across));
        for (id, deltas) in std::mem::take(&mut output.textures_delta.set) {
            deltas.into_iter().for_each(|delta| take_texture(&mut textures, id, delta.pos, delta.image));
        }
        output.textures_delta.clear();
        image.pixels.fill(ctx.style_of(theme).visuals.panel_fill);
        for ClippedPrimitive { clip_rect, primitive } in ctx.tessellate(output.shapes, output.pixels_per_point) {
            if let Primitive::Mesh(mesh) = primitive
                && let Some(texture) = textures.get(&mesh.texture_id)
            {
                fill(&mut image, &mesh, texture, clip_rect, output.pixels_per_point);
            }
        }
    }
    image
}

fn page(ui: &mut Ui, charts: &[Chart], across: usize) {
    let look = Look::of(ui.visuals());
    let painter = ui.painter().clone();
    for (index, chart) in charts.iter().enumerate() {
        let at = vec2((index % across) as f32 * (SIZE.x + GAP), (index / across) as f32 * (SIZE.y + GAP));
        let rect = Rect::from_min_size(ui.ctx().content_rect().min + vec2(MARGIN, MARGIN) + at, SIZE);
        paint::chart(&painter, chart, rect, &look, None);
        let title = paint::title(&painter, chart, rect, &look);
        for (key, place) in chart.keys.iter().zip(paint::key_places(&painter, chart, rect, title.right() + 8.0)) {
            paint::key(&painter, key, place, &look);
        }
    }
}

fn take_texture(textures: &mut HashMap<TextureId, ColorImage>, id: TextureId, pos: Option<[usize; 2]>, image: ImageData) {
    let ImageData::Color(image) = image;
    let Some(([left, top], whole)) = pos.zip(textures.get_mut(&id)) else {
        textures.insert(id, (*image).clone());
        return;
    };
    for y in 0..image.size[1] {
        for x in 0..image.size[0] {
            if left + x < whole.size[0] && top + y < whole.size[1] {
                whole.pixels[(top + y) * whole.size[0] + left + x] = image.pixels[y * image.size[0] + x];
            }
        }
    }
}

/// Fills the triangles of a mesh, as a graphics card does: colours between corners, times the texture, over what is there.
fn fill(image: &mut ColorImage, mesh: &Mesh, texture: &ColorImage, clip: Rect, scale: f32) {
    let corner = |index: u32| mesh.vertices.get(index as usize);
    for triangle in mesh.indices.chunks_exact(3) {
        let (Some(a), Some(b), Some(c)) = (corner(triangle[0]), corner(triangle[1]), corner(triangle[2])) else { continue };
        let doubled = cross(a.pos, b.pos, c.pos);
        if doubled != 0.0 {
            let corners = if doubled > 0.0 { [a, b, c] } else { [a, c, b] };
            triangle_over(image, corners, texture, clip, scale);
        }
    }
}

/// Twice the area of a triangle, with its sign.
fn cross(a: Pos2, b: Pos2, c: Pos2) -> f64 {
    let [ax, ay, bx, by, cx, cy] = [a.x, a.y, b.x, b.y, c.x, c.y].map(f64::from);
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

fn triangle_over(image: &mut ColorImage, [a, b, c]: [&Vertex; 3], texture: &ColorImage, clip: Rect, scale: f32) {
    let bounds = Rect::from_points(&[a.pos, b.pos, c.pos]).intersect(clip);
    let area = cross(a.pos, b.pos, c.pos);
    let range =
        |from: f32, to: f32, most: usize| ((from * scale).floor().max(0.0) as usize)..((to * scale).ceil().max(0.0) as usize).min(most);
    // Of two triangles with a common edge, one has what lies on it.
    let owns = |from: Pos2, to: Pos2| to.y < from.y || (to.y == from.y && to.x > from.x);
    let edges = [(b.pos, c.pos), (c.pos, a.pos), (a.pos, b.pos)];
    for y in range(bounds.top(), bounds.bottom(), image.size[1]) {
        for x in range(bounds.left(), bounds.right(), image.size[0]) {
            let at = Pos2::new((x as f32 + 0.5) / scale, (y as f32 + 0.5) / scale);
            if !clip.contains(at) {
                continue;
            }
            let shares = edges.map(|(from, to)| cross(from, to, at) / area);
            if shares.iter().zip(edges).any(|(share, (from, to))| *share < 0.0 || (*share == 0.0 && !owns(from, to))) {
                continue;
            }
            let mix = |of: &dyn Fn(&Vertex) -> f32| -> f64 {
                [a, b, c].iter().zip(shares).map(|(vertex, share)| share * f64::from(of(vertex))).sum()
            };
            let (u, v) = (mix(&|vertex| vertex.uv.x), mix(&|vertex| vertex.uv.y));
            let texel = sample(texture, u, v);
            let source: [f64; 4] =
                std::array::from_fn(|channel| mix(&|vertex| f32::from(vertex.color.to_array()[channel])) * texel[channel]);
            let pixel = &mut image.pixels[y * image.size[0] + x];
            let under = pixel.to_array().map(f64::from);
            let through = 1.0 - source[3] / 255.0;
            let [r, g, b, a] = std::array::from_fn(|channel| (source[channel] + through * under[channel]).round().clamp(0.0, 255.0) as u8);
            *pixel = Color32::from_rgba_premultiplied(r, g, b, a);
        }
    }
}

/// The colour of a texture between its four nearest pixels, each part up to 1.
fn sample(texture: &ColorImage, u: f64, v: f64) -> [f64; 4] {
    let [width, height] = texture.size;
    let (x, y) = (u * width as f64 - 0.5, v * height as f64 - 0.5);
    let (left, top) = (x.floor(), y.floor());
    let (across, down) = (x - left, y - top);
    let at = |x: f64, y: f64| {
        let (x, y) = (x.clamp(0.0, width as f64 - 1.0) as usize, y.clamp(0.0, height as f64 - 1.0) as usize);
        texture.pixels[y * width + x].to_array().map(|part| f64::from(part) / 255.0)
    };
    let corners = [at(left, top), at(left + 1.0, top), at(left, top + 1.0), at(left + 1.0, top + 1.0)];
    let weights = [(1.0 - across) * (1.0 - down), across * (1.0 - down), (1.0 - across) * down, across * down];
    std::array::from_fn(|channel| corners.iter().zip(weights).map(|(corner, weight)| weight * corner[channel]).sum())
}

//! Colours of the picture, dark and light. All sRGB in [0, 1], except the lights, which are linear.

use three_d::{Vec3, Vec4, vec3, vec4};

use crate::viewport::{ArrowKind, LineKind, SupportKind};

/// Colours of surroundings and lights.
pub(super) struct Palette {
    /// Background at the top.
    pub top: Vec3,
    /// Background at the bottom.
    pub bottom: Vec3,
    /// Ground between the lines.
    pub ground: Vec3,
    /// Lines on the ground.
    pub line: Vec3,
    /// How dark shadows on the ground are: of the key light, and of what touches it.
    pub key_shade: f32,
    pub contact_shade: f32,
    /// Obstacles.
    pub obstacle: Vec3,
    /// Ghost of the shape to compare with.
    pub ghost: Vec3,
    /// Light from above.
    pub sky_light: Vec3,
    /// Light from below.
    pub ground_light: Vec3,
    /// Light from the side that is always the same.
    pub key_light: Vec3,
    /// Light on edges that turn away.
    pub rim_light: Vec3,
    /// How much darker a field is where it turns away.
    pub field_rim: f32,
    /// Around what is selected.
    pub accent: Vec3,
}

/// Bodies without a field, one after the other: neutral, so that regions and fields are the colours that stand out.
const CLAYS: [u32; 6] = [0xbf_b7_ab, 0xa9_b5_a0, 0xa3_af_c0, 0xc2_a6_9b, 0xb0_a6_bf, 0xbf_b0_8e];

/// The clay of the body with this number.
pub(super) const fn clay(number: usize) -> Vec3 {
    hex(CLAYS[number % CLAYS.len()])
}

/// Water that is deep enough to have a colour.
pub(super) const WATER: Vec3 = hex(0x3f_86_b8);
/// Values that are not numbers.
pub(super) const NO_VALUE: [f32; 3] = [0.5, 0.5, 0.5];
/// Elements that are pointed out.
pub(super) const ACCENT: Vec3 = vec3(0.25, 0.72, 0.95);
/// Contacts and their forces.
pub(super) const CONTACT: Vec4 = opaque(hex(0xf0_9a_3e));
/// The part of a contact's force that is friction.
pub(super) const FRICTION: Vec4 = vec4(0.98, 0.90, 0.36, 1.0);
/// Vertices that are moved, and where to.
const MOVED: Vec4 = vec4(0.76, 0.49, 1.0, 1.0);
/// Vertices that slide, and their plane.
const SLIDING: Vec4 = vec4(0.20, 0.82, 0.68, 1.0);

/// What is drawn over the bodies, for people: each colour, and what has it.
pub fn legend() -> [(&'static str, [f32; 3]); 9] {
    let plain = |color: Vec4| [color.x, color.y, color.z];
    [
        ("contact, normal force", plain(CONTACT)),
        ("friction", plain(FRICTION)),
        ("held", plain(support(SupportKind::Held))),
        ("moved", plain(MOVED)),
        ("sliding", plain(SLIDING)),
        ("traction, pressure", plain(arrow(ArrowKind::Load))),
        ("wind", plain(arrow(ArrowKind::Wind))),
        ("initial velocity", plain(arrow(ArrowKind::Velocity))),
        ("out of balance", plain(arrow(ArrowKind::Residual))),
    ]
}

/// Colours of normal force, friction, and forces that nothing balances.
pub fn force_colors() -> [egui::Color32; 3] {
    [CONTACT, FRICTION, arrow(ArrowKind::Residual)].map(|color| {
        let [r, g, b] = [color.x, color.y, color.z].map(|c| (c * 255.0).round() as u8);
        egui::Color32::from_rgb(r, g, b)
    })
}

/// Vertices that are not free.
pub(super) fn support(kind: SupportKind) -> Vec4 {
    match kind {
        SupportKind::Held => opaque(hex(0x4f_8d_f5)),
        SupportKind::Moved => MOVED,
        SupportKind::Sliding => SLIDING,
    }
}

/// Lines and arrows.
pub(super) fn arrow(kind: ArrowKind) -> Vec4 {
    match kind {
        ArrowKind::Motion => MOVED,
        ArrowKind::Plane => SLIDING,
        ArrowKind::Load => vec4(0.96, 0.36, 0.72, 1.0),
        ArrowKind::Wind => vec4(0.50, 0.80, 0.98, 1.0),
        ArrowKind::Velocity => vec4(0.55, 0.86, 0.30, 1.0),
        ArrowKind::Residual => FAULT.extend(1.0),
    }
}

/// Lines: their colour, half their width [points], and whether they are seen through what is before them.
pub(super) fn line(kind: LineKind, dark: bool) -> (Vec4, f32, bool) {
    match kind {
        LineKind::Fault => (FAULT.extend(1.0), 1.5, true),
        LineKind::Border => (vec4(0.98, 0.70, 0.26, if dark { 0.9 } else { 1.0 }), 1.0, false),
        LineKind::Wire => (vec4(0.10, 0.12, 0.16, 0.55), 0.6, false),
        LineKind::Strand => (clay(0).extend(if dark { 0.6 } else { 0.9 }), 0.7, false),
        LineKind::Attachment => (vec4(0.93, 0.55, 0.20, 1.0), 1.1, false),
        LineKind::Seam => (vec4(0.92, 0.46, 0.86, 1.0), 1.0, false),
        LineKind::Cell => (if dark { vec4(0.45, 0.95, 0.75, 1.0) } else { vec4(0.05, 0.45, 0.30, 1.0) }, 1.1, false),
        LineKind::Water => (vec4(0.30, 0.68, 1.0, 0.85), 0.8, false),
    }
}

/// What is wrong with a mesh.
pub(super) const FAULT: Vec3 = vec3(0.96, 0.27, 0.27);
/// Places to point at.
pub(super) const MARK: Vec4 = vec4(0.96, 0.27, 0.27, 1.0);

const DARK: Palette = Palette {
    top: hex(0x3a_40_49),
    bottom: hex(0x1e_21_26),
    ground: hex(0x2a_2e_35),
    line: hex(0x8a_95_a3),
    key_shade: 0.50,
    contact_shade: 0.52,
    obstacle: hex(0x7a_85_94),
    ghost: hex(0xa9_cd_eb),
    sky_light: vec3(0.38, 0.41, 0.47),
    ground_light: vec3(0.16, 0.145, 0.135),
    key_light: vec3(1.12, 1.06, 0.98),
    rim_light: vec3(0.14, 0.17, 0.22),
    field_rim: 0.16,
    accent: hex(0x3d_b8_f0),
};

const LIGHT: Palette = Palette {
    top: hex(0xdd_e2_e8),
    bottom: hex(0xb9_c1_ca),
    ground: hex(0xc3_ca_d3),
    line: hex(0x7c_87_94),
    key_shade: 0.30,
    contact_shade: 0.42,
    obstacle: hex(0xa3_ae_bb),
    ghost: hex(0x3a_6e_9c),
    sky_light: vec3(0.62, 0.64, 0.68),
    ground_light: vec3(0.30, 0.28, 0.27),
    key_light: vec3(0.84, 0.80, 0.74),
    rim_light: vec3(0.05, 0.06, 0.08),
    field_rim: 0.30,
    accent: hex(0x0e_86_c4),
};

/// A colour as it is written on the web.
const fn hex(rgb: u32) -> Vec3 {
    let [_, r, g, b] = rgb.to_be_bytes();
    vec3(r as f32 / 255.0, g as f32 / 255.0, b as f32 / 255.0)
}

const fn opaque(color: Vec3) -> Vec4 {
    vec4(color.x, color.y, color.z, 1.0)
}

/// The colours for dark or light surroundings.
pub(super) fn palette(dark: bool) -> &'static Palette {
    if dark { &DARK } else { &LIGHT }
}

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
    /// Darkness of the shadow on the ground.
    pub shade: f32,
    /// Obstacles.
    pub obstacle: Vec4,
    /// Ghost of the shape to compare with.
    pub ghost: Vec3,
    /// Light from above.
    pub sky_light: Vec3,
    /// Light from below.
    pub ground_light: Vec3,
    /// Light from beside the camera.
    pub key_light: Vec3,
    /// Light on edges that turn away.
    pub rim_light: Vec3,
    /// Around what is selected.
    pub accent: Vec3,
}

/// Bodies without a field, one after the other: neutral, so that regions and fields are the colours that stand out.
pub(super) const CLAYS: [[f32; 3]; 6] = [
    [0.749, 0.718, 0.671],
    [0.663, 0.710, 0.627],
    [0.639, 0.686, 0.753],
    [0.761, 0.651, 0.608],
    [0.690, 0.651, 0.749],
    [0.749, 0.690, 0.557],
];
/// Values that are not numbers.
pub(super) const NO_VALUE: [f32; 3] = [0.5, 0.5, 0.5];
/// Elements that are pointed out.
pub(super) const ACCENT: Vec3 = vec3(0.25, 0.72, 0.95);
/// Contacts and their forces.
pub(super) const CONTACT: Vec4 = vec4(1.0, 0.58, 0.16, 1.0);
/// The part of a contact's force that is friction.
pub(super) const FRICTION: Vec4 = vec4(0.98, 0.90, 0.36, 1.0);
/// Vertices that are moved, and where to.
const MOVED: Vec4 = vec4(0.76, 0.49, 1.0, 1.0);
/// Vertices that slide, and their plane.
const SLIDING: Vec4 = vec4(0.20, 0.82, 0.68, 1.0);

/// What is drawn over the bodies, for people: each colour, and what has it.
pub fn legend() -> [(&'static str, [f32; 3]); 8] {
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
    ]
}

/// Colours of normal force and friction.
pub fn force_colors() -> [egui::Color32; 2] {
    [CONTACT, FRICTION].map(|color| {
        let [r, g, b] = [color.x, color.y, color.z].map(|c| (c * 255.0).round() as u8);
        egui::Color32::from_rgb(r, g, b)
    })
}

/// Vertices that are not free.
pub(super) fn support(kind: SupportKind) -> Vec4 {
    match kind {
        SupportKind::Held => vec4(0.33, 0.62, 1.0, 1.0),
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
    }
}

/// Lines: their colour, half their width [points], and whether they are seen through what is before them.
pub(super) fn line(kind: LineKind, dark: bool) -> (Vec4, f32, bool) {
    match kind {
        LineKind::Fault => (FAULT.extend(1.0), 1.5, true),
        LineKind::Border => (vec4(0.98, 0.70, 0.26, if dark { 0.9 } else { 1.0 }), 1.0, false),
        LineKind::Wire => (vec4(0.10, 0.12, 0.16, 0.55), 0.6, false),
        LineKind::Strand => (vec4(CLAYS[0][0], CLAYS[0][1], CLAYS[0][2], if dark { 0.6 } else { 0.9 }), 0.7, false),
        LineKind::Attachment => (vec4(0.93, 0.55, 0.20, 1.0), 1.1, false),
        LineKind::Water => (vec4(0.30, 0.68, 1.0, 0.85), 0.8, false),
    }
}

/// What is wrong with a mesh.
pub(super) const FAULT: Vec3 = vec3(0.96, 0.27, 0.27);
/// Places to point at.
pub(super) const MARK: Vec4 = vec4(0.96, 0.27, 0.27, 1.0);

const DARK: Palette = Palette {
    top: vec3(0.205, 0.228, 0.264),
    bottom: vec3(0.098, 0.108, 0.125),
    ground: vec3(0.158, 0.174, 0.200),
    line: vec3(0.42, 0.46, 0.52),
    shade: 0.72,
    obstacle: vec4(0.47, 0.52, 0.59, 1.0),
    ghost: vec3(0.66, 0.82, 0.95),
    sky_light: vec3(0.42, 0.46, 0.53),
    ground_light: vec3(0.15, 0.125, 0.115),
    key_light: vec3(1.02, 0.95, 0.84),
    rim_light: vec3(0.16, 0.19, 0.24),
    accent: vec3(0.239, 0.722, 0.941),
};

const LIGHT: Palette = Palette {
    top: vec3(0.955, 0.962, 0.972),
    bottom: vec3(0.835, 0.850, 0.872),
    ground: vec3(0.878, 0.890, 0.907),
    line: vec3(0.56, 0.60, 0.66),
    shade: 0.42,
    obstacle: vec4(0.60, 0.65, 0.72, 1.0),
    ghost: vec3(0.22, 0.42, 0.62),
    sky_light: vec3(0.62, 0.64, 0.68),
    ground_light: vec3(0.30, 0.27, 0.255),
    key_light: vec3(0.86, 0.81, 0.74),
    rim_light: vec3(0.05, 0.06, 0.08),
    accent: vec3(0.055, 0.525, 0.769),
};

/// The colours for dark or light surroundings.
pub(super) fn palette(dark: bool) -> &'static Palette {
    if dark { &DARK } else { &LIGHT }
}

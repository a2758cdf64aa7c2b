//! New probes, and their colours.

use aplomb_sim::scene::{Probe, ProbePlace, Scene};

use super::free_name;

/// Colours of probes that were given none, sRGB, in the order in which they are made.
const COLORS: [[u8; 3]; 6] = [[242, 166, 90], [88, 184, 240], [111, 207, 151], [229, 127, 178], [241, 206, 82], [155, 123, 234]];

/// Colour of the probe with this number.
pub fn probe_color(probe: &Probe, index: usize) -> [u8; 3] {
    probe.color.unwrap_or(COLORS[index % COLORS.len()])
}

/// A probe at a place of a body, with a name of its own.
pub fn new_probe(scene: &Scene, body: usize, at: ProbePlace) -> Option<Probe> {
    let body = scene.bodies.get(body)?.name.clone();
    let name = free_name("probe", scene.probes.iter().map(|probe| probe.name.as_str()));
    Some(Probe { name, body, at, color: None })
}

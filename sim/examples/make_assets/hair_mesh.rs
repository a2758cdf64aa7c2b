//! A coarse mesh that carries hair: masses on a round head and around it, joined by the shortest lines between them.

use std::f64::consts::PI;
use std::fmt::Write;

use aplomb_sim::math::Vec3;

/// Radius of the head [m].
const HEAD: f64 = 0.09;
/// How deep the masses on the head lie in it [m].
const DEEP: f64 = 2e-5;
/// Masses on the head, down to so many degrees from its top, and around it.
const ON_HEAD: usize = 89;
const DOWN_TO: f64 = 80.0;
const AROUND: usize = 73;
/// Lines.
const LINES: usize = 3234;

/// The mesh, head at the origin, in metres. As many lines, masses and contacts as in Hsu et al. 2022, Fig. 15.
pub fn hair_mesh() -> String {
    let golden = PI * (3.0 - 5.0_f64.sqrt());
    let turned = |k: usize, radius: f64, height: f64| {
        let angle = golden * k as f64;
        Vec3::new(radius * angle.cos(), height, radius * angle.sin())
    };
    let cap = 1.0 - DOWN_TO.to_radians().cos();
    let on_head = (0..ON_HEAD).map(|k| {
        let height: f64 = 1.0 - cap * (k as f64 + 0.5) / ON_HEAD as f64;
        (HEAD - DEEP) * turned(k, (1.0 - height * height).sqrt(), height)
    });
    // A dome, and a skirt below it.
    let edge: f64 = 1.45;
    let around = (0..AROUND).map(|k| {
        let along = 2.6 * ((k as f64 + 0.5) / AROUND as f64).powf(0.75);
        let over = (along - edge).max(0.0);
        let on_dome = along.min(edge);
        let wave = 1.0 + 0.06 * (3.0 * golden * k as f64).sin();
        1.28 * HEAD * turned(k, wave * (on_dome.sin() + 0.12 * over), on_dome.cos() - over)
    });
    let masses: Vec<Vec3> = on_head.chain(around).map(|x| x.map(|c| (1e6 * c).round() / 1e6)).collect();
    let pairs = (0..masses.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    let mut lines: Vec<(f64, usize, usize)> = pairs.map(|(a, b)| ((masses[a] - masses[b]).norm(), a, b)).collect();
    lines.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut obj = String::from("# A mesh that carries hair, in metres, y up; the head is at the origin\no hair\n");
    // Writing into a string cannot fail.
    masses.iter().for_each(|x| {
        let _ = writeln!(obj, "v {} {} {}", x.x, x.y, x.z);
    });
    lines[..LINES].iter().for_each(|(_, a, b)| {
        let _ = writeln!(obj, "l {} {}", a + 1, b + 1);
    });
    obj
}

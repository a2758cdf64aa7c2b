//! Bodies of groups stepped by position, as a whole: the volumes that laws leave where they are stretched.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Method;
use aplomb_sim::scene_file::{self, gallery};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;

/// What the surface of each body encloses [m^3].
fn volumes(simulation: &Simulation) -> Vec<f64> {
    let of_body = |body: &aplomb_sim::system::PlacedBody| {
        let x = &simulation.state.positions[body.nodes.clone()];
        let cone = |triangle: &[u32; 3]| {
            let [a, b, c]: [Vec3; 3] = triangle.map(|v| x[v as usize]);
            a.dot(&b.cross(&c)) / 6.0
        };
        body.mesh.surface.iter().map(cone).sum()
    };
    simulation.system.bodies.iter().map(of_body).collect()
}

/// Bars of the gallery, stretched by half in a second (Muller et al. 2022, fig. 2): matched to its shape a bar does not become thin, nor does one of
/// Poisson's ratio 0; neo-Hookean at 0.49 it keeps its volume; by Hooke's law, whose strain is of Green, it becomes too thin: to 0.581 where all of it is
/// stretched alike, by S = 0 across. However many substeps there are.
#[test]
fn stretched_bars_have_the_volumes_of_their_laws() {
    for substeps in [20, 60] {
        let path = gallery::find("pbsm_bars").unwrap().path();
        let mut scene = scene_file::load(&path).unwrap();
        scene.simulate.projection.substeps = substeps;
        let mut simulation = Simulation::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
        simulation.initialise(Method::Naive, &Unwatched).unwrap();
        let before = volumes(&simulation);
        while simulation.state.time < 1.2 {
            simulation.step(&Unwatched).unwrap();
        }
        let ratios: Vec<f64> = volumes(&simulation).iter().zip(&before).map(|(after, before)| after / before).collect();
        println!("{substeps} substeps: {ratios:.3?}");
        let [matched, neo_hookean, hooke, without] = ratios[..] else { panic!("four bars: {ratios:?}") };
        assert!((matched - 1.5).abs() < 0.02 && (without - 1.5).abs() < 0.02, "{ratios:?}");
        assert!((neo_hookean - 1.0).abs() < 0.03, "{ratios:?}");
        assert!((0.55..0.65).contains(&hooke), "{ratios:?}");
    }
}

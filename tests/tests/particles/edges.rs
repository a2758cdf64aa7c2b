//! Material points beside the edges of walls: what lies on the top of a table feels nothing of its sides.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use crate::beside::{beside, boundary, faces, held, medit};
use crate::scene::{GRAVITY, Particles, SPACING, lattice, run};
use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::mesh::structured::{CubeCut, box_mesh};
use aplomb_sim::scene::Method;
use aplomb_sim::stats::report::{InfeasibilityCode, InitReport};
use serde_json::json;

/// What a block lies on.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Table {
    Shape,
    Triangles,
    /// Of tets that are held, which go one way.
    Tets,
}

/// A block on a table whose edge uphill is so far behind it [m], under gravity that is turned by so much [rad], everything moved so against the grid [m].
fn block(table: Table, (behind, angle, friction): (f64, f64, f64), moved: Vec3) -> Particles {
    let at: Vec<Vec3> = lattice([6, 3, 4], 0.0).iter().map(|x| x + moved).collect();
    let mut block = Particles::elastic(&at, "neo_hookean");
    let (low, size) = (moved - Vec3::new(behind, 8.0 * SPACING, 0.2), Vec3::new(1.2, 8.0 * SPACING, 0.6));
    let (mut positions, tets) = box_mesh(size, [4, 2, 2], CubeCut::Kuhn);
    positions.iter_mut().for_each(|x| *x += low);
    match table {
        Table::Shape => {
            let shape = json!({ "box": { "center": (low + 0.5 * size).as_slice(), "size": size.as_slice() } });
            block.scene["obstacles"] = json!([{ "name": "table", "shape": shape, "friction": friction }]);
        }
        Table::Triangles => {
            std::fs::write(block.folder.path().join("table.obj"), faces(&positions, &boundary(&tets))).unwrap();
            block.scene["obstacles"] = json!([{ "name": "table", "shape": { "mesh": { "mesh": "table.obj" } }, "friction": friction }]);
        }
        Table::Tets => {
            std::fs::write(block.folder.path().join("table.mesh"), medit(&(positions, tets))).unwrap();
            let material = json!({ "law": "neo_hookean", "young": 2e5, "poisson": 0.3, "density": 1000 });
            let regions = held(json!({ "height": { "axis": "y", "from": 0.0, "to": 0.001 } }), json!({}));
            beside(&mut block, json!({ "name": "table", "mesh": "table.mesh", "material": material, "regions": regions }), friction);
        }
    }
    block.scene["gravity"] = json!([GRAVITY * angle.sin(), -GRAVITY * angle.cos(), 0.0]);
    block
}

fn too_smooth(report: &InitReport) -> bool {
    report.infeasible.iter().any(|why| why.code == InfeasibilityCode::TooLittleFriction)
}

/// On whatever kind of table, with its edge wherever under the block or behind it, and wherever the grid lies: with less friction than the slope asks for a block is
/// said to slide, and does as fast as Coulomb says; with more it is held, and stays.
#[test]
fn edges_hook_nothing() {
    let mut random = Random::new(23);
    for trial in 0..12 {
        let table = [Table::Shape, Table::Triangles, Table::Tets][trial % 3];
        // On planes of the grid, and beside them.
        let moved = if trial < 3 { Vec3::zeros() } else { random.vector(0.0, 2.0 * SPACING) };
        let behind = if trial < 3 { 0.0 } else { random.uniform(0.0, 0.15) };
        let angle = random.uniform(5.0, 45.0_f64).to_radians();
        // What stands on tets leans with them.
        let angle = if table == Table::Tets { 0.3 * angle } else { angle };
        let smooth = if trial % 2 == 0 { 0.0 } else { 0.6 * angle.tan() };
        let (mut slides, report) = block(table, (behind, angle, smooth), moved).initialised(Method::SagFree);
        let start = slides.state.positions.clone();
        let seconds = 0.15;
        run(&mut slides, seconds);
        let gone = (0..72).map(|p| (slides.state.positions[p] - start[p]).x).sum::<f64>() / 72.0;
        let expected = 0.5 * seconds * seconds * GRAVITY * (angle.sin() - smooth * angle.cos());
        println!("{table:?}, {behind:.3} m, {:.1} degrees, friction {smooth:.3}: {gone:.2e} m of {expected:.2e}", angle.to_degrees());
        assert!(too_smooth(&report), "{:?}", report.infeasible);
        assert!((0.8..1.2).contains(&(gone / expected)), "{gone:e} {expected:e}");
        let (mut stays, report) = block(table, (behind, angle, 1.2 * angle.tan()), moved).initialised(Method::SagFree);
        assert!(!too_smooth(&report), "{:?}", report.infeasible);
        if report.residual.balanced {
            let (drift, _) = run(&mut stays, 0.2);
            println!("held: {drift:.1e} m");
            assert!(drift < 1e-9, "{drift:e}");
        }
    }
}

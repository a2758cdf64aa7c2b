//! Element Hessians, and their sum in the sparse pattern: what every Newton iteration does before it factorises.
#![allow(missing_docs, reason = "criterion's macros make public items without words")]
#![allow(clippy::unwrap_used, reason = "a scene of the gallery is in order")]

use std::hint::black_box;

use aplomb_sim::linear::NodeMatrix;
use aplomb_sim::math::Mat3;
use aplomb_sim::scene_file::{self, gallery};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use criterion::{Criterion, criterion_group, criterion_main};

fn assemble(criterion: &mut Criterion) {
    let path = gallery::find("creature").unwrap().path();
    let system = Simulation::build(&scene_file::load(&path).unwrap(), path.parent().unwrap(), &Unwatched).unwrap().system;
    let pattern = system.pattern();
    let family = &system.families[0];
    let mut blocks = vec![vec![Mat3::zeros(); family.len() * family.nodes_per_element().pow(2)]];
    let diagonal = vec![Mat3::zeros(); system.positions.len()];
    let mut matrix = NodeMatrix::new(&pattern);

    criterion.bench_function("creature: element Hessians", |bencher| {
        bencher.iter(|| family.hessian_blocks(black_box(&system.positions), true, &mut blocks[0]));
    });
    criterion.bench_function("creature: sum in the pattern", |bencher| {
        bencher.iter(|| matrix.assemble(&pattern, black_box(&blocks), 1.0, &diagonal));
    });
}

criterion_group!(benches, assemble);
criterion_main!(benches);

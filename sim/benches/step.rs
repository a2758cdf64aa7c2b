//! One time step: of a body at rest in its pose, and of one that moves.
#![allow(missing_docs, reason = "criterion's macros make public items without words")]
#![allow(clippy::unwrap_used, reason = "a scene of the gallery is in order")]

use aplomb_sim::scene::Method;
use aplomb_sim::scene_file::{self, gallery};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use criterion::{Criterion, criterion_group, criterion_main};

fn step(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("step");
    group.sample_size(10);
    for (name, method) in [("creature", Method::SagFree), ("hanging_beam", Method::Naive), ("jelly_on_table", Method::SagFree)] {
        let path = gallery::find(name).unwrap().path();
        let mut simulation = Simulation::build(&scene_file::load(&path).unwrap(), path.parent().unwrap(), &Unwatched).unwrap();
        simulation.initialise(method, &Unwatched).unwrap();
        group.bench_function(format!("{name}, {method:?}"), |bencher| bencher.iter(|| simulation.step(&Unwatched).unwrap()));
    }
    group.finish();
}

criterion_group!(benches, step);
criterion_main!(benches);

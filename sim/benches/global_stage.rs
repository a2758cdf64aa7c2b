//! The rest state without and with contact: global matrix, solve and local stage; the elimination order is known.
#![allow(missing_docs, reason = "criterion's macros make public items without words")]
#![allow(clippy::unwrap_used, reason = "a scene of the gallery is in order")]

use aplomb_sim::sag_free::initialise::rest_state;
use aplomb_sim::scene::Method;
use aplomb_sim::scene_file::{self, gallery};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use criterion::{Criterion, criterion_group, criterion_main};

fn global_stage(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rest state");
    group.sample_size(10);
    for name in ["creature", "jelly_on_table"] {
        let path = gallery::find(name).unwrap().path();
        let system = Simulation::build(&scene_file::load(&path).unwrap(), path.parent().unwrap(), &Unwatched).unwrap().system;
        system.pattern();
        group.bench_function(name, |bencher| bencher.iter(|| rest_state(&system, Method::SagFree, &Unwatched).unwrap().account.iterations));
    }
    group.finish();
}

criterion_group!(benches, global_stage);
criterion_main!(benches);

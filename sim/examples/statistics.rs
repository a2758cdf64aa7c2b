//! Writes `docs/statistics.md`: `cargo run -p aplomb-sim --example statistics > docs/statistics.md`.

fn main() {
    print!("{}", aplomb_sim::stats::registry::documentation());
}

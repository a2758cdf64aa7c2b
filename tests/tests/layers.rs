//! The modules of the library stand on one another in one order: none names what stands above it, by whatever way.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "layers/modules.rs"]
mod modules;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use modules::Crate;

/// From the ground up; each may name those before it.
const LAYERS: &[&str] = &[
    "math",
    "watch",
    "memory",
    "files",
    "geometry",
    "material",
    "linear",
    "element",
    "import",
    "mesh",
    "reconstruction",
    "scene",
    "bodies",
    "contact",
    "system",
    "step",
    "scene_file",
    "sag_free",
    "export",
    "rest_shape",
    "stats",
    "simulation",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../sim/src/lib.rs")
}

/// Who names what stands above it, in words.
fn upward(all: &Crate) -> Vec<String> {
    let rank: BTreeMap<&str, usize> = LAYERS.iter().copied().zip(0..).collect();
    let rank = |name: &str| *rank.get(name).unwrap_or_else(|| panic!("`{name}` has no place among the layers"));
    let arrows = all.arrows().into_iter();
    let up = arrows.filter(|(module, target, _)| rank(target) > rank(&module[0]));
    up.map(|(module, target, path)| format!("{} is under {target}, and names {path}", module.join("::"))).collect()
}

#[test]
fn no_module_names_what_stands_above_it() {
    let all = Crate::read(&root(), &|file| fs::read_to_string(file).ok());
    assert_eq!(all.roots(), LAYERS.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>());
    let arrows = all.arrows().len();
    assert!(arrows > 1000, "only {arrows} paths between modules were found");
    let upward = upward(&all);
    assert!(upward.is_empty(), "{}", upward.join("\n"));
}

/// One line more in one file is found, however it is written.
#[test]
fn a_name_from_above_is_found_in_every_form() {
    for (file, line) in [
        ("math/mod.rs", "use super::contact::Barrier;"),
        ("contact/surfaces/start.rs", "use super::super::super::system::System;"),
        ("contact/surfaces/start.rs", "use super::super::super::{math::Vec3 as V, step::{self, State}};"),
        ("element/tet.rs", "pub use crate::sag_free as balance;"),
        ("mesh/check.rs", "pub(crate) use crate::scene::*;"),
        ("linear/pattern.rs", "fn above() -> crate::system::System { todo!() }"),
        ("linear/pattern.rs", "fn above() { println!(\"{}\", crate::simulation::name()); }"),
        ("material/mod.rs", "mod inner { use super::super::super::stats::report; }"),
        ("material/mod.rs", "mod inner { use super::Found; } use crate::Found;"),
        ("system/mod.rs", "impl super::step::Stepper for Nothing {}"),
        ("scene/mod.rs", "use self::settings::Hidden; pub mod hidden { pub use crate::export::PreparedAsset as Hidden; }"),
        ("geometry/mod.rs", "static X: &[fn()] = &[super::simulation::run];"),
    ] {
        let changed = root().parent().unwrap().join(file);
        let read = |path: &Path| {
            let text = fs::read_to_string(path).ok()?;
            let more = if path == changed { line } else { "" };
            // What the root gives on is from where it is.
            let given = if path == root() { "pub use simulation::Simulation as Found;" } else { "" };
            Some(format!("{text}\n{more}\n{given}\n"))
        };
        let found = upward(&Crate::read(&root(), &read));
        assert!(!found.is_empty(), "{file}: {line}");
    }
}

/// What tests name is their own affair.
#[test]
fn tests_may_name_everything() {
    let changed = root().parent().unwrap().join("math/mod.rs");
    for line in ["#[cfg(test)] mod more { use crate::simulation::Simulation; }", "#[test] fn more() { crate::simulation::run(); }"] {
        let read = |path: &Path| fs::read_to_string(path).ok().map(|text| if path == changed { format!("{text}\n{line}") } else { text });
        assert_eq!(upward(&Crate::read(&root(), &read)), Vec::<String>::new(), "{line}");
    }
}

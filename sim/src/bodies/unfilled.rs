//! What is wrong with a body that has its stiffness and mass under `as`: what such kinds have in common.

use crate::scene::{Body, KindSettings, RegionRole, SceneProblem};

/// How a kind is spoken of.
pub(super) struct Words {
    /// Its name in scenes.
    pub name: &'static str,
    /// `cloth has its`, `springs have their`.
    pub has_its: &'static str,
    /// `cloth has`, `springs have`.
    pub has: &'static str,
}

/// What is wrong with settings, in words, and with which of their keys; none: with all.
pub(super) type Fault = (Option<&'static str>, String);

/// Everything wrong with `body`, which has this path: `fault` of its own settings, what `of_region` finds in those of its regions, and keys
/// that are of solids.
pub(super) fn problems(
    words: &Words,
    body: &Body,
    path: &str,
    fault: Option<Fault>,
    of_region: impl Fn(&KindSettings) -> Option<Fault>,
) -> Vec<SceneProblem> {
    let Words { name, has_its, has } = words;
    let mut problems = Vec::new();
    let mut report = |path: String, message: String| problems.push(SceneProblem::at(path, message));
    let place = |path: &str, key: Option<&str>| key.map_or_else(|| format!("{path}.as.{name}"), |key| format!("{path}.as.{name}.{key}"));
    if let Some((key, message)) = fault {
        report(place(path, key), message);
    }
    if body.material.is_some() {
        report(format!("{path}.material"), format!("{has_its} stiffness and mass under \"as\"; leave this out"));
    }
    if body.tetrahedralise.is_some() {
        report(format!("{path}.tetrahedralise"), "only solids are filled with tets; leave this out".into());
    }
    for (r, region) in body.regions.iter().enumerate() {
        let path = format!("{path}.regions[{r}].role");
        match &region.role {
            RegionRole::Material(_) => {
                let message = format!("{has} no such material; give the region the role \"as\": {{\"{name}\": {{...}}}}");
                report(format!("{path}.material"), message);
            }
            RegionRole::As(kind) if kind.kind != *name => {
                report(format!("{path}.as"), format!("the body is of {name}; write {{\"{name}\": {{...}}}}"));
            }
            RegionRole::As(kind) => {
                if let Some((key, message)) = of_region(kind) {
                    report(place(&path, key), message);
                }
            }
            _ => {}
        }
    }
    problems
}

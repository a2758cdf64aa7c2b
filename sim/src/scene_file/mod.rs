//! Scenes as versioned JSON: read with the place of every mistake, and written.
//!
//! ```text
//! text -> source (syntax tree with places) -> conform (keys, types, limits) -> rules (meaning) -> Scene
//! ```

mod conform;
pub mod gallery;
pub mod rules;
mod source;
mod suggest;
#[cfg(test)]
mod tests;
mod vocabulary;
mod write;

use std::path::Path;

pub use write::{save, to_text};

use crate::files;
use crate::scene::{SCENE_VERSION, Scene, SceneProblem};
use source::Source;

/// Reads and checks a scene file, the existence of its meshes included. Every problem is in the error.
pub fn load(path: &Path) -> Result<Scene, Vec<SceneProblem>> {
    let unreadable = |message: String| vec![SceneProblem { file: path.to_path_buf(), ..SceneProblem::at("", message) }];
    let bytes = files::read(path).map_err(|error| unreadable(format!("cannot be read ({error}); give the path of a scene file")))?;
    if files::is_utf_16(&bytes) {
        return Err(unreadable(files::UTF_16_ADVICE.into()));
    }
    let text = std::str::from_utf8(files::without_mark(&bytes))
        .map_err(|error| unreadable(format!("byte {} is not UTF-8 text; a scene is a JSON text file", error.valid_up_to())))?;
    parse(text, path)
}

/// Checks the text of a scene; `file` names it in problems, and its folder is where relative mesh paths start.
pub fn parse(text: &str, file: &Path) -> Result<Scene, Vec<SceneProblem>> {
    let source = Source::parse(text, file).map_err(|problem| vec![problem])?;
    newer_version(&source).map_or(Ok(()), |problem| Err(vec![problem]))?;
    let schema = vocabulary::schema();
    let conform::Conformed { mended, mut problems } = conform::conform(&source, &schema);
    let scene: Scene = serde_json::from_value(mended).map_err(|error| {
        let mut problems = problems.clone();
        problems.push(source.locate(SceneProblem::at("", format!("{error}; compare with `aplomb schema`"))));
        problems
    })?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let rules = rules::check(&scene).into_iter().chain(rules::check_files(&scene, folder));
    // A rule that looked at a stand-in says nothing about the file.
    let about_the_file: Vec<_> = rules.filter(|rule| !problems.iter().any(|known| contains(&known.path, &rule.path))).collect();
    problems.extend(about_the_file.into_iter().map(|problem| source.locate(problem)));
    problems.sort_by_key(|problem| (problem.line, problem.column));
    if problems.is_empty() { Ok(scene) } else { Err(problems) }
}

/// Adds the places in the scene file at `path` to problems that were found later, in building the system. Problems
/// keep their path alone where the file no longer holds a scene.
pub fn locate(problems: Vec<SceneProblem>, path: &Path) -> Vec<SceneProblem> {
    let bytes = files::read(path).unwrap_or_default();
    match Source::parse(&String::from_utf8_lossy(files::without_mark(&bytes)), path) {
        Ok(source) => problems.into_iter().map(|problem| source.locate(problem)).collect(),
        Err(_) => problems.into_iter().map(|problem| SceneProblem { file: path.to_path_buf(), ..problem }).collect(),
    }
}

/// JSON Schema of the scene file, pretty-printed.
pub fn schema() -> String {
    format!("{:#}\n", vocabulary::schema())
}

/// A file of a later version: nothing else about it can be judged.
fn newer_version(source: &Source) -> Option<SceneProblem> {
    let version = source.root.as_object()?.get_number("version")?.value.parse::<f64>().ok()?;
    (version > f64::from(SCENE_VERSION)).then(|| {
        let message = format!(
            "this file has version {version} of the scene format, this program reads {SCENE_VERSION}; use a newer program, or write \"version\": {SCENE_VERSION}"
        );
        source.locate(SceneProblem::at("version", message))
    })
}

/// Whether `path` is `outer` or lies inside it.
fn contains(outer: &str, path: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

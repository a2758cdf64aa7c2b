//! The schema that text editors are pointed to is the one that scenes are checked against, and what the README names is there.

use aplomb_sim::linear::SOLVERS;
use aplomb_sim::material::MATERIALS;
use aplomb_sim::scene_file::gallery::GALLERY;
use aplomb_sim::step::STEPPERS;
use aplomb_tests::{program, repository};

#[test]
fn the_schema_beside_the_scenes_is_the_one_of_the_model() -> std::io::Result<()> {
    let path = repository().join("scenes/scene.schema.json");
    let written = std::fs::read_to_string(&path)?;
    assert!(written == aplomb_sim::scene_file::schema(), "{} is old: write it again with `aplomb schema`", path.display());
    Ok(())
}

#[test]
fn the_documentation_lists_the_numbers_of_a_step() -> std::io::Result<()> {
    let path = repository().join("docs/statistics.md");
    let written = std::fs::read_to_string(&path)?;
    assert!(written == aplomb_sim::stats::registry::documentation(), "{} is old: its own words say how to write it again", path.display());
    Ok(())
}

#[test]
fn the_scene_of_the_readme_is_in_order() -> std::io::Result<()> {
    let readme = std::fs::read_to_string(repository().join("README.md"))?;
    let text = readme.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap_or_default();
    let scene = aplomb_sim::scene_file::parse(text, &repository().join("first.json"));
    assert!(scene.is_ok(), "{scene:#?}");
    Ok(())
}

/// All source text of a folder.
fn sources(folder: &std::path::Path) -> std::io::Result<String> {
    let mut all = String::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            all += &sources(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all += &std::fs::read_to_string(&path)?;
        }
    }
    Ok(all)
}

#[test]
fn the_readme_names_what_the_editor_has() -> std::io::Result<()> {
    let readme = std::fs::read_to_string(repository().join("README.md"))?;
    let part = |from: &str, to: &str| readme.split(from).nth(1).and_then(|rest| rest.split(to).next()).unwrap_or_default().to_owned();
    let code = sources(&repository().join("app/src"))?;
    // Buttons and panels stand in italics.
    let tour = part("### In the editor", "### On the command line").replace("**", "");
    let named: Vec<&str> = tour.split('*').skip(1).step_by(2).collect();
    assert!(named.len() >= 5, "{named:?}");
    for name in named {
        assert!(code.contains(&format!("\"{name}\"")), "the editor has nothing called {name:?}");
    }
    let keys = part("## Keys and mouse", "## Command line");
    for command in aplomb::document::COMMANDS.iter().filter(|command| command.shortcut.is_some()) {
        let key = command.keys();
        let told = [key.clone(), key.replace("Escape", "Esc"), key.replace("Period", "`.`"), key.replace("Arrow", "")];
        assert!(told.iter().any(|key| keys.contains(key.as_str())), "{} is not told: {key}", command.label);
    }
    Ok(())
}

/// What stands between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_readme_names_what_the_library_has() -> std::io::Result<()> {
    let readme = std::fs::read_to_string(repository().join("README.md"))?;
    let part = |from: &str, to: &str| readme.split(from).nth(1).and_then(|rest| rest.split(to).next()).unwrap_or_default();
    let table = part("| Scene | What it shows |\n|---|---|\n", "\n\n");
    let scenes = table.lines().flat_map(|row| quoted(row.split(" | ").next().unwrap_or_default()));
    for (what, mut told, mut there) in [
        ("scenes", scenes.collect::<Vec<_>>(), GALLERY.iter().map(|entry| entry.name).collect::<Vec<_>>()),
        ("laws", quoted(part("**Laws:**", ".\n")), MATERIALS.iter().map(|law| law.name).collect()),
        (
            "solvers",
            quoted(part("**Linear solvers** (`simulate.solver`):", ", each with")),
            SOLVERS.iter().map(|solver| solver.name).collect(),
        ),
        ("steppers", quoted(part("**Steppers:**", ". ")), STEPPERS.iter().map(|stepper| stepper.name).collect()),
    ] {
        told.sort_unstable();
        there.sort_unstable();
        assert_eq!(told, there, "{what}");
    }
    Ok(())
}

/// Every command and option that stands behind `aplomb` in a block of the README, and every command that the program has.
#[test]
fn the_readme_names_what_the_command_line_has() -> std::io::Result<()> {
    let readme = std::fs::read_to_string(repository().join("README.md"))?;
    let help = |command: &str| -> std::io::Result<String> {
        let arguments = [command, "--help"];
        let output = program().args(arguments.iter().filter(|word| !word.is_empty())).output()?;
        assert!(output.status.success(), "aplomb {command} --help: {}", String::from_utf8_lossy(&output.stderr));
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let all = help("")?;
    let rows = all.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap_or_default();
    let mut commands: Vec<&str> = rows.lines().filter_map(|row| row.split_whitespace().next()).filter(|name| *name != "help").collect();
    assert!(commands.len() > 5, "{all}");
    let mut told = std::collections::BTreeMap::<String, Vec<String>>::new();
    for block in readme.split("```").skip(1).step_by(2) {
        let mut command = None;
        for line in block.lines() {
            let mut words = line.split(" #").next().unwrap_or_default().split(|c: char| c.is_whitespace() || "[]|".contains(c));
            if line.starts_with("aplomb ") {
                // A scene in the place of a command opens the editor.
                command = words.nth(1).filter(|word| word.chars().all(char::is_lowercase) && !word.is_empty());
            } else if !line.starts_with(' ') {
                command = None;
            }
            if let Some(command) = command {
                told.entry(command.to_owned()).or_default().extend(words.filter(|word| word.starts_with("--")).map(str::to_owned));
            }
        }
    }
    commands.sort_unstable();
    assert_eq!(told.keys().map(String::as_str).collect::<Vec<_>>(), commands);
    assert!(told.values().map(Vec::len).sum::<usize>() > 30, "{told:?}");
    for (command, options) in &told {
        let help = help(command)?;
        let known: Vec<&str> = help.split(|c: char| !(c == '-' || c.is_alphanumeric())).filter(|word| word.starts_with("--")).collect();
        for option in options {
            assert!(known.contains(&option.as_str()), "aplomb {command} has no {option}");
        }
    }
    Ok(())
}

//! The schema that text editors are pointed to is the one that scenes are checked against.

use aplomb_tests::repository;

#[test]
fn the_schema_beside_the_scenes_is_the_one_of_the_model() -> std::io::Result<()> {
    let path = repository().join("scenes/scene.schema.json");
    let written = std::fs::read_to_string(&path)?;
    assert!(written == aplomb_sim::scene::schema(), "{} is old: write it again with `aplomb schema`", path.display());
    Ok(())
}

#[test]
fn the_scene_of_the_readme_is_in_order() -> std::io::Result<()> {
    let readme = std::fs::read_to_string(repository().join("README.md"))?;
    let text = readme.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap_or_default();
    let scene = aplomb_sim::scene::parse(text, &repository().join("first.json"));
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

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

//! The committed assets are what their generator makes.

#[allow(dead_code)]
#[path = "../examples/make_assets.rs"]
mod make_assets;

#[test]
fn the_smallest_asset_comes_out_byte_for_byte() -> std::io::Result<()> {
    let committed = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/jelly_box.mesh"))?;
    let (positions, tets) = make_assets::jelly_box();
    assert!(make_assets::bytes(&positions, &tets)? == committed, "run `cargo run -p aplomb-sim --example make_assets`");
    Ok(())
}

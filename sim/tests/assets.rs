//! The committed assets are what their generator makes.

#[allow(dead_code)]
#[path = "../examples/make_assets/main.rs"]
mod make_assets;

use make_assets::Asset;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn is_committed(name: &str, asset: Asset) -> Outcome {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets").join(name).with_extension("mesh");
    let same = asset.bytes()? == std::fs::read(&path)?;
    assert!(same, "{name} has changed; run `cargo run -p aplomb-sim --example make_assets`");
    Ok(())
}

#[test]
fn boxes_come_out_byte_for_byte() -> Outcome {
    is_committed("jelly_box", make_assets::jelly_box())?;
    is_committed("cube", make_assets::cube())?;
    is_committed("thin_beam", make_assets::thin_beam())?;
    is_committed("bar", make_assets::bar())?;
    is_committed("pudding_cube", make_assets::pudding_cube())?;
    is_committed("barrel", make_assets::barrel())?;
    is_committed("plate", make_assets::plate())?;
    is_committed("truck_bed", make_assets::truck_bed())
}

#[test]
fn the_little_creature_comes_out_byte_for_byte() -> Outcome {
    is_committed("little_creature", make_assets::little_creature()?)
}

#[test]
fn the_rabbit_comes_out_byte_for_byte() -> Outcome {
    is_committed("rabbit", make_assets::rabbit()?)
}

#[test]
fn surfaces_and_nets_come_out_byte_for_byte() -> Outcome {
    let nets = [
        ("chain", make_assets::chain()),
        ("chain_over_edge", make_assets::chain_over_edge()),
        ("square", make_assets::square()),
        ("square_stretched", make_assets::square_stretched()),
        ("hanging_net", make_assets::hanging_net()),
        ("hair_mesh", make_assets::hair_mesh()),
        ("hair_curls", make_assets::hair_curls()),
        ("page", make_assets::page()),
        ("sail", make_assets::sail()),
        ("hat", make_assets::hat()),
        ("balloon", make_assets::balloon()),
        ("blanket", make_assets::blanket()),
        ("tunic", make_assets::tunic()),
        ("wearer", make_assets::wearer()),
        ("sheet", make_assets::sheet()),
        ("curtain", make_assets::curtain()),
        ("fold_along", make_assets::fold(true, false)),
        ("fold_across", make_assets::fold(false, true)),
        ("fold_both", make_assets::fold(true, true)),
        ("trough", make_assets::trough()),
        ("fish", make_assets::fish()),
        ("bar_surface", make_assets::bar_surface()),
        ("layer", make_assets::layer()),
        ("water", make_assets::water()),
        ("dam", make_assets::dam()),
        ("heap", make_assets::heap()),
        ("cut", make_assets::cut()),
    ];
    for (name, obj) in [("gourd", make_assets::gourd())].into_iter().chain(nets) {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets").join(name).with_extension("obj");
        assert!(obj.as_bytes() == std::fs::read(path)?, "{name} has changed; run `cargo run -p aplomb-sim --example make_assets`");
    }
    let hair = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/head_of_hair.tfx");
    assert!(make_assets::head_of_hair() == std::fs::read(hair)?, "head_of_hair has changed");
    Ok(())
}

//! Systems to prepared assets and back: the rest states and contact forces of a balanced system, without solving again.

use super::{PreparedAsset, PreparedContact, PreparedFamily, PreparedPair, PreparedSkin};
use crate::bodies::solid::Solid;
use crate::bodies::{keys, particles};
use crate::contact::ContactMemory;
use crate::contact::surfaces::{Fans, PairPreload, Touch};
use crate::contact::{Balance, BalancedContact};
use crate::element::{Element, Family, MaterialPoint};
use crate::material::MATERIALS;
use crate::scene::Shape;
use crate::system::System;

/// Everything that a restart needs of a system in balance.
pub fn to_asset(system: &System, balance: &Balance) -> PreparedAsset {
    let tets = || system.families.iter().filter_map(|family| family.tetrahedra()).flat_map(|batch| &batch.elements);
    let materials = || system.bodies.iter().filter_map(|body| body.matter.solid()).flat_map(Solid::of_tets);
    let law = |name: &str| MATERIALS.iter().position(|law| law.name == name).map_or(-1, |index| index as i32);
    let contact = |contact: &BalancedContact| {
        let pair = system.pairs[contact.pair as usize];
        PreparedContact {
            node: pair.node,
            obstacle: pair.obstacle,
            normal: contact.normal,
            normal_force: contact.normal_force,
            friction_force: contact.friction_force,
            distance: contact.distance,
            friction: pair.friction,
        }
    };
    let fans = Fans::new(&system.surface);
    let pair = |pair: &PairPreload| PreparedPair {
        crossing: matches!(pair.touch, Touch::EdgeEdge { .. }),
        nodes: pair.touch.nodes(),
        weights: pair.touch.shares(&system.surface, &fans, &system.positions),
        normal: pair.normal,
        normal_force: pair.normal_force,
        friction_force: pair.friction_force,
        distance: pair.distance,
        friction: pair.touch.friction(&system.surface),
    };
    PreparedAsset {
        loads: system.loads(),
        obstacles: obstacles(system),
        scene: system.scene_keys.clone(),
        positions: system.positions.clone(),
        masses: system.masses.clone(),
        mass_pairs: system.mass_couplings.pairs().to_vec(),
        mass_couplings: system.mass_couplings.weights().to_vec(),
        fixed: system.held_nodes(),
        slides: system.slides.clone(),
        tets: system.tets(),
        bodies: (0..).zip(&system.bodies).flat_map(|(number, body)| std::iter::repeat_n(number, body.mesh.tets().len())).collect(),
        body_names: system.bodies.iter().map(|body| body.name.clone()).collect(),
        inverse_rest_edges: tets().map(|tet| tet.inverse_rest_edges).collect(),
        displacement_gradients: tets().map(|tet| tet.given_gradient).collect(),
        rest_volumes: tets().map(|tet| tet.rest_volume).collect(),
        stiffening: tets().map(|tet| tet.stiffening).collect(),
        laws: materials().map(|m| law(&m.law)).collect(),
        law_names: MATERIALS.iter().map(|law| law.name.to_owned()).collect(),
        young: system.bodies.iter().filter_map(|body| body.matter.solid()).flat_map(Solid::youngs).collect(),
        poisson: materials().map(|m| m.poisson).collect(),
        density: materials().map(|m| m.density).collect(),
        damping: tets().map(|tet| tet.damping).collect(),
        families: families(system),
        contacts: balance.contacts.iter().map(contact).collect(),
        pairs: balance.pairs.iter().map(pair).collect(),
        pair_forces: ContactMemory::new(system, balance).forces_of_surfaces(system),
        skin: skin(system),
    }
}

/// All families but that of tets, and what particles carry. Those of one kind that differ in how many nodes an element has are told apart by
/// these.
fn families(system: &System) -> Vec<PreparedFamily> {
    let others = || system.families.iter().filter(|family| family.tetrahedra().is_none());
    let prepared = |family: &dyn Family| {
        let (name, width) = (family.kind().name, family.nodes_per_element());
        let is_alone = others().filter(|other| other.kind().name == name).count() == 1;
        let nodes = (0..family.len()).flat_map(|e| family.nodes(e)).copied().collect();
        let name = if is_alone { name.into() } else { format!("{name} of {width}") };
        PreparedFamily { name, width, nodes, rest: family.rest_numbers() }
    };
    others().map(|family| prepared(family.as_ref())).chain(particles(system)).collect()
}

/// What particles carry, as a family of its own: one number a particle.
fn particles(system: &System) -> Option<PreparedFamily> {
    let nodes: Vec<u32> = system.fluids().flat_map(|(body, _)| body.nodes.clone()).map(|node| node as u32).collect();
    let rest = nodes.iter().map(|&node| system.carried.get(node as usize).copied().unwrap_or(0.0)).collect();
    (!nodes.is_empty()).then(|| PreparedFamily { name: particles::NAME.into(), width: 1, nodes, rest })
}

/// The skins of all bodies, counted in the numbering of the system.
fn skin(system: &System) -> PreparedSkin {
    let mut whole = PreparedSkin::default();
    for body in &system.bodies {
        let Some(skin) = &body.mesh.skin else { continue };
        let first = whole.positions.len() as u32;
        whole.positions.extend_from_slice(&skin.positions);
        whole.triangles.extend(skin.triangles.iter().map(|triangle| triangle.map(|v| v + first)));
        whole.tets.extend(skin.tets.iter().map(|t| t + body.cells().start as u32));
        whole.weights.extend_from_slice(&skin.weights);
    }
    whole
}

/// The shapes of the obstacles, as scene files have them.
fn obstacles(system: &System) -> String {
    let shapes: Vec<&Shape> = system.obstacles.iter().map(|obstacle| &obstacle.shape).collect();
    serde_json::to_string(&shapes).unwrap_or_default()
}

/// Brings the rest states of `asset` back into `system`, and gives its contact forces.
///
/// # Errors
/// In words, if the asset was made from another scene: shape, constraints, materials, loads, obstacles or friction differ.
pub fn restore(system: &mut System, asset: &PreparedAsset) -> Result<Balance, String> {
    let mut expected = to_asset(system, &Balance::default());
    // Particles may have settled elsewhere than the scene puts them.
    let settled: Vec<u32> =
        expected.families.iter().filter(|family| family.name == particles::NAME).flat_map(|family| family.nodes.clone()).collect();
    if asset.positions.len() == expected.positions.len() {
        settled.iter().for_each(|&node| expected.positions[node as usize] = asset.positions[node as usize]);
    }
    let same = [
        ("the shape", asset.positions == expected.positions && asset.tets == expected.tets),
        (
            "the masses",
            (&asset.masses, &asset.mass_pairs, &asset.mass_couplings) == (&expected.masses, &expected.mass_pairs, &expected.mass_couplings),
        ),
        ("the fixed vertices", asset.fixed == expected.fixed && asset.slides == expected.slides),
        ("a load (gravity, tractions, wind)", asset.loads == expected.loads),
        ("the obstacles", asset.obstacles == expected.obstacles),
        ("the materials", asset.laws == expected.laws && asset.young == expected.young && asset.poisson == expected.poisson),
    ];
    if let Some((what, _)) = same.iter().find(|(_, same)| !same) {
        return Err(format!("{what} of the scene changed since the asset was prepared; run `aplomb init` with --out again"));
    }
    // Assets of older versions, and systems without a scene, have none.
    if let Some(key) = keys::difference(&asset.scene, &expected.scene).filter(|_| !asset.scene.is_empty() && !expected.scene.is_empty()) {
        return Err(format!("`{key}` of the scene changed since the asset was prepared; run `aplomb init` with --out again"));
    }
    let gone = "a contact of the asset is with an obstacle or a surface that the scene no longer has; run `aplomb init` with --out again";
    let mut balance = Balance::default();
    for contact in &asset.contacts {
        let pair = system.pairs.binary_search_by_key(&(contact.node, contact.obstacle), |pair| (pair.node, pair.obstacle));
        let pair = pair.map_err(|_| gone)?;
        same_friction(contact.friction, system.pairs[pair].friction)?;
        balance.contacts.push(BalancedContact {
            pair: pair as u32,
            normal: contact.normal,
            normal_force: contact.normal_force,
            friction_force: contact.friction_force,
            distance: contact.distance,
        });
    }
    for pair in &asset.pairs {
        let [a, b, c, d] = pair.nodes;
        let touch = match pair.crossing {
            true => Touch::EdgeEdge { first: [a, b], second: [c, d] },
            false => Touch::of_vertex(pair.nodes),
        };
        let parts = touch.parts(&system.surface).filter(|[first, second]| system.surface.may_touch(*first, *second));
        parts.ok_or(gone)?;
        same_friction(pair.friction, touch.friction(&system.surface))?;
        balance.pairs.push(PairPreload {
            touch,
            normal: pair.normal,
            normal_force: pair.normal_force,
            friction_force: pair.friction_force,
            distance: pair.distance,
        });
    }
    let known = |families: &[PreparedFamily]| families.iter().map(|f| (f.name.clone(), f.nodes.clone(), f.rest.len())).collect::<Vec<_>>();
    if known(&asset.families) != known(&expected.families) {
        return Err("the elements of the scene changed since the asset was prepared; run `aplomb init` with --out again".into());
    }
    let others = system.families.iter().filter(|family| family.tetrahedra().is_none());
    for (points, prepared) in others.zip(&asset.families).filter_map(|(family, prepared)| Some((family.points()?, prepared))) {
        let mut each = points.elements.iter().zip(prepared.rest.chunks_exact(MaterialPoint::kind().rest_numbers));
        if !each.all(|(point, numbers)| point.takes(numbers)) {
            return Err("the rest state of a material point is of no such shape: volume, deformation or stiffness are not possible".into());
        }
    }
    let scalars = asset.rest_volumes.iter().zip(&asset.stiffening);
    let of_tets = asset.inverse_rest_edges.iter().zip(scalars).zip(&asset.displacement_gradients);
    let of_tets: Vec<f64> = of_tets
        .flat_map(|((edges, (volume, stiffening)), gradient)| {
            edges.iter().copied().chain([*volume, *stiffening]).chain(gradient.iter().copied())
        })
        .collect();
    let mut others = asset.families.iter();
    for family in &mut system.families {
        let numbers = if family.tetrahedra().is_some() { Some(&of_tets) } else { others.next().map(|family| &family.rest) };
        family.set_rest_numbers(numbers.ok_or("a family of elements is missing; run `aplomb init` with --out again")?);
    }
    if !settled.is_empty() {
        system.carried = vec![0.0; system.positions.len()];
        let carried = others.next().map(|family| &family.rest[..]).unwrap_or_default();
        for (&node, &carried) in settled.iter().zip(carried) {
            system.carried[node as usize] = carried;
            system.positions[node as usize] = asset.positions[node as usize];
        }
    }
    Ok(balance)
}

fn same_friction(before: f64, now: f64) -> Result<(), String> {
    let message = || {
        format!("the friction of a contact was {before} when the asset was prepared and is {now} now; run `aplomb init` with --out again")
    };
    if before == now { Ok(()) } else { Err(message()) }
}

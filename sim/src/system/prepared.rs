//! Systems to prepared assets and back: the rest states and contact forces of a balanced system, without solving again.

use super::System;
use crate::export::PreparedAsset;
use crate::export::prepared::PreparedContact;
use crate::material::MATERIALS;
use crate::math::Mat3;
use crate::sag_free::{Balance, BalancedContact};

/// Numbers that the rest state of a tet takes.
const REST_NUMBERS: usize = 11;

/// Everything that a restart needs of a system in balance.
pub fn to_asset(system: &System, balance: &Balance) -> PreparedAsset {
    let rest: Vec<f64> = system.families.iter().flat_map(|family| family.rest_numbers()).collect();
    let materials = || system.bodies.iter().flat_map(|body| body.material_of.iter().map(|&m| &body.materials[m as usize]));
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
        }
    };
    PreparedAsset {
        positions: system.positions.clone(),
        masses: system.masses.clone(),
        fixed: system.held_nodes(),
        tets: system.tets(),
        inverse_rest_edges: rest.chunks_exact(REST_NUMBERS).map(|r| Mat3::from_column_slice(&r[..9])).collect(),
        rest_volumes: rest.chunks_exact(REST_NUMBERS).map(|r| r[9]).collect(),
        stiffening: rest.chunks_exact(REST_NUMBERS).map(|r| r[10]).collect(),
        laws: materials().map(|m| law(&m.law)).collect(),
        young: materials().map(|m| m.young).collect(),
        poisson: materials().map(|m| m.poisson).collect(),
        density: materials().map(|m| m.density).collect(),
        contacts: balance.contacts.iter().map(contact).collect(),
    }
}

/// Brings the rest states of `asset` back into `system`, and gives its contact forces.
///
/// # Errors
/// In words, if the asset was made from another scene: shape, constraints, materials or obstacles differ.
pub fn restore(system: &mut System, asset: &PreparedAsset) -> Result<Balance, String> {
    let expected = to_asset(system, &Balance::default());
    let same = [
        ("the shape", asset.positions == expected.positions && asset.tets == expected.tets),
        ("the masses", asset.masses == expected.masses),
        ("the fixed vertices", asset.fixed == expected.fixed),
        ("the materials", asset.laws == expected.laws && asset.young == expected.young && asset.poisson == expected.poisson),
    ];
    if let Some((what, _)) = same.iter().find(|(_, same)| !same) {
        return Err(format!("{what} of the scene changed since the asset was prepared; run `aplomb init` with --out again"));
    }
    let contact = |contact: &PreparedContact| {
        let pair = system.pairs.binary_search_by_key(&(contact.node, contact.obstacle), |pair| (pair.node, pair.obstacle)).ok()?;
        Some(BalancedContact {
            pair: pair as u32,
            normal: contact.normal,
            normal_force: contact.normal_force,
            friction_force: contact.friction_force,
            distance: contact.distance,
        })
    };
    let contacts: Option<Vec<_>> = asset.contacts.iter().map(contact).collect();
    let contacts =
        contacts.ok_or("a contact of the asset is with an obstacle that the scene no longer has; run `aplomb init` with --out again")?;
    let rest: Vec<f64> = asset
        .inverse_rest_edges
        .iter()
        .zip(asset.rest_volumes.iter().zip(&asset.stiffening))
        .flat_map(|(edges, (volume, stiffening))| edges.iter().copied().chain([*volume, *stiffening]))
        .collect();
    let mut first = 0;
    for family in &mut system.families {
        let count = REST_NUMBERS * family.len();
        family.set_rest_numbers(&rest[first..first + count]);
        first += count;
    }
    Ok(Balance { contacts, pairs: Vec::new() })
}

//! `$Entities`, `$Nodes` and `$Elements` of Gmsh 4.1: nodes and elements in blocks, one a geometric entity.

use super::super::ImportError;
use super::super::cursor::Cursor;
use super::{Sections, element_type};

/// The first physical tag of each volume; the other entities are passed over.
pub fn read_entities(cursor: &mut Cursor, found: &mut Sections) -> Result<(), ImportError> {
    let what = "the number of entities";
    let counts = [size(cursor, what)?, size(cursor, what)?, size(cursor, what)?, size(cursor, what)?];
    for (dimension, count) in counts.into_iter().enumerate() {
        for _ in 0..count {
            cursor.tick()?;
            let tag = int(cursor, "the tag of an entity")?;
            // A point has its position, the others their bounding box and the entities that bound them.
            for _ in 0..if dimension == 0 { 3 } else { 6 } {
                cursor.coordinate()?;
            }
            let first = tags(cursor)?;
            if dimension > 0 {
                tags(cursor)?;
            }
            if dimension == 3 {
                found.physical.push((tag, first.unwrap_or(0)));
            }
        }
    }
    found.physical.sort_unstable();
    Ok(())
}

/// A list of tags, of which the first is returned.
fn tags(cursor: &mut Cursor) -> Result<Option<i32>, ImportError> {
    let mut first = None;
    for _ in 0..size(cursor, "the number of tags")? {
        let tag = int(cursor, "a tag")?;
        first.get_or_insert(tag);
    }
    Ok(first)
}

/// Blocks of nodes: first all numbers, then all coordinates of a block.
pub fn read_nodes(cursor: &mut Cursor, found: &mut Sections) -> Result<(), ImportError> {
    let blocks = size(cursor, "the number of blocks")?;
    for what in ["the number of nodes", "the least number of a node", "the largest number of a node"] {
        size(cursor, what)?;
    }
    for _ in 0..blocks {
        let dimension = int(cursor, "the dimension of an entity")?;
        int(cursor, "the tag of an entity")?;
        let parametric = int(cursor, "whether nodes are parametric")? != 0;
        let count = size(cursor, "the number of nodes")?;
        for _ in 0..count {
            cursor.tick()?;
            let name = size(cursor, "the number of a node")?;
            found.names.push(name as i64);
        }
        for _ in 0..count {
            cursor.tick()?;
            found.positions.push(cursor.point()?);
            for _ in 0..if parametric { dimension } else { 0 } {
                cursor.coordinate()?;
            }
        }
    }
    Ok(())
}

/// Blocks of elements of one type on one entity.
pub fn read_elements(cursor: &mut Cursor, found: &mut Sections) -> Result<(), ImportError> {
    let blocks = size(cursor, "the number of blocks")?;
    for what in ["the number of elements", "the least number of an element", "the largest number of an element"] {
        size(cursor, what)?;
    }
    for _ in 0..blocks {
        let offset = cursor.at;
        let dimension = int(cursor, "the dimension of an entity")?;
        let entity = int(cursor, "the tag of an entity")?;
        let number = i64::from(int(cursor, "the type of the elements")?);
        let count = size(cursor, "the number of elements")?;
        let kind = element_type::find(number)
            .ok_or_else(|| cursor.error_at(offset, format!("element type {number} is not known; export first-order tetrahedra only")))?;
        let volume = found.physical.binary_search_by_key(&entity, |p| p.0);
        let tag = if dimension == 3 { volume.map_or(0, |i| found.physical[i].1) } else { 0 };
        let mut corners = [0; 35];
        for _ in 0..count {
            cursor.tick()?;
            size(cursor, "the number of an element")?;
            for corner in &mut corners[..kind.nodes] {
                *corner = size(cursor, "a node of an element")? as i64;
            }
            found.push(cursor.at, kind, tag, &corners[..kind.nodes]);
        }
    }
    Ok(())
}

/// A 32-bit integer.
fn int(cursor: &mut Cursor, what: &str) -> Result<i32, ImportError> {
    if cursor.binary {
        return cursor.binary_i32(what);
    }
    let value = cursor.integer(what)?;
    i32::try_from(value).map_err(|_| cursor.error_at(cursor.at, format!("{what} does not fit 32 bits: {value}")))
}

/// A count or a number of a node, 64 bits.
fn size(cursor: &mut Cursor, what: &str) -> Result<usize, ImportError> {
    let value = if cursor.binary { cursor.binary_i64(what)? } else { cursor.integer(what)? };
    usize::try_from(value).map_err(|_| cursor.error_at(cursor.at, format!("{what} cannot be {value}")))
}

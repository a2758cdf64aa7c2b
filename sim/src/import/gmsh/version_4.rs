//! `$Entities`, `$PartitionedEntities`, `$Nodes` and `$Elements` of Gmsh 4.0 and 4.1: nodes and elements in blocks, one a geometric
//! entity.

use super::super::ImportError;
use super::super::cursor::Cursor;
use super::version_1::push;
use super::{Found, element_type};

/// Reads the content of a section; `zero`: of version 4.0.
pub fn read(cursor: &mut Cursor, name: &[u8], zero: bool, found: &mut Found) -> Result<(), ImportError> {
    cursor.wide = true;
    match name {
        b"$Entities" => read_entities(cursor, zero, false, found),
        b"$PartitionedEntities" => read_entities(cursor, zero, true, found),
        b"$Nodes" => read_nodes(cursor, zero, found),
        _ => read_elements(cursor, zero, found),
    }
}

/// The first physical tag of each entity.
fn read_entities(cursor: &mut Cursor, zero: bool, partitioned: bool, found: &mut Found) -> Result<(), ImportError> {
    if partitioned {
        cursor.count("the number of partitions")?;
        for _ in 0..cursor.count("the number of ghost entities")? {
            cursor.int("the tag of a ghost entity")?;
            cursor.int("the partition of a ghost entity")?;
        }
    }
    let mut counts = [0; 4];
    for count in &mut counts {
        *count = cursor.count("the number of entities")?;
    }
    for (dimension, count) in (0..).zip(counts) {
        for _ in 0..count {
            cursor.tick()?;
            let entity = cursor.int("the tag of an entity")?;
            if partitioned {
                cursor.int("the dimension of the parent")?;
                cursor.int("the tag of the parent")?;
                tags(cursor)?;
            }
            // A point has its position, in 4.1, the others their bounding box and the entities that bound them.
            for _ in 0..if dimension == 0 && !zero { 3 } else { 6 } {
                cursor.skip_coordinate()?;
            }
            if let Some(tag) = tags(cursor)? {
                found.physical.push((dimension, entity), tag);
            }
            if dimension > 0 {
                tags(cursor)?;
            }
        }
    }
    Ok(())
}

/// A list of tags, of which the first is returned.
fn tags(cursor: &mut Cursor) -> Result<Option<i32>, ImportError> {
    let mut first = None;
    for _ in 0..cursor.count("the number of tags")? {
        let tag = cursor.int("a tag")?;
        first.get_or_insert(tag);
    }
    Ok(first)
}

/// Dimension and tag of the entity that a block belongs to; version 4.0 has them in the other order.
fn entity(cursor: &mut Cursor, zero: bool) -> Result<(i32, i32), ImportError> {
    let what = "the dimension or tag of an entity";
    let (first, second) = (cursor.int(what)?, cursor.int(what)?);
    Ok(if zero { (second, first) } else { (first, second) })
}

/// Number of blocks, and counts and least and largest numbers that nothing depends on.
fn blocks(cursor: &mut Cursor, zero: bool) -> Result<usize, ImportError> {
    let blocks = cursor.count("the number of blocks")?;
    for _ in 0..if zero { 1 } else { 3 } {
        cursor.count("the number of nodes or elements, or the least or largest of their numbers")?;
    }
    Ok(blocks)
}

/// Blocks of nodes: in 4.1 first all numbers, then all coordinates of a block; in 4.0 node by node.
fn read_nodes(cursor: &mut Cursor, zero: bool, found: &mut Found) -> Result<(), ImportError> {
    for _ in 0..blocks(cursor, zero)? {
        cursor.tick()?;
        let (dimension, _) = entity(cursor, zero)?;
        let parameters = if cursor.int("whether nodes are parametric")? != 0 { dimension.clamp(0, 3) } else { 0 };
        let count = cursor.count("the number of nodes")?;
        let room = cursor.capacity(count, 8);
        found.elements.positions.reserve(room);
        found.names.reserve(room);
        if !zero {
            for _ in 0..count {
                cursor.tick()?;
                found.names.push(cursor.number("the number of a node")?);
            }
        }
        for _ in 0..count {
            cursor.tick()?;
            if zero {
                found.names.push(cursor.int("the number of a node")?.into());
            }
            found.elements.positions.push(cursor.point()?);
            for _ in 0..parameters {
                cursor.skip_coordinate()?;
            }
        }
    }
    Ok(())
}

/// Blocks of elements of one type on one entity.
fn read_elements(cursor: &mut Cursor, zero: bool, found: &mut Found) -> Result<(), ImportError> {
    for _ in 0..blocks(cursor, zero)? {
        cursor.tick()?;
        cursor.wide = true;
        let offset = cursor.at;
        let (dimension, entity) = entity(cursor, zero)?;
        let number = i64::from(cursor.int("the type of the elements")?);
        let count = cursor.count("the number of elements")?;
        let tag = found.physical.of_entity(dimension, entity);
        // Numbers of nodes are 32 bits long in 4.0, and 64 in 4.1.
        cursor.wide = !zero;
        match element_type::find(number) {
            Some(kind) => {
                found.elements.reserve(kind.shape, cursor.capacity(count, 2 * kind.shape.corners().max(1)));
                for _ in 0..count {
                    cursor.tick()?;
                    cursor.number("the number of an element")?;
                    push(cursor, kind, tag, found)?;
                }
            }
            None if cursor.binary => {
                let message = format!("element type {number} is not known, nor how long it is; save the mesh in ascii, or in first order");
                return Err(cursor.error_at(offset, message));
            }
            None => {
                cursor.skip_line();
                for _ in 0..count {
                    cursor.tick()?;
                    cursor.number("the number of an element")?;
                    cursor.skip_line();
                }
                found.elements.left_out.elements(&format!("elements of type {number}"), count);
            }
        }
    }
    Ok(())
}

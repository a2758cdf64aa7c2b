//! `$ELM` of Gmsh 1: elements that tell their own number of nodes. `$NOD` is written like `$Nodes` of version 2.

use super::super::ImportError;
use super::super::cursor::Cursor;
use super::super::elements::Kind;
use super::{Found, element_type};

/// `count`, then number, type, physical tag, entity, number of nodes and nodes of each element.
pub fn read_elements(cursor: &mut Cursor, found: &mut Found) -> Result<(), ImportError> {
    for _ in 0..cursor.count("the number of elements")? {
        cursor.tick()?;
        let offset = cursor.at;
        cursor.integer("the number of an element")?;
        let number = cursor.integer("the type of an element")?;
        let tag = cursor.int("a physical tag")?;
        cursor.integer("the tag of an entity")?;
        let nodes = cursor.count("the number of nodes of an element")?;
        match element_type::find(number) {
            Some(kind) if kind.nodes == nodes => push(cursor, kind, tag, found)?,
            Some(kind) => {
                return Err(
                    cursor.error_at(offset, format!("an element of {nodes} nodes cannot be one of the {} (type {number})", kind.name))
                );
            }
            None => {
                found.elements.left_out.elements(&format!("elements of type {number}"), 1);
                skip_nodes(cursor, nodes)?;
            }
        }
    }
    Ok(())
}

/// Reads the nodes of an element of any kind, text or binary.
pub fn push(cursor: &mut Cursor, kind: &Kind, tag: i32, found: &mut Found) -> Result<(), ImportError> {
    let mut corners = [0; 4];
    let corners = &mut corners[..kind.shape.corners()];
    for corner in corners.iter_mut() {
        *corner = cursor.number("a node of an element")?;
    }
    let place = cursor.at;
    skip_nodes(cursor, kind.nodes - corners.len())?;
    found.elements.push(place, kind, tag, corners);
    Ok(())
}

fn skip_nodes(cursor: &mut Cursor, count: usize) -> Result<(), ImportError> {
    for _ in 0..count {
        cursor.number("a node of an element")?;
    }
    Ok(())
}

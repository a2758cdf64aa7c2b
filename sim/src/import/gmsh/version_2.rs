//! `$Nodes` and `$Elements` of Gmsh 2: one list of nodes, one of elements each with its own tags.

use super::super::ImportError;
use super::super::cursor::Cursor;
use super::version_1::push;
use super::{Found, element_type};

/// Reads the content of a section.
pub fn read(cursor: &mut Cursor, name: &[u8], binary: bool, found: &mut Found) -> Result<(), ImportError> {
    cursor.wide = false;
    if name == b"$Nodes" { read_nodes(cursor, binary, found) } else { read_elements(cursor, binary, found) }
}

/// `count`, then number and coordinates of each node.
pub fn read_nodes(cursor: &mut Cursor, binary: bool, found: &mut Found) -> Result<(), ImportError> {
    let count = start(cursor, binary, "the number of nodes")?;
    let room = cursor.capacity(count, 8);
    found.elements.positions.reserve(room);
    found.names.reserve(room);
    for _ in 0..count {
        cursor.tick()?;
        found.names.push(cursor.number("the number of a node")?);
        found.elements.positions.push(cursor.point()?);
    }
    Ok(())
}

/// `count`, then the elements; in binary files in runs of one type with one head.
fn read_elements(cursor: &mut Cursor, binary: bool, found: &mut Found) -> Result<(), ImportError> {
    let count = start(cursor, binary, "the number of elements")?;
    let mut done = 0;
    while done < count {
        cursor.tick()?;
        let offset = cursor.at;
        if !binary {
            cursor.integer("the number of an element")?;
        }
        let number = cursor.number("the type of an element")?;
        let run = if binary { cursor.number("the number of elements of one type")? } else { 1 };
        let tags = cursor.number("the number of tags")?;
        if run < 1 || run > (count - done) as i64 || tags < 0 {
            return Err(cursor.error_at(offset, format!("{run} elements with {tags} tags do not fit into a section of {count} elements")));
        }
        done += run as usize;
        let Some(kind) = element_type::find(number) else {
            if binary {
                let message = format!("element type {number} is not known, nor how long it is; save the mesh in ascii, or in first order");
                return Err(cursor.error_at(offset, message));
            }
            cursor.skip_line();
            found.elements.left_out.elements(&format!("elements of type {number}"), 1);
            continue;
        };
        for _ in 0..run {
            cursor.tick()?;
            if binary {
                cursor.number("the number of an element")?;
            }
            let tag = first_tag(cursor, tags)?;
            push(cursor, kind, tag, found)?;
        }
    }
    Ok(())
}

/// The first of `count` tags is that of the physical group; the others are the entity and the partitions.
fn first_tag(cursor: &mut Cursor, count: i64) -> Result<i32, ImportError> {
    let physical = if count > 0 { cursor.int("a tag")? } else { 0 };
    for _ in 1..count {
        cursor.number("a tag")?;
    }
    Ok(physical)
}

/// Reads the count, which is text in binary files too, and moves to what follows.
fn start(cursor: &mut Cursor, binary: bool, what: &str) -> Result<usize, ImportError> {
    let count = cursor.count(what)?;
    if binary {
        cursor.skip_line();
        cursor.binary = true;
    }
    Ok(count)
}

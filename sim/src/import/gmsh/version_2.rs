//! `$Nodes` and `$Elements` of Gmsh 2: one list of nodes, one of elements each with its own tags.

use super::super::ImportError;
use super::super::cursor::Cursor;
use super::{Sections, element_type};

/// `count`, then number and coordinates of each node.
pub fn read_nodes(cursor: &mut Cursor, binary: bool, found: &mut Sections) -> Result<(), ImportError> {
    let count = start(cursor, binary, "the number of nodes")?;
    found.positions.reserve(cursor.capacity(count, 8));
    for _ in 0..count {
        cursor.tick()?;
        found.names.push(integer(cursor, "the number of a node")?);
        found.positions.push(cursor.point()?);
    }
    Ok(())
}

/// `count`, then the elements; in binary files in runs of one type with one head.
pub fn read_elements(cursor: &mut Cursor, binary: bool, found: &mut Sections) -> Result<(), ImportError> {
    let count = start(cursor, binary, "the number of elements")?;
    let mut done = 0;
    while done < count {
        let offset = cursor.at;
        if !binary {
            integer(cursor, "the number of an element")?;
        }
        let number = integer(cursor, "the type of an element")?;
        let run = if binary { integer(cursor, "the number of elements of one type")? } else { 1 };
        let tags = integer(cursor, "the number of tags")?;
        let kind = element_type::find(number)
            .ok_or_else(|| cursor.error_at(offset, format!("element type {number} is not known; export first-order tetrahedra only")))?;
        if run < 1 || run > (count - done) as i64 || tags < 0 {
            return Err(cursor.error_at(offset, format!("{run} elements with {tags} tags do not fit into a section of {count} elements")));
        }
        for _ in 0..run {
            read_element(cursor, binary, kind, tags, found)?;
        }
        done += run as usize;
    }
    Ok(())
}

fn read_element(
    cursor: &mut Cursor,
    binary: bool,
    kind: &element_type::ElementType,
    tags: i64,
    found: &mut Sections,
) -> Result<(), ImportError> {
    cursor.tick()?;
    if binary {
        integer(cursor, "the number of an element")?;
    }
    let mut physical = 0;
    for t in 0..tags {
        let tag = integer(cursor, "a tag")?;
        if t == 0 {
            physical = i32::try_from(tag).map_err(|_| cursor.error_at(cursor.at, format!("the tag {tag} does not fit 32 bits")))?;
        }
    }
    let mut corners = [0; 35];
    for corner in &mut corners[..kind.nodes] {
        *corner = integer(cursor, "a node of an element")?;
    }
    found.push(cursor.at, kind, physical, &corners[..kind.nodes]);
    Ok(())
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

/// The next integer, 32 bits long in binary files.
fn integer(cursor: &mut Cursor, what: &str) -> Result<i64, ImportError> {
    if cursor.binary { cursor.binary_i32(what).map(i64::from) } else { cursor.integer(what) }
}

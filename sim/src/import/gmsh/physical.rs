//! Physical groups: which entity belongs to which, and their names.

use std::collections::BTreeMap;

use super::super::ImportError;
use super::super::cursor::{self, Cursor, MOST_LETTERS};

/// Physical groups of a file.
#[derive(Default)]
pub struct Physical {
    /// The first physical tag of each entity, by its dimension and tag.
    of_entity: BTreeMap<(i32, i32), i32>,
    /// Names by dimension and physical tag.
    names: BTreeMap<(i32, i32), String>,
}

impl Physical {
    /// Takes in the first physical tag of an entity.
    pub fn push(&mut self, entity: (i32, i32), tag: i32) {
        self.of_entity.entry(entity).or_insert(tag);
    }

    /// The first physical tag of an entity, 0 for none.
    pub fn of_entity(&self, dimension: i32, entity: i32) -> i32 {
        self.of_entity.get(&(dimension, entity)).copied().unwrap_or(0)
    }

    /// The name of a group.
    pub fn name(&self, dimension: i32, tag: i32) -> String {
        self.names.get(&(dimension, tag)).cloned().unwrap_or_else(|| format!("physical {tag}"))
    }

    /// All names of groups of one dimension, by tag.
    pub fn names_of(&self, dimension: i32) -> Vec<(i32, String)> {
        self.names.range((dimension, i32::MIN)..=(dimension, i32::MAX)).map(|((_, tag), name)| (*tag, name.clone())).collect()
    }

    /// `$PhysicalNames`: `count`, then a row `dimension tag "name"` each; text in binary files too.
    pub fn read_names(&mut self, cursor: &mut Cursor) -> Result<(), ImportError> {
        for _ in 0..cursor.count("the number of physical names")? {
            cursor.tick()?;
            let dimension = cursor.int("the dimension of a group")?;
            let tag = cursor.int("the tag of a group")?;
            let line = cursor.line().trim_ascii();
            let name = line.strip_prefix(b"\"").and_then(|l| l.strip_suffix(b"\"")).unwrap_or(line);
            self.names.entry((dimension, tag)).or_insert_with(|| cursor::name(name, MOST_LETTERS));
        }
        Ok(())
    }
}

//! Physical groups: which entity belongs to which, and their names.

use super::super::ImportError;
use super::super::cursor::{Cursor, shown};

/// Physical groups of a file.
#[derive(Default)]
pub struct Physical {
    /// Dimension and tag of an entity, and its first physical tag; sorted.
    of_entity: Vec<((i32, i32), i32)>,
    /// Dimension and physical tag, and the name; sorted.
    names: Vec<((i32, i32), String)>,
}

impl Physical {
    /// Takes in the first physical tag of each entity.
    pub fn extend(&mut self, of_entity: Vec<((i32, i32), i32)>) {
        self.of_entity.extend(of_entity);
        self.of_entity.sort_unstable();
    }

    /// The first physical tag of an entity, 0 for none.
    pub fn of_entity(&self, dimension: i32, entity: i32) -> i32 {
        let found = self.of_entity.binary_search_by_key(&(dimension, entity), |e| e.0);
        found.map_or(0, |i| self.of_entity[i].1)
    }

    /// The name of a group.
    pub fn name(&self, dimension: i32, tag: i32) -> String {
        let found = self.names.binary_search_by_key(&(dimension, tag), |n| n.0);
        found.map_or_else(|_| format!("physical {tag}"), |i| self.names[i].1.clone())
    }

    /// All names of groups of one dimension, by tag.
    pub fn names_of(&self, dimension: i32) -> Vec<(i32, String)> {
        self.names.iter().filter(|n| n.0.0 == dimension).map(|((_, tag), name)| (*tag, name.clone())).collect()
    }

    /// `$PhysicalNames`: `count`, then a row `dimension tag "name"` each; text in binary files too.
    pub fn read_names(&mut self, cursor: &mut Cursor) -> Result<(), ImportError> {
        for _ in 0..cursor.count("the number of physical names")? {
            cursor.tick()?;
            let dimension = cursor.int("the dimension of a group")?;
            let tag = cursor.int("the tag of a group")?;
            let line = cursor.line().trim_ascii();
            let name = line.strip_prefix(b"\"").and_then(|l| l.strip_suffix(b"\"")).unwrap_or(line);
            self.names.push(((dimension, tag), shown(name)));
        }
        self.names.sort();
        Ok(())
    }
}

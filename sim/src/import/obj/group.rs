//! Objects, groups and materials of an OBJ file, which overlap, as groups that do not.

use std::collections::BTreeMap;

use super::super::cursor::{self, MOST_LETTERS};
use super::super::faces::Names;

/// Kinds of names, in the order in which they stand in the name of a group.
const KINDS: usize = 3;

/// The names in force, and the combinations that faces had.
#[derive(Default)]
pub struct Groups<'a> {
    names: Names<'a>,
    /// Object, group and material of the next face.
    state: [Option<u32>; KINDS],
    combinations: BTreeMap<[Option<u32>; KINDS], u32>,
    /// Whether faces stand before the first name.
    is_unnamed: bool,
    /// The last answer of `current`.
    last: Option<([Option<u32>; KINDS], u32)>,
}

impl<'a> Groups<'a> {
    /// The next faces belong to this object.
    pub fn object(&mut self, name: &'a [u8]) {
        self.state[0] = self.number(name);
    }

    /// The next faces belong to this group; several names stand for one.
    pub fn group(&mut self, name: &'a [u8]) {
        self.state[1] = self.number(name);
    }

    /// The next faces are of this material.
    pub fn material(&mut self, name: &'a [u8]) {
        self.state[2] = self.number(name);
    }

    fn number(&mut self, name: &'a [u8]) -> Option<u32> {
        let name = name.trim_ascii();
        (!name.is_empty()).then(|| self.names.number(name))
    }

    /// The group of a face that stands here; `None` before the first name.
    pub fn current(&mut self) -> Option<u32> {
        if self.combinations.is_empty() && self.state == [None; KINDS] {
            self.is_unnamed = true;
            return None;
        }
        if self.combinations.is_empty() && self.is_unnamed {
            self.combinations.insert([None; KINDS], 0);
        }
        if let Some((state, number)) = self.last
            && state == self.state
        {
            return Some(number);
        }
        let next = self.combinations.len() as u32;
        let number = *self.combinations.entry(self.state).or_insert(next);
        self.last = Some((self.state, number));
        Some(number)
    }

    /// The names of the groups: of object, group and material those that differ between faces, joined by a slash; if none
    /// differs, the first that is given. Together they take no more bytes than the file's `bytes`: a long name of an object
    /// that has many groups is cut, with a note.
    pub fn into_names(self, bytes: usize, notes: &mut Vec<String>) -> Vec<String> {
        let names = self.names.into_names();
        let first = self.combinations.keys().next().copied().unwrap_or_default();
        let mut shown: [bool; KINDS] = std::array::from_fn(|kind| self.combinations.keys().any(|state| state[kind] != first[kind]));
        if shown == [false; KINDS]
            && let Some(given) = first.iter().position(Option::is_some)
        {
            shown[given] = true;
        }
        let joined = |state: &[Option<u32>; KINDS], letters: usize| {
            let parts = (0..KINDS).filter(|&kind| shown[kind]).filter_map(|kind| state[kind]);
            let parts: Vec<String> = parts.map(|n| cursor::name(names[n as usize], letters)).collect();
            if parts.is_empty() { "default".into() } else { parts.join("/") }
        };
        let fits = |letters: &usize| self.combinations.keys().map(|state| joined(state, *letters).len()).sum::<usize>() <= bytes;
        let letters = std::iter::successors(Some(MOST_LETTERS), |letters| Some(letters / 2)).find(|l| *l < 2 || fits(l)).unwrap_or(1);
        if names.iter().any(|name| cursor::name(name, letters + 1).chars().nth(letters).is_some()) {
            notes.push(format!("names of groups were cut to their first {letters} letters"));
        }
        let mut groups = vec![String::new(); self.combinations.len()];
        for (state, number) in &self.combinations {
            groups[*number as usize] = joined(state, letters);
        }
        groups
    }
}

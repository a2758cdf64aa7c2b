//! The faces of a surface file while it is read, and what becomes of them: triangles, polygons, groups, texture.

use std::collections::BTreeMap;

use super::cursor::Cursor;
use super::polygon::{Cutter, MOST_CORNERS};
use super::{ImportError, Lists, RawMesh, Texture};

/// Faces as lists of corners; a corner that is named twice in a row counts once, and a face with fewer than three
/// corners is left out, both with a note.
#[derive(Default)]
pub struct Faces {
    corners: Lists,
    /// Texture point of each corner, `u32::MAX` for none; empty until a corner has one.
    texture: Vec<u32>,
    texture_room: usize,
    /// Group of each face; empty until a face has one.
    groups: Vec<u32>,
    /// Where the face starts that is being read.
    start: usize,
    is_repeated: bool,
    repeated: Tally,
    dropped: Tally,
}

/// How often something was met, and where first.
#[derive(Default)]
pub struct Tally {
    count: usize,
    first: usize,
}

impl Tally {
    /// Counts what was met at `offset`.
    pub fn add(&mut self, offset: usize) {
        if self.count == 0 {
            self.first = offset;
        }
        self.count += 1;
    }

    /// Whether nothing was met.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Says so in `notes`, if anything was met: its number, `what`, and the first place.
    pub fn note(&self, cursor: &Cursor, what: &str, notes: &mut Vec<String>) {
        match self.count {
            0 => {}
            1 => notes.push(format!("1 {what} ({})", cursor.place(self.first))),
            count => notes.push(format!("{count} {what} (first: {})", cursor.place(self.first))),
        }
    }
}

impl Faces {
    /// Makes room for the faces of a file with at most `corners` corners.
    pub fn reserve(&mut self, faces: usize, corners: usize) {
        self.corners.ends.reserve_exact(faces);
        self.corners.vertices.reserve_exact(corners);
    }

    /// Will make room for `corners` corners once one of them has a texture point.
    pub fn reserve_texture(&mut self, corners: usize) {
        self.texture_room = corners;
    }

    /// Adds a corner to the face being read, with its point in the texture.
    pub fn corner(&mut self, vertex: u32, texture: Option<u32>) {
        if self.corners.vertices.len() > self.start && self.corners.vertices.last() == Some(&vertex) {
            self.is_repeated = true;
            return;
        }
        if texture.is_some() && self.texture.is_empty() {
            self.texture.reserve_exact(self.texture_room);
            self.texture.resize(self.corners.vertices.len(), u32::MAX);
        }
        let had_texture = texture.is_some() || !self.texture.is_empty();
        self.corners.vertices.push(vertex);
        if had_texture {
            self.texture.push(texture.unwrap_or(u32::MAX));
        }
    }

    /// Forgets the texture points of all corners so far.
    pub fn forget_texture(&mut self) {
        self.texture = Vec::new();
    }

    /// Ends the face that was read at `offset`; it belongs to `group`.
    pub fn close(&mut self, cursor: &Cursor, offset: usize, group: Option<u32>) -> Result<(), ImportError> {
        let Lists { ends, vertices: list } = &mut self.corners;
        if list.len() > self.start + 1 && list.last() == Some(&list[self.start]) {
            list.pop();
            self.is_repeated = true;
        }
        let corners = list.len() - self.start;
        if corners > MOST_CORNERS {
            return Err(cursor.error_at(offset, format!("a face with {corners} corners; at most {MOST_CORNERS} are read, cut it first")));
        }
        if corners < 3 {
            list.truncate(self.start);
            self.dropped.add(offset);
        } else {
            if std::mem::take(&mut self.is_repeated) {
                self.repeated.add(offset);
            }
            if group.is_some() && self.groups.is_empty() {
                self.groups.reserve_exact(ends.capacity());
                self.groups.resize(ends.len(), 0);
            }
            if !self.groups.is_empty() || group.is_some() {
                self.groups.push(group.unwrap_or(0));
            }
            ends.push(list.len() as u32);
        }
        self.is_repeated = false;
        self.start = self.corners.vertices.len();
        if !self.texture.is_empty() {
            self.texture.truncate(self.start);
        }
        Ok(())
    }

    /// Fills the triangles of `mesh`, whose vertices are known by now, and all that goes with them.
    pub fn finish(self, cursor: &mut Cursor, texture: Vec<[f64; 2]>, mesh: &mut RawMesh) -> Result<(), ImportError> {
        let Self { corners, texture: texture_corners, groups, repeated, dropped, .. } = self;
        repeated.note(cursor, "faces name a vertex twice in a row, which is taken once", &mut mesh.notes);
        dropped.note(cursor, "faces with fewer than three different corners were left out", &mut mesh.notes);
        let count = corners.vertices.len() - 2 * corners.len();
        let is_polygonal = count > corners.len();
        mesh.triangles.reserve_exact(count);
        mesh.triangle_groups.reserve_exact(if groups.is_empty() { 0 } else { count });
        let mut cutter = Cutter::default();
        let mut texture_triangles = Vec::with_capacity(if texture_corners.is_empty() { 0 } else { count });
        let mut start = 0;
        let mut flat = 0;
        for (f, face) in corners.iter().enumerate() {
            face.iter().try_for_each(|_| cursor.tick())?;
            cutter.cut(face, &mesh.positions, cursor.watch, |triangle| {
                let [a, b, c] = triangle.map(|i| face[i]);
                if a == b || b == c || c == a {
                    flat += 1;
                    return;
                }
                mesh.triangles.push([a, b, c]);
                if !groups.is_empty() {
                    mesh.triangle_groups.push(groups[f]);
                }
                if !texture_corners.is_empty() {
                    texture_triangles.push(triangle.map(|i| texture_corners[start + i]));
                }
            })?;
            start += face.len();
        }
        if cutter.unsure > 0 {
            mesh.notes.push(format!("{} faces cross themselves or have no area; their triangles may overlap", cutter.unsure));
        }
        if flat > 0 {
            mesh.notes.push(format!("{flat} triangles of faces that fold back on themselves were left out"));
        }
        if !texture_triangles.is_empty() {
            mesh.texture = Texture { points: texture, triangles: texture_triangles };
        }
        if is_polygonal {
            mesh.polygons = corners;
        }
        Ok(())
    }
}

/// Names numbered in the order in which they are met first.
#[derive(Default)]
pub struct Names<'a> {
    numbers: BTreeMap<&'a [u8], u32>,
}

impl<'a> Names<'a> {
    /// The number of `name`.
    pub fn number(&mut self, name: &'a [u8]) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(name).or_insert(next)
    }

    /// The names by their numbers.
    pub fn into_names(self) -> Vec<&'a [u8]> {
        let mut names = vec![&[][..]; self.numbers.len()];
        for (name, number) in self.numbers {
            names[number as usize] = name;
        }
        names
    }
}

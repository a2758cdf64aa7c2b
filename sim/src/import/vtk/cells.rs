//! [`Cells`]: the cells of a VTK file, and the mesh made of them.

use super::super::cursor::Cursor;
use super::super::faces::Faces;
use super::super::left_out::LeftOut;
use super::super::{ImportError, Lists, RawMesh};
use super::budget::Budget;
use super::cell_type::{Becomes, CellType};

/// Names of cell data that are taken as tags, in lower case, the first being the best.
pub const TAGS: [&str; 9] =
    ["gmsh:physical", "medit:ref", "cellentityids", "materialids", "materialid", "physical", "tag", "tags", "region"];

/// The rank of cell data of a name among those taken as tags; the least is the best.
pub fn tag_rank(name: &[u8]) -> Option<usize> {
    TAGS.iter().position(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// Cells and their data as read.
#[derive(Default)]
pub struct Cells {
    /// Points of each cell.
    pub points: Lists,
    /// Number of the type of each cell.
    pub types: Vec<u8>,
    /// Tag of each cell; none if the file has no such data.
    pub tags: Vec<i32>,
}

/// The mesh while its pieces are put together.
#[derive(Default)]
pub struct Builder {
    pub raw: RawMesh,
    pub left_out: LeftOut,
    faces: Faces,
}

/// How much there is of what.
#[derive(Default)]
struct Amount {
    tets: usize,
    faces: usize,
    corners: usize,
    strand_points: usize,
}

impl Amount {
    /// Memory of the mesh made of it. A face has an end and a group, and becomes triangles, each with a group and, where each has a
    /// tag of its own, the name of that.
    fn bytes(&self, has_tags: bool) -> usize {
        let triangles = self.corners.saturating_sub(2 * self.faces);
        let triangle = if has_tags { 12 + 4 + 4 + 40 } else { 12 };
        20 * self.tets + 8 * self.faces + 4 * self.corners + triangle * triangles + 8 * self.strand_points
    }
}

impl Builder {
    /// Adds cells that stand at `offset`, whose points are checked.
    pub fn add(&mut self, cursor: &mut Cursor, offset: usize, cells: &Cells, budget: &mut Budget) -> Result<(), ImportError> {
        let amount = self.measure(cursor, offset, cells)?;
        budget.charge(cursor, amount.bytes(!cells.tags.is_empty()), 1)?;
        self.raw.tets.reserve_exact(amount.tets);
        self.raw.tags.reserve_exact(amount.tets);
        self.faces.reserve(amount.faces, amount.corners);
        self.raw.strands.vertices.reserve_exact(amount.strand_points);
        let has_tags = !cells.tags.is_empty();
        for (c, (points, &number)) in cells.points.iter().zip(&cells.types).enumerate() {
            cursor.tick()?;
            let cell = CellType::of(number);
            let tag = cells.tags.get(c).copied().unwrap_or(0);
            // Groups are numbered by the bits of their tags until all are known.
            let group = has_tags.then_some(tag.cast_unsigned());
            match (cell.becomes, points) {
                (Becomes::Tet, &[a, b, c, d, ..]) => {
                    self.raw.tets.push([a, b, c, d]);
                    self.raw.tags.push(tag);
                }
                (Becomes::Pixel, &[a, b, c, d]) => self.face(cursor, offset, &[a, b, d, c], group)?,
                (Becomes::Strip, strip) => {
                    for (i, three) in strip.windows(3).enumerate() {
                        let turned = [three[i % 2], three[1 - i % 2], three[2]];
                        self.face(cursor, offset, &turned, group)?;
                    }
                }
                (Becomes::Strand, strand) if strand.len() > 1 => self.raw.strands.push(strand),
                (Becomes::Face(_) | Becomes::Polygon | Becomes::HalfPolygon, points) => {
                    let corners = cell.corners(points.len()).unwrap_or(0);
                    self.face(cursor, offset, &points[..corners], group)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn face(&mut self, cursor: &Cursor, offset: usize, corners: &[u32], group: Option<u32>) -> Result<(), ImportError> {
        for &corner in corners {
            self.faces.corner(corner, None);
        }
        self.faces.close(cursor, offset, group)
    }

    /// Counts what the cells become, and those that are left out or straightened.
    fn measure(&mut self, cursor: &mut Cursor, offset: usize, cells: &Cells) -> Result<Amount, ImportError> {
        let mut amount = Amount::default();
        for (c, (points, &number)) in cells.points.iter().zip(&cells.types).enumerate() {
            cursor.tick()?;
            let cell = CellType::of(number);
            let Some(corners) = cell.corners(points.len()) else {
                let message = format!("cell {c} has {} points, which {} (type {number}) cannot have", points.len(), cell.name);
                return Err(cursor.error_at(offset, message));
            };
            match cell.becomes {
                Becomes::Tet => amount.tets += 1,
                Becomes::Strip => {
                    amount.faces += corners.saturating_sub(2);
                    amount.corners += 3 * corners.saturating_sub(2);
                }
                Becomes::Strand if points.len() > 1 => amount.strand_points += points.len(),
                Becomes::Strand | Becomes::Other => self.left_out.elements(cell.name, 1),
                Becomes::Face(_) | Becomes::Pixel | Becomes::Polygon | Becomes::HalfPolygon => {
                    amount.faces += 1;
                    amount.corners += corners;
                }
            }
            let is_straightened = matches!(cell.becomes, Becomes::Tet | Becomes::Face(_) | Becomes::HalfPolygon) && corners < points.len();
            if is_straightened {
                self.left_out.straightened(cell.name);
            }
        }
        Ok(amount)
    }

    /// The whole mesh.
    pub fn finish(mut self, format: &'static str, cursor: &mut Cursor) -> Result<RawMesh, ImportError> {
        self.raw.format = format;
        self.left_out.tell(&mut self.raw);
        self.faces.finish(cursor, Vec::new(), &mut self.raw)?;
        name_groups(&mut self.raw);
        Ok(self.raw)
    }
}

/// Numbers the groups of triangles, which are tags so far, in ascending order; leaves none if there is but the tag 0.
fn name_groups(raw: &mut RawMesh) {
    if raw.triangle_groups.iter().all(|&group| group == 0) {
        raw.triangle_groups = Vec::new();
        return;
    }
    let tag = |group: u32| group.cast_signed();
    let mut distinct = raw.triangle_groups.clone();
    distinct.sort_unstable_by_key(|&group| tag(group));
    distinct.dedup();
    for group in &mut raw.triangle_groups {
        *group = distinct.partition_point(|&d| tag(d) < tag(*group)) as u32;
    }
    raw.groups = distinct.iter().map(|&group| format!("tag {}", tag(group))).collect();
}

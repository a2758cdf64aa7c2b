//! A `<Piece>` of an XML file: its points and cells.

use super::super::cursor::{Cursor, shown};
use super::super::{ImportError, Lists};
use super::array::{Array, Head};
use super::budget::Budget;
use super::cell_type::POLYDATA;
use super::cells::{Builder, Cells, tag_rank};
use super::tag::Tag;
use crate::math::Vec3;

/// A group of cells: its element, and the attribute of the piece that announces how many there are.
struct Group {
    element: &'static [u8],
    count: &'static str,
    /// Type of all cells; none if an array says so.
    cell_type: Option<u8>,
}

/// In the order of the cells' data.
const GROUPS: [Group; 5] = [
    Group { element: b"Cells", count: "NumberOfCells", cell_type: None },
    Group { element: b"Verts", count: "NumberOfVerts", cell_type: Some(POLYDATA[0].1) },
    Group { element: b"Lines", count: "NumberOfLines", cell_type: Some(POLYDATA[1].1) },
    Group { element: b"Polys", count: "NumberOfPolys", cell_type: Some(POLYDATA[2].1) },
    Group { element: b"Strips", count: "NumberOfStrips", cell_type: Some(POLYDATA[3].1) },
];

/// A piece while its tags are read: its arrays are read at its end.
pub struct Piece<'a> {
    tag: Tag<'a>,
    points: Option<Array<'a>>,
    /// Connectivity, offsets and types of each group.
    cells: [[Option<Array<'a>>; 3]; 5],
    tags: Option<(usize, Array<'a>)>,
}

impl<'a> Piece<'a> {
    pub fn new(tag: Tag<'a>) -> Self {
        Self { tag, points: None, cells: [[None; 3]; 5], tags: None }
    }

    /// Takes in an array that stands in the element `parent`.
    pub fn take(&mut self, parent: &[u8], array: Array<'a>, cursor: &Cursor) {
        match parent {
            b"Points" => self.points = Some(array),
            b"CellData" => {
                let components = array.tag.count(cursor, "NumberOfComponents", 1);
                let is_tag = components == Ok(1) && array.number(cursor).is_ok_and(|number| number.is_integer());
                if let Some(rank) = tag_rank(array.name()).filter(|_| is_tag)
                    && self.tags.is_none_or(|(best, _)| rank < best)
                {
                    self.tags = Some((rank, array));
                }
            }
            _ => {
                let group = GROUPS.iter().position(|g| g.element == parent);
                let which = [&b"connectivity"[..], b"offsets", b"types"].iter().position(|&name| name == array.name());
                if let (Some(group), Some(which)) = (group, which) {
                    self.cells[group][which] = Some(array);
                }
            }
        }
    }

    /// Reads all arrays into `builder`.
    pub fn read(self, cursor: &mut Cursor<'a>, head: &mut Head, budget: &mut Budget, builder: &mut Builder) -> Result<(), ImportError> {
        let first = builder.raw.positions.len();
        let points = self.tag.count(cursor, "NumberOfPoints", 0)?;
        self.read_points(points, cursor, head, budget, builder)?;
        let mut cells = Cells::default();
        for (group, arrays) in GROUPS.iter().zip(&self.cells) {
            let count = self.tag.count(cursor, group.count, 0)?;
            if count > 0 {
                self.read_cells(group, arrays, (first, points), cursor, head, budget, &mut cells)?;
            }
        }
        if let Some((_, array)) = self.tags.filter(|_| !cells.types.is_empty()) {
            let mut numbers = array.numbers(cursor, head)?;
            let room = numbers.capacity(cells.types.len());
            budget.charge(cursor, room, 4)?;
            cells.tags.reserve_exact(room);
            for _ in 0..cells.types.len() {
                cells.tags.push(numbers.next("the number of cells")?.tag());
            }
            numbers.finish("the number of cells")?;
            builder.left_out.note(format!("the tags are the cell data `{}`", shown(array.name())));
        }
        builder.add(cursor, self.tag.offset, &cells, budget)
    }

    fn missing(&self, cursor: &Cursor, what: &str, count: usize, announced: &str) -> ImportError {
        cursor.error_at(self.tag.offset, format!("the array of {what} is missing, but {announced} announces {count}; the file is damaged"))
    }

    fn read_points(
        &self,
        count: usize,
        cursor: &mut Cursor<'a>,
        head: &mut Head,
        budget: &mut Budget,
        builder: &mut Builder,
    ) -> Result<(), ImportError> {
        let announced = "NumberOfPoints";
        let Some(array) = self.points else {
            return if count == 0 { Ok(()) } else { Err(self.missing(cursor, "points", count, announced)) };
        };
        let components = array.tag.count(cursor, "NumberOfComponents", 3)?;
        if components != 3 {
            return Err(cursor.error_at(array.tag.offset, format!("points of {components} coordinates are not read; 3 are needed")));
        }
        if count == 0 {
            return Ok(());
        }
        let mut numbers = array.numbers(cursor, head)?;
        let room = numbers.capacity(count.saturating_mul(3)) / 3;
        budget.charge(cursor, room, 24)?;
        builder.raw.positions.reserve_exact(room);
        for _ in 0..count {
            let mut point = Vec3::zeros();
            for coordinate in &mut point {
                *coordinate = numbers.next(announced)?.float();
                if !coordinate.is_finite() {
                    return Err(numbers.error(format!("a coordinate is {coordinate}; every coordinate must be a finite number")));
                }
            }
            builder.raw.positions.push(point);
        }
        numbers.finish(announced)
    }

    #[allow(clippy::too_many_arguments)]
    fn read_cells(
        &self,
        group: &Group,
        [connectivity, offsets, types]: &[Option<Array<'a>>; 3],
        (first, points): (usize, usize),
        cursor: &mut Cursor<'a>,
        head: &mut Head,
        budget: &mut Budget,
        cells: &mut Cells,
    ) -> Result<(), ImportError> {
        let count = self.tag.count(cursor, group.count, 0)?;
        let (Some(connectivity), Some(offsets)) = (connectivity, offsets) else {
            return Err(self.missing(cursor, "connectivity or offsets", count, group.count));
        };
        let Lists { ends, vertices } = &mut cells.points;
        let start = vertices.len();
        let mut numbers = offsets.numbers(cursor, head)?;
        let room = numbers.capacity(count);
        budget.charge(cursor, room, 5)?;
        ends.reserve_exact(room);
        let mut end = 0;
        for _ in 0..count {
            let offset = numbers.next(group.count)?.index().filter(|&offset| offset >= end && offset < u32::MAX as usize - start);
            end = offset.ok_or_else(|| numbers.error(format!("an offset is below the one before it, which is {end}")))?;
            ends.push((start + end) as u32);
        }
        numbers.finish(group.count)?;
        let mut numbers = connectivity.numbers(cursor, head)?;
        let room = numbers.capacity(end);
        budget.charge(cursor, room, 4)?;
        vertices.reserve_exact(room);
        for _ in 0..end {
            let number = numbers.next("the last offset")?;
            let point = number.index().filter(|&point| point < points).and_then(|point| u32::try_from(first + point).ok());
            let refused = || numbers.error(format!("{number:?} is none of the {points} points of this piece (from 0)"));
            vertices.push(point.ok_or_else(refused)?);
        }
        numbers.finish("the last offset")?;
        cells.types.reserve_exact(ends.len() - cells.types.len());
        if let Some(cell_type) = group.cell_type {
            cells.types.resize(ends.len(), cell_type);
            return Ok(());
        }
        let types = types.ok_or_else(|| self.missing(cursor, "types", count, group.count))?;
        let mut numbers = types.numbers(cursor, head)?;
        for _ in 0..count {
            let number = numbers.next(group.count)?.index();
            cells.types.push(number.and_then(|n| u8::try_from(n).ok()).unwrap_or(u8::MAX));
        }
        numbers.finish(group.count)
    }
}

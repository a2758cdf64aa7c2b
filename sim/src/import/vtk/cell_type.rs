//! The cell types of VTK: number in the file, and what becomes of such cells (VTK user's guide, "VTK file formats").

/// What becomes of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Becomes {
    Tet,
    /// A face with as many corners.
    Face(usize),
    /// A quadrangle whose last two corners are exchanged.
    Pixel,
    /// A face with as many corners as it has points.
    Polygon,
    /// A face with half as many corners as it has points.
    HalfPolygon,
    /// Triangles, each on the last side of the one before.
    Strip,
    Strand,
    /// Nothing: it is counted.
    Other,
}

/// A type of cell.
#[derive(Debug, Clone, Copy)]
pub struct CellType {
    pub number: u8,
    pub becomes: Becomes,
    /// Points a cell, 0 for any number; those behind the corners are left out.
    pub points: usize,
    /// Plural.
    pub name: &'static str,
}

use Becomes::{Face, HalfPolygon, Other, Pixel, Polygon, Strand, Strip, Tet};

const fn kind(number: u8, becomes: Becomes, points: usize, name: &'static str) -> CellType {
    CellType { number, becomes, points, name }
}

const TYPES: &[CellType] = &[
    kind(0, Other, 0, "empty cells"),
    kind(1, Other, 1, "vertices"),
    kind(2, Other, 0, "poly-vertices"),
    kind(3, Other, 2, "lines"),
    kind(4, Strand, 0, "poly-lines"),
    kind(5, Face(3), 3, "triangles"),
    kind(6, Strip, 0, "triangle strips"),
    kind(7, Polygon, 0, "polygons"),
    kind(8, Pixel, 4, "pixels"),
    kind(9, Face(4), 4, "quadrangles"),
    kind(10, Tet, 4, "tetrahedra"),
    kind(11, Other, 8, "voxels"),
    kind(12, Other, 8, "hexahedra"),
    kind(13, Other, 6, "wedges"),
    kind(14, Other, 5, "pyramids"),
    kind(15, Other, 10, "pentagonal prisms"),
    kind(16, Other, 12, "hexagonal prisms"),
    kind(21, Other, 3, "3-point lines"),
    kind(22, Face(3), 6, "6-point triangles"),
    kind(23, Face(4), 8, "8-point quadrangles"),
    kind(24, Tet, 10, "10-point tetrahedra"),
    kind(25, Other, 20, "20-point hexahedra"),
    kind(26, Other, 15, "15-point wedges"),
    kind(27, Other, 13, "13-point pyramids"),
    kind(28, Face(4), 9, "9-point quadrangles"),
    kind(29, Other, 27, "27-point hexahedra"),
    kind(30, Face(4), 6, "6-point quadrangles"),
    kind(31, Other, 12, "12-point wedges"),
    kind(32, Other, 18, "18-point wedges"),
    kind(33, Other, 24, "24-point hexahedra"),
    kind(34, Face(3), 7, "7-point triangles"),
    kind(35, Other, 4, "4-point lines"),
    kind(36, HalfPolygon, 0, "quadratic polygons"),
    kind(37, Other, 19, "19-point pyramids"),
    kind(41, Other, 0, "convex point sets"),
    kind(42, Other, 0, "polyhedra"),
    kind(68, Other, 0, "Lagrange curves"),
    kind(69, Face(3), 0, "Lagrange triangles"),
    kind(70, Face(4), 0, "Lagrange quadrangles"),
    kind(71, Tet, 0, "Lagrange tetrahedra"),
    kind(72, Other, 0, "Lagrange hexahedra"),
    kind(73, Other, 0, "Lagrange wedges"),
    kind(74, Other, 0, "Lagrange pyramids"),
    kind(75, Other, 0, "Bezier curves"),
    kind(76, Face(3), 0, "Bezier triangles"),
    kind(77, Face(4), 0, "Bezier quadrangles"),
    kind(78, Tet, 0, "Bezier tetrahedra"),
    kind(79, Other, 0, "Bezier hexahedra"),
    kind(80, Other, 0, "Bezier wedges"),
    kind(81, Other, 0, "Bezier pyramids"),
];

/// What becomes of cells of a type that is not listed: their points are counted in the file, so they can be passed over.
const UNKNOWN: CellType = kind(255, Other, 0, "cells of unknown type");

impl CellType {
    /// The type of a number.
    pub fn of(number: u8) -> &'static Self {
        TYPES.iter().find(|t| t.number == number).unwrap_or(&UNKNOWN)
    }

    /// Number of corners of a cell with as many points; `None` if it cannot have as many.
    pub fn corners(&self, points: usize) -> Option<usize> {
        let corners = match self.becomes {
            Tet | Pixel => 4,
            Face(corners) => corners,
            Polygon | Strip => points,
            HalfPolygon => points / 2,
            Strand | Other => 0,
        };
        (corners <= points && (self.points == 0 || self.points == points)).then_some(corners)
    }
}

/// The types that stand for the four lists of polygonal data, in the order of its cells.
pub const POLYDATA: [(&str, u8); 4] = [("VERTICES", 2), ("LINES", 4), ("POLYGONS", 7), ("TRIANGLE_STRIPS", 6)];

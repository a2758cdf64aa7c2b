//! The sections of MEDIT: number in binary files, name, and what is in them (Maréchal, "The LM7 mesh format").

use super::super::elements::{Kind, Shape};
use Shape::{Other, Quad, Tet, Triangle};

/// What a section holds.
pub enum Holds {
    Dimension,
    Vertices,
    /// Elements, each with a reference behind its nodes.
    Elements(Kind),
    /// Nothing: the file ends.
    End,
    /// Something that is not read.
    Unused,
}

const fn elements(shape: Shape, nodes: usize, name: &'static str) -> Holds {
    Holds::Elements(Kind { shape, nodes, name })
}

/// Of every order, the corners are the first nodes.
const KEYWORDS: &[(i32, &str, Holds)] = &[
    (3, "Dimension", Holds::Dimension),
    (4, "Vertices", Holds::Vertices),
    (5, "Edges", elements(Other, 2, "edges")),
    (6, "Triangles", elements(Triangle, 3, "triangles")),
    (7, "Quadrilaterals", elements(Quad, 4, "quadrilaterals")),
    (8, "Tetrahedra", elements(Tet, 4, "tetrahedra")),
    (9, "Prisms", elements(Other, 6, "prisms")),
    (10, "Hexahedra", elements(Other, 8, "hexahedra")),
    (13, "Corners", Holds::Unused),
    (14, "Ridges", Holds::Unused),
    (15, "RequiredVertices", Holds::Unused),
    (16, "RequiredEdges", Holds::Unused),
    (17, "RequiredTriangles", Holds::Unused),
    (18, "RequiredQuadrilaterals", Holds::Unused),
    (19, "TangentAtEdgeVertices", Holds::Unused),
    (20, "NormalAtVertices", Holds::Unused),
    (21, "NormalAtTriangleVertices", Holds::Unused),
    (22, "NormalAtQuadrilateralVertices", Holds::Unused),
    (23, "AngleOfCornerBound", Holds::Unused),
    (24, "TrianglesP2", elements(Triangle, 6, "6-node triangles")),
    (25, "EdgesP2", elements(Other, 3, "3-node edges")),
    (27, "QuadrilateralsQ2", elements(Quad, 9, "9-node quadrilaterals")),
    (30, "TetrahedraP2", elements(Tet, 10, "10-node tetrahedra")),
    (33, "HexahedraQ2", elements(Other, 27, "27-node hexahedra")),
    (49, "Pyramids", elements(Other, 5, "pyramids")),
    (50, "BoundingBox", Holds::Unused),
    (54, "End", Holds::End),
    (59, "Tangents", Holds::Unused),
    (60, "Normals", Holds::Unused),
    (61, "TangentAtVertices", Holds::Unused),
    (86, "PrismsP2", elements(Other, 18, "18-node prisms")),
    (87, "PyramidsP2", elements(Other, 14, "14-node pyramids")),
    (90, "TrianglesP3", elements(Triangle, 10, "10-node triangles")),
    (96, "TetrahedraP3", elements(Tet, 20, "20-node tetrahedra")),
];

/// Name and content of the section of a number.
pub fn by_number(number: i32) -> Option<(&'static str, &'static Holds)> {
    KEYWORDS.iter().find(|k| k.0 == number).map(|(_, name, holds)| (*name, holds))
}

/// Name and content of the section of a name, in either case.
pub fn by_name(name: &[u8]) -> Option<(&'static str, &'static Holds)> {
    KEYWORDS.iter().find(|k| name.eq_ignore_ascii_case(k.1.as_bytes())).map(|(_, name, holds)| (*name, holds))
}

//! The element types of Gmsh: number in the file, nodes, name (Gmsh reference manual, "MSH file format").

use super::super::elements::{Kind, Shape};

const fn kind(number: i64, shape: Shape, nodes: usize, name: &'static str) -> (i64, Kind) {
    (number, Kind { shape, nodes, name })
}

use Shape::{Other, Quad, Tet, Triangle};

/// By number. Of every order, the corners are the first nodes.
const TYPES: &[(i64, Kind)] = &[
    kind(1, Other, 2, "lines"),
    kind(2, Triangle, 3, "triangles"),
    kind(3, Quad, 4, "quadrangles"),
    kind(4, Tet, 4, "tetrahedra"),
    kind(5, Other, 8, "hexahedra"),
    kind(6, Other, 6, "prisms"),
    kind(7, Other, 5, "pyramids"),
    kind(8, Other, 3, "3-node lines"),
    kind(9, Triangle, 6, "6-node triangles"),
    kind(10, Quad, 9, "9-node quadrangles"),
    kind(11, Tet, 10, "10-node tetrahedra"),
    kind(12, Other, 27, "27-node hexahedra"),
    kind(13, Other, 18, "18-node prisms"),
    kind(14, Other, 14, "14-node pyramids"),
    kind(15, Other, 1, "points"),
    kind(16, Quad, 8, "8-node quadrangles"),
    kind(17, Other, 20, "20-node hexahedra"),
    kind(18, Other, 15, "15-node prisms"),
    kind(19, Other, 13, "13-node pyramids"),
    kind(20, Triangle, 9, "9-node triangles"),
    kind(21, Triangle, 10, "10-node triangles"),
    kind(22, Triangle, 12, "12-node triangles"),
    kind(23, Triangle, 15, "15-node triangles"),
    kind(24, Triangle, 15, "15-node incomplete triangles"),
    kind(25, Triangle, 21, "21-node triangles"),
    kind(26, Other, 4, "4-node lines"),
    kind(27, Other, 5, "5-node lines"),
    kind(28, Other, 6, "6-node lines"),
    kind(29, Tet, 20, "20-node tetrahedra"),
    kind(30, Tet, 35, "35-node tetrahedra"),
    kind(31, Tet, 56, "56-node tetrahedra"),
    kind(36, Quad, 16, "16-node quadrangles"),
    kind(37, Quad, 25, "25-node quadrangles"),
    kind(92, Other, 64, "64-node hexahedra"),
    kind(93, Other, 125, "125-node hexahedra"),
];

/// The type of a number; `None` for one that is not listed, whose number of nodes is not known.
pub fn find(number: i64) -> Option<&'static Kind> {
    TYPES.iter().find(|(n, _)| *n == number).map(|(_, kind)| kind)
}

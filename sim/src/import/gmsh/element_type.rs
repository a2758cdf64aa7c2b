//! The element types of Gmsh: number in the file, nodes, name (Gmsh reference manual, "MSH file format").

/// Number of the 3-node triangle.
pub const TRIANGLE: i64 = 2;
/// Number of the 4-node tetrahedron.
pub const TET: i64 = 4;

/// A kind of element.
pub struct ElementType {
    pub number: i64,
    pub nodes: usize,
    pub name: &'static str,
}

const fn kind(number: i64, nodes: usize, name: &'static str) -> ElementType {
    ElementType { number, nodes, name }
}

const TYPES: &[ElementType] = &[
    kind(1, 2, "lines"),
    kind(TRIANGLE, 3, "triangles"),
    kind(3, 4, "quadrangles"),
    kind(TET, 4, "tetrahedra"),
    kind(5, 8, "hexahedra"),
    kind(6, 6, "prisms"),
    kind(7, 5, "pyramids"),
    kind(8, 3, "3-node lines"),
    kind(9, 6, "6-node triangles"),
    kind(10, 9, "9-node quadrangles"),
    kind(11, 10, "10-node tetrahedra"),
    kind(12, 27, "27-node hexahedra"),
    kind(13, 18, "18-node prisms"),
    kind(14, 14, "14-node pyramids"),
    kind(15, 1, "points"),
    kind(16, 8, "8-node quadrangles"),
    kind(17, 20, "20-node hexahedra"),
    kind(18, 15, "15-node prisms"),
    kind(19, 13, "13-node pyramids"),
    kind(20, 9, "9-node triangles"),
    kind(21, 10, "10-node triangles"),
    kind(26, 4, "4-node lines"),
    kind(29, 20, "20-node tetrahedra"),
    kind(30, 35, "35-node tetrahedra"),
];

/// The type of a number; `None` for one that is not listed, whose number of nodes is not known.
pub fn find(number: i64) -> Option<&'static ElementType> {
    TYPES.iter().find(|t| t.number == number)
}

//! Structured nets: a grid of vertices with its quadrilaterals, its rows and its columns, as a file that springs are made of.

use std::fmt::Write;

use crate::math::Vec3;

/// How many times as large as inside the force density of the border of a hanging net is: the more, the less the border is curved.
const BORDER: f64 = 5.0;
/// Weight of a vertex of a hanging net over the force density inside, of a side of one [m]: the more, the deeper it hangs.
const WEIGHT: f64 = 0.006;
/// Sweeps after which no vertex moves any more, times the cells along a side, and how far each goes beyond its solution.
const SWEEPS: f64 = 37.5;
const BEYOND: f64 = 1.8;

/// A grid of vertices.
#[derive(Debug, Clone, PartialEq)]
pub struct Net {
    /// Quadrilaterals along a row and along a column.
    pub cells: [usize; 2],
    /// Vertices [m], one row after the other.
    pub positions: Vec<Vec3>,
}

impl Net {
    /// A net with the vertex (i, j) at `place` of the shares i / cells[0] and j / cells[1]. 0 cells count as 1.
    pub fn new(cells: [usize; 2], place: impl Fn(f64, f64) -> Vec3) -> Self {
        let cells = cells.map(|n| n.max(1));
        let share = |k: usize, n: usize| k as f64 / n as f64;
        let row = |j: usize| (0..=cells[0]).map(move |i| (i, j));
        let positions = (0..=cells[1]).flat_map(row).map(|(i, j)| place(share(i, cells[0]), share(j, cells[1]))).collect();
        Self { cells, positions }
    }

    /// A flat square net around the origin with this side [m], along x and z.
    pub fn square(side: f64, cells: usize) -> Self {
        Self::new([cells; 2], |u, v| Vec3::new(side * (u - 0.5), 0.0, side * (v - 0.5)))
    }

    /// A square net with this side [m] that hangs by its four corners at a height of zero, with borders that curve inwards: the shape in
    /// which forces in proportion to the lengths (force densities, Schek 1974) balance equal weights of its vertices, found by successive
    /// over-relaxation. All springs pull in it, and without diagonals nearly every other shape has no balance.
    pub fn hanging(side: f64, cells: usize) -> Self {
        let mut net = Self::square(side, cells);
        let cells = net.cells[0];
        let at = |k: usize| k == 0 || k == cells;
        for _ in 0..(SWEEPS * cells as f64) as usize {
            for (i, j) in (0..=cells).flat_map(|j| (0..=cells).map(move |i| (i, j))) {
                if at(i) && at(j) {
                    continue;
                }
                let (mut sum, mut densities) = (-side * WEIGHT * Vec3::y(), 0.0);
                let along_i = [i.checked_sub(1), Some(i + 1)].into_iter().flatten().filter(|&i| i <= cells).map(|i| (i, j, at(j)));
                let along_j = [j.checked_sub(1), Some(j + 1)].into_iter().flatten().filter(|&j| j <= cells).map(|j| (i, j, at(i)));
                for (i, j, is_border) in along_i.chain(along_j) {
                    let density = if is_border { BORDER } else { 1.0 };
                    sum += density * net.positions[net.vertex(i, j)];
                    densities += density;
                }
                let vertex = net.vertex(i, j);
                let moved = sum / densities - net.positions[vertex];
                net.positions[vertex] += BEYOND * moved;
            }
        }
        net
    }

    /// Its four corners.
    pub fn corners(&self) -> [usize; 4] {
        let [columns, rows] = self.cells;
        [(0, 0), (columns, 0), (0, rows), (columns, rows)].map(|(i, j)| self.vertex(i, j))
    }

    /// The vertex in column `i` of row `j`.
    pub fn vertex(&self, i: usize, j: usize) -> usize {
        i + (self.cells[0] + 1) * j
    }

    /// The OBJ file: vertices in metres, quadrilaterals, and rows and columns as lines, along which springs can skip a vertex.
    pub fn to_obj(&self, name: &str) -> String {
        let mut obj = format!("# A net of {} x {} quadrilaterals, in metres, y up\no {name}\n", self.cells[0], self.cells[1]);
        // Writing into a string cannot fail.
        for p in &self.positions {
            let _ = writeln!(obj, "v {} {} {}", p.x, p.y, p.z);
        }
        let [columns, rows] = self.cells;
        let mut list = |kind: &str, vertices: &mut dyn Iterator<Item = usize>| {
            let numbers: String = vertices.map(|v| format!(" {}", v + 1)).collect();
            let _ = writeln!(obj, "{kind}{numbers}");
        };
        for (i, j) in (0..rows).flat_map(|j| (0..columns).map(move |i| (i, j))) {
            list("f", &mut [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)].into_iter().map(|(i, j)| self.vertex(i, j)));
        }
        (0..=rows).for_each(|j| list("l", &mut (0..=columns).map(|i| self.vertex(i, j))));
        (0..=columns).for_each(|i| list("l", &mut (0..=rows).map(|j| self.vertex(i, j))));
        obj
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_net_as_a_file() {
        let net = Net::square(2.0, 2);
        assert_eq!(net.positions[net.vertex(2, 1)], Vec3::new(1.0, 0.0, 0.0));
        let obj = net.to_obj("net");
        let lines: Vec<&str> = obj.lines().skip(2).collect();
        assert_eq!((lines.len(), lines[0], lines[8]), (9 + 4 + 6, "v -1 0 -1", "v 1 0 1"));
        assert_eq!((lines[9], lines[13], lines[16]), ("f 1 4 5 2", "l 1 2 3", "l 1 4 7"));
    }
}

//! Named arrays on a grid of tets, as the formats that hold such data write them.

use super::ExportMesh;
pub use crate::files::Values;
use crate::math::Vec3;

/// What an array belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The grid: any number of tuples.
    Field,
    /// The points: one tuple each.
    Point,
    /// The tets, then the lines: one tuple each.
    Cell,
}

/// A named array of tuples.
#[derive(Debug, Clone, PartialEq)]
pub struct DataArray {
    /// What it belongs to.
    pub place: Place,
    /// Name, free of `"<>&`.
    pub name: String,
    /// Numbers a tuple.
    pub components: usize,
    /// The numbers, tuple by tuple.
    pub values: Values,
}

/// A grid of tets, then lines, with named data.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Grid {
    /// Positions [m].
    pub points: Vec<Vec3>,
    /// Four points a tet.
    pub tets: Vec<[u32; 4]>,
    /// Two points a line.
    pub lines: Vec<[u32; 2]>,
    /// Data.
    pub arrays: Vec<DataArray>,
}

impl Grid {
    /// The tets of all bodies one after the other, then the lines of those that are made of lines, with their data: arrays that each
    /// body has. Cell data `tag` is what the bodies' files said; `body`, where there are several, counts the bodies from 0.
    pub fn of(meshes: &[ExportMesh]) -> Self {
        let mut grid = Self::default();
        let (mut tags, mut bodies) = (Vec::new(), Vec::new());
        let mut ordered: Vec<(i32, &ExportMesh)> = (0..).zip(meshes).collect();
        ordered.sort_by_key(|(_, mesh)| !mesh.lines.is_empty());
        for (body, mesh) in &ordered {
            let first = grid.points.len() as u32;
            grid.points.extend_from_slice(&mesh.positions);
            grid.tets.extend(mesh.tets.iter().map(|tet| tet.map(|v| v + first)));
            grid.lines.extend(mesh.lines.iter().map(|line| line.map(|v| v + first)));
            tags.extend((0..mesh.tets.len() + mesh.lines.len()).map(|t| mesh.tags.get(t).copied().unwrap_or(0)));
            bodies.resize(grid.cells(), *body);
        }
        let cells = |name: &str, values| DataArray { place: Place::Cell, name: name.into(), components: 1, values: Values::I32(values) };
        grid.arrays.push(cells("tag", tags));
        if meshes.len() > 1 {
            grid.arrays.push(cells("body", bodies));
        }
        if let Some(((_, first), rest)) = ordered.split_first() {
            grid.arrays.extend(first.data.iter().filter_map(|array| joined(array, rest)));
        }
        grid
    }
}

impl DataArray {
    /// Its name as programs take it that know no units and no blanks: `von Mises stress [Pa]` as `von_Mises_stress`.
    pub fn key(&self) -> String {
        let name = self.name.split_once(" [").map_or(self.name.as_str(), |(name, _)| name);
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
    }

    /// Tuples, then numbers a tuple where there are several; matrices have rows and columns.
    pub fn shape(&self) -> Vec<usize> {
        let tuples = self.values.len() / self.components.max(1);
        match self.components {
            1 => vec![tuples],
            9 => vec![tuples, 3, 3],
            components => vec![tuples, components],
        }
    }
}

impl Grid {
    /// Coordinates of all points.
    pub fn point_values(&self) -> Values {
        Values::F64(self.points.iter().flat_map(|p| [p.x, p.y, p.z]).collect())
    }

    /// The points of each line; lone points, whose ends are the same, have one.
    pub fn line_points(&self) -> impl Iterator<Item = &[u32]> {
        self.lines.iter().map(|line| if line[0] == line[1] { &line[..1] } else { &line[..] })
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.tets.len() + self.lines.len()
    }

    /// Corners of all tets.
    pub fn tet_values(&self) -> Values {
        Values::I32(self.tets.as_flattened().iter().map(|&v| v as i32).collect())
    }

    /// The arrays that have a tuple for each point: where all are lone points, those of the cells too.
    pub fn of_points(&self) -> impl Iterator<Item = &DataArray> {
        let is_cell = |(k, line): (u32, &[u32; 2])| *line == [k; 2];
        let are_cells = self.lines.len() == self.points.len() && self.tets.is_empty() && (0..).zip(&self.lines).all(is_cell);
        self.arrays.iter().filter(move |array| array.place == Place::Point || are_cells && array.place == Place::Cell)
    }

    /// Takes the points, or otherwise the tets, from such numbers.
    ///
    /// # Errors
    /// In words: another type, or corners below zero.
    pub fn set(&mut self, points: bool, values: Values) -> Result<(), String> {
        match values {
            Values::F64(x) if points => self.points = x.as_chunks().0.iter().map(|&p: &[f64; 3]| Vec3::from(p)).collect(),
            Values::I32(v) if !points => {
                let corner = |v: &i32| u32::try_from(*v).map_err(|_| format!("cell corner {v} is negative"));
                let corners: Vec<u32> = v.iter().map(corner).collect::<Result<_, _>>()?;
                self.tets = corners.as_chunks().0.to_vec();
            }
            _ => return Err("its points are not doubles or its cells are not integers".into()),
        }
        Ok(())
    }

    /// The tag of each tet; none where there are none.
    pub fn tags(&self) -> &[i32] {
        let tags = self.arrays.iter().find(|array| array.place == Place::Cell && array.name == "tag");
        match tags.map(|array| &array.values) {
            Some(Values::I32(tags)) => tags,
            _ => &[],
        }
    }
}

/// The array with what the other bodies have of the same name, place and type; none where one of them lacks it.
fn joined(array: &DataArray, others: &[(i32, &ExportMesh)]) -> Option<DataArray> {
    let mut whole = array.clone();
    for (_, mesh) in others {
        let same = |a: &&DataArray| a.place == array.place && a.name == array.name && a.components == array.components;
        match (&mut whole.values, &mesh.data.iter().find(same)?.values) {
            (Values::F64(whole), Values::F64(more)) => whole.extend(more),
            (Values::I32(whole), Values::I32(more)) => whole.extend(more),
            (Values::U8(whole), Values::U8(more)) => whole.extend(more),
            _ => return None,
        }
    }
    Some(whole)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::tests::two_bodies;
    use super::*;

    #[test]
    fn bodies_stand_one_after_the_other_with_the_data_that_all_have() {
        let mut meshes = two_bodies();
        let load = |n: usize| DataArray { place: Place::Point, name: "load".into(), components: 1, values: Values::F64(vec![n as f64; n]) };
        meshes[0].data = vec![DataArray { name: "only here".into(), ..load(4) }, load(4)];
        meshes[1].data = vec![load(5)];
        let grid = Grid::of(&meshes);
        assert_eq!(grid.points.len(), 9);
        assert_eq!(grid.tets, [[0, 1, 2, 3], [4, 5, 6, 7], [5, 6, 7, 8]]);
        let names: Vec<&str> = grid.arrays.iter().map(|a| a.name.as_str()).collect();
        assert_eq!(names, ["tag", "body", "load"]);
        assert_eq!(grid.arrays[0].values, Values::I32(vec![7, 0, -3]));
        assert_eq!(grid.arrays[1].values, Values::I32(vec![0, 1, 1]));
        assert_eq!(grid.arrays[2].values, Values::F64([vec![4.0; 4], vec![5.0; 5]].concat()));
    }
}

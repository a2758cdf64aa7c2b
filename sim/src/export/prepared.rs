//! [`PreparedAsset`]: everything that a balanced body needs to start again without solving, as a `.vtu` file that also
//! opens in ParaView.

use std::io;
use std::path::Path;

use super::vtu::{DataArray, Grid, Place, Values};
use super::write_atomically;
use crate::math::{Mat3, Vec3};

/// A system at rest: shape, rest states, materials, constraints and contact forces.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PreparedAsset {
    /// Positions of the nodes [m].
    pub positions: Vec<Vec3>,
    /// Lumped mass of each node [kg].
    pub masses: Vec<f64>,
    /// Nodes held in place.
    pub fixed: Vec<bool>,
    /// Load on each node at time zero [N].
    pub loads: Vec<Vec3>,
    /// Shapes of the obstacles as JSON, as scene files have them.
    pub obstacles: String,
    /// Four nodes a tet.
    pub tets: Vec<[u32; 4]>,
    /// Inverse of the matrix of rest edges of each tet [1/m].
    pub inverse_rest_edges: Vec<Mat3>,
    /// Rest volume of each tet [m^3].
    pub rest_volumes: Vec<f64>,
    /// Factor on the stiffness of each tet.
    pub stiffening: Vec<f64>,
    /// Law of each tet, as a number of the registry of materials.
    pub laws: Vec<i32>,
    /// Young's modulus of each tet [Pa].
    pub young: Vec<f64>,
    /// Poisson's ratio of each tet.
    pub poisson: Vec<f64>,
    /// Density of each tet [kg/m^3].
    pub density: Vec<f64>,
    /// Contacts with obstacles that are signed distances, with the force that each carries.
    pub contacts: Vec<PreparedContact>,
    /// Contacts between surfaces, with the force that each carries.
    pub pairs: Vec<PreparedPair>,
}

/// A contact and the force that it carries at rest.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PreparedContact {
    /// The node.
    pub node: u32,
    /// The obstacle, as a number of the scene.
    pub obstacle: u32,
    /// Outward normal of the obstacle.
    pub normal: Vec3,
    /// Normal force [N].
    pub normal_force: f64,
    /// Friction force on the node [N].
    pub friction_force: Vec3,
    /// Distance [m].
    pub distance: f64,
    /// Friction coefficient.
    pub friction: f64,
}

/// A contact between two primitives of surfaces and the force that it carries at rest.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PreparedPair {
    /// Whether it is of an edge across an edge, and not of a vertex on a triangle.
    pub crossing: bool,
    /// Nodes of the first primitive, then of the second.
    pub nodes: [u32; 4],
    /// Unit normal towards the first primitive.
    pub normal: Vec3,
    /// Normal force [N].
    pub normal_force: f64,
    /// Friction force on the first primitive [N].
    pub friction_force: Vec3,
    /// Distance [m].
    pub distance: f64,
    /// Friction coefficient.
    pub friction: f64,
}

impl PreparedAsset {
    /// Writes a `.vtu` file, whole or not at all.
    ///
    /// # Errors
    /// Those of the file system; the lengths of the lists must fit the numbers of nodes and tets.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let (n, t) = (self.positions.len(), self.tets.len());
        let node_lists = [self.masses.len(), self.fixed.len(), self.loads.len()];
        let tet_lists = [
            self.inverse_rest_edges.len(),
            self.rest_volumes.len(),
            self.stiffening.len(),
            self.laws.len(),
            self.young.len(),
            self.poisson.len(),
            self.density.len(),
        ];
        if node_lists.iter().any(|&l| l != n) || tet_lists.iter().any(|&l| l != t) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the lists of the asset do not have one entry a node or tet"));
        }
        write_atomically(path, &self.to_grid().to_vtu())
    }

    /// Reads a file that [`PreparedAsset::write`] wrote, equal to the bit.
    ///
    /// # Errors
    /// Those of the file system, and `InvalidData` with the reason in words for a file that is damaged or from elsewhere.
    pub fn read(path: &Path) -> io::Result<Self> {
        let bytes = std::fs::read(path)?;
        Grid::from_vtu(&bytes).and_then(Self::from_grid).map_err(|why| {
            let message = format!("{}: no prepared asset: {why}", path.display());
            io::Error::new(io::ErrorKind::InvalidData, message)
        })
    }

    fn to_grid(&self) -> Grid {
        let vectors = |v: &mut dyn Iterator<Item = Vec3>| Values::F64(v.flat_map(|p| [p.x, p.y, p.z]).collect());
        let (contacts, pairs) = (|| self.contacts.iter(), || self.pairs.iter());
        let rows = |m: &Mat3| m.transpose().as_slice().to_vec();
        let entry = |place, name: &str, components, values| DataArray { place, name: name.into(), components, values };
        use Place::{Cell, Field, Point};
        let arrays = vec![
            entry(Point, "mass", 1, Values::F64(self.masses.clone())),
            entry(Point, "fixed", 1, Values::U8(self.fixed.iter().map(|&f| f.into()).collect())),
            entry(Point, "load", 3, vectors(&mut self.loads.iter().copied())),
            entry(Field, "obstacles", 1, Values::U8(self.obstacles.bytes().collect())),
            entry(Cell, "inverse_rest_edges", 9, Values::F64(self.inverse_rest_edges.iter().flat_map(rows).collect())),
            entry(Cell, "rest_volume", 1, Values::F64(self.rest_volumes.clone())),
            entry(Cell, "stiffening", 1, Values::F64(self.stiffening.clone())),
            entry(Cell, "law", 1, Values::I32(self.laws.clone())),
            entry(Cell, "young", 1, Values::F64(self.young.clone())),
            entry(Cell, "poisson", 1, Values::F64(self.poisson.clone())),
            entry(Cell, "density", 1, Values::F64(self.density.clone())),
            entry(Field, "contact_node", 1, Values::I32(contacts().map(|c| c.node as i32).collect())),
            entry(Field, "contact_obstacle", 1, Values::I32(contacts().map(|c| c.obstacle as i32).collect())),
            entry(Field, "contact_normal", 3, vectors(&mut contacts().map(|c| c.normal))),
            entry(Field, "contact_normal_force", 1, Values::F64(contacts().map(|c| c.normal_force).collect())),
            entry(Field, "contact_friction_force", 3, vectors(&mut contacts().map(|c| c.friction_force))),
            entry(Field, "contact_distance", 1, Values::F64(contacts().map(|c| c.distance).collect())),
            entry(Field, "contact_friction", 1, Values::F64(contacts().map(|c| c.friction).collect())),
            entry(Field, "pair_crossing", 1, Values::U8(pairs().map(|p| p.crossing.into()).collect())),
            entry(Field, "pair_nodes", 4, Values::I32(pairs().flat_map(|p| p.nodes.map(|node| node as i32)).collect())),
            entry(Field, "pair_normal", 3, vectors(&mut pairs().map(|p| p.normal))),
            entry(Field, "pair_normal_force", 1, Values::F64(pairs().map(|p| p.normal_force).collect())),
            entry(Field, "pair_friction_force", 3, vectors(&mut pairs().map(|p| p.friction_force))),
            entry(Field, "pair_distance", 1, Values::F64(pairs().map(|p| p.distance).collect())),
            entry(Field, "pair_friction", 1, Values::F64(pairs().map(|p| p.friction).collect())),
        ];
        Grid { points: self.positions.clone(), tets: self.tets.clone(), arrays }
    }

    fn from_grid(grid: Grid) -> Result<Self, String> {
        let find = |place, name: &str, components| {
            let array = grid.arrays.iter().find(|a| a.place == place && a.name == name && a.components == components);
            array.map(|a| &a.values).ok_or(format!("array {name} is missing; where another version wrote the file, initialise again"))
        };
        let doubles = |place, name: &str, components| match find(place, name, components)? {
            Values::F64(v) => Ok(v.clone()),
            _ => Err(format!("array {name} is not of doubles")),
        };
        let integers = |place, name: &str, components| match find(place, name, components)? {
            Values::I32(v) => Ok(v.clone()),
            _ => Err(format!("array {name} is not of integers")),
        };
        let bytes = |place, name: &str| match find(place, name, 1)? {
            Values::U8(v) => Ok(v.clone()),
            _ => Err(format!("array {name} is not of bytes")),
        };
        let vectors =
            |place, name: &str| doubles(place, name, 3).map(|v| v.as_chunks().0.iter().map(|&p: &[f64; 3]| Vec3::from(p)).collect());
        let nodes = integers(Place::Field, "contact_node", 1)?;
        let obstacles = integers(Place::Field, "contact_obstacle", 1)?;
        let (normals, frictions): (Vec<Vec3>, Vec<Vec3>) =
            (vectors(Place::Field, "contact_normal")?, vectors(Place::Field, "contact_friction_force")?);
        let forces = doubles(Place::Field, "contact_normal_force", 1)?;
        let distances = doubles(Place::Field, "contact_distance", 1)?;
        let coefficients = doubles(Place::Field, "contact_friction", 1)?;
        if [obstacles.len(), normals.len(), frictions.len(), forces.len(), distances.len(), coefficients.len()]
            .iter()
            .any(|&l| l != nodes.len())
        {
            return Err("its lists of contacts differ in length".into());
        }
        let count = grid.points.len();
        let outside = |v: u32| v as usize >= count;
        if grid.tets.as_flattened().iter().any(|&v| outside(v))
            || nodes.iter().any(|&v| outside(v as u32))
            || obstacles.iter().any(|&o| o < 0)
        {
            return Err("a tet or contact refers to a node or obstacle that does not exist".into());
        }
        let contact = |c: usize| PreparedContact {
            node: nodes[c] as u32,
            obstacle: obstacles[c] as u32,
            normal: normals[c],
            normal_force: forces[c],
            friction_force: frictions[c],
            distance: distances[c],
            friction: coefficients[c],
        };
        let stiffening = doubles(Place::Cell, "stiffening", 1)?;
        if stiffening.iter().any(|factor| *factor <= 0.0) {
            return Err("a factor on the stiffness is not positive".into());
        }
        let crossing = bytes(Place::Field, "pair_crossing")?;
        let ends = integers(Place::Field, "pair_nodes", 4)?;
        let (normals, frictions): (Vec<Vec3>, Vec<Vec3>) =
            (vectors(Place::Field, "pair_normal")?, vectors(Place::Field, "pair_friction_force")?);
        let forces = doubles(Place::Field, "pair_normal_force", 1)?;
        let distances = doubles(Place::Field, "pair_distance", 1)?;
        let coefficients = doubles(Place::Field, "pair_friction", 1)?;
        let ends = ends.as_chunks::<4>().0;
        if [ends.len(), normals.len(), frictions.len(), forces.len(), distances.len(), coefficients.len()]
            .iter()
            .any(|&l| l != crossing.len())
        {
            return Err("its lists of pairs differ in length".into());
        }
        if ends.as_flattened().iter().any(|&v| outside(v as u32)) {
            return Err("a pair refers to a node that does not exist".into());
        }
        let pair = |p: usize| PreparedPair {
            crossing: crossing[p] != 0,
            nodes: ends[p].map(|node| node as u32),
            normal: normals[p],
            normal_force: forces[p],
            friction_force: frictions[p],
            distance: distances[p],
            friction: coefficients[p],
        };
        let pairs = (0..crossing.len()).map(pair).collect();
        let asset = Self {
            masses: doubles(Place::Point, "mass", 1)?,
            fixed: bytes(Place::Point, "fixed")?.iter().map(|&f| f != 0).collect(),
            loads: vectors(Place::Point, "load")?,
            obstacles: String::from_utf8(bytes(Place::Field, "obstacles")?).map_err(|_| "its obstacles are not text")?,
            inverse_rest_edges: doubles(Place::Cell, "inverse_rest_edges", 9)?.chunks_exact(9).map(Mat3::from_row_slice).collect(),
            rest_volumes: doubles(Place::Cell, "rest_volume", 1)?,
            stiffening,
            laws: integers(Place::Cell, "law", 1)?,
            young: doubles(Place::Cell, "young", 1)?,
            poisson: doubles(Place::Cell, "poisson", 1)?,
            density: doubles(Place::Cell, "density", 1)?,
            contacts: (0..nodes.len()).map(contact).collect(),
            pairs,
            positions: grid.points,
            tets: grid.tets,
        };
        asset.check_finite()?;
        Ok(asset)
    }

    /// Refuses NaN and infinity: they would spread through a simulation.
    fn check_finite(&self) -> Result<(), String> {
        let contacts = self
            .contacts
            .iter()
            .flat_map(|c| c.normal.iter().chain(c.friction_force.iter()).chain([&c.normal_force, &c.distance, &c.friction]));
        let pairs = self
            .pairs
            .iter()
            .flat_map(|p| p.normal.iter().chain(p.friction_force.iter()).chain([&p.normal_force, &p.distance, &p.friction]));
        let scalars = [&self.masses, &self.rest_volumes, &self.stiffening, &self.young, &self.poisson, &self.density].into_iter().flatten();
        let matrices = self.inverse_rest_edges.iter().flat_map(|m| m.iter());
        let vectors = self.positions.iter().chain(&self.loads).flat_map(|p| p.iter());
        let all = vectors.chain(matrices).chain(scalars).chain(contacts).chain(pairs);
        if { all }.all(|x| x.is_finite()) { Ok(()) } else { Err("it holds a number that is not finite".into()) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn asset() -> PreparedAsset {
        let third = 1.0 / 3.0;
        PreparedAsset {
            positions: vec![Vec3::zeros(), Vec3::x() * third, Vec3::y(), Vec3::new(-0.0, 5e-324, 0.1)],
            masses: vec![third, 0.1, 1e-300, 7.0],
            fixed: vec![true, false, false, true],
            loads: vec![Vec3::y() * -third; 4],
            obstacles: "[]".into(),
            tets: vec![[0, 1, 2, 3]],
            inverse_rest_edges: vec![Mat3::new(1.0, 2.0, third, 4.0, 5.0, 6.0, 7.0, 8.0, 9.1)],
            rest_volumes: vec![third],
            stiffening: vec![1.5],
            laws: vec![4],
            young: vec![1e5],
            poisson: vec![0.45],
            density: vec![1000.0],
            contacts: vec![PreparedContact {
                node: 2,
                obstacle: 1,
                normal: Vec3::y(),
                normal_force: third,
                friction_force: Vec3::x() * 0.1,
                distance: 1e-4,
                friction: 0.3,
            }],
            pairs: vec![
                PreparedPair {
                    crossing: true,
                    nodes: [0, 3, 1, 2],
                    normal: Vec3::z(),
                    normal_force: 0.7,
                    friction_force: Vec3::y() * third,
                    distance: 3e-5,
                    friction: 0.1,
                },
                PreparedPair { nodes: [3, 0, 1, 2], normal: Vec3::x(), ..PreparedPair::default() },
            ],
        }
    }

    #[test]
    fn comes_back_to_the_bit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("asset.vtu");
        for asset in [asset(), PreparedAsset { contacts: vec![], pairs: vec![], obstacles: String::new(), ..asset() }] {
            asset.write(&path).unwrap();
            let again = PreparedAsset::read(&path).unwrap();
            assert_eq!(again, asset);
            assert!(again.positions[3].x.is_sign_negative());
        }
    }

    /// A file of a version with fewer arrays is told from a damaged one.
    #[test]
    fn what_is_missing_is_named() {
        for (k, array) in asset().to_grid().arrays.iter().enumerate() {
            let mut grid = asset().to_grid();
            grid.arrays.remove(k);
            let problem = Grid::from_vtu(&grid.to_vtu()).and_then(PreparedAsset::from_grid).unwrap_err();
            assert!(problem.contains(&format!("array {} is missing", array.name)), "{problem}");
        }
        let soft = PreparedAsset { stiffening: vec![0.0], ..asset() };
        assert!(PreparedAsset::from_grid(soft.to_grid()).unwrap_err().contains("not positive"));
    }

    #[test]
    fn damaged_files_are_errors() {
        let bytes = asset().to_grid().to_vtu();
        let read = |bytes: &[u8]| Grid::from_vtu(bytes).and_then(PreparedAsset::from_grid);
        // The numbers end before the closing tags.
        for length in 0..bytes.len() - 29 {
            assert!(read(&bytes[..length]).is_err(), "{length}");
        }
        for place in 0..bytes.len() {
            for byte in [0, b'9', b'"', 0xff] {
                let mut damaged = bytes.clone();
                damaged[place] = byte;
                if let Ok(asset) = read(&damaged) {
                    let nodes = || asset.tets.iter().chain(asset.pairs.iter().map(|pair| &pair.nodes)).flatten();
                    assert!(nodes().all(|&v| (v as usize) < asset.positions.len()));
                }
            }
        }
    }

    #[test]
    fn lists_of_wrong_length_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("asset.vtu");
        assert!(PreparedAsset { masses: vec![1.0], ..asset() }.write(&path).is_err());
        assert!(!path.exists());
    }
}

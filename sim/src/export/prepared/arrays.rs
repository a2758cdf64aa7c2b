//! A prepared asset as named arrays, and back.

use super::{PreparedAsset, PreparedContact, PreparedFamily, PreparedPair, PreparedSkin};
use crate::export::{DataArray, Grid, Place, Values};
use crate::math::{Mat3, Vec3};

use Place::{Cell, Field, Point};

impl PreparedAsset {
    /// The asset as a grid of tets with named arrays.
    pub fn to_grid(&self) -> Grid {
        let vectors = |v: &mut dyn Iterator<Item = Vec3>| Values::F64(v.flat_map(|p| [p.x, p.y, p.z]).collect());
        let numbers = |v: &mut dyn Iterator<Item = u32>| Values::I32(v.map(|n| n as i32).collect());
        let (contacts, pairs, skin) = (|| self.contacts.iter(), || self.pairs.iter(), &self.skin);
        let rows = |m: &Mat3| m.transpose().as_slice().to_vec();
        let text = |text: &str| Values::U8(text.bytes().collect());
        let names = |names: &[String]| text(&serde_json::Value::from(names).to_string());
        let entry = |place, name: &str, components, values| DataArray { place, name: name.into(), components, values };
        let mut arrays = vec![
            entry(Point, "mass", 1, Values::F64(self.masses.clone())),
            entry(Point, "fixed", 1, Values::U8(self.fixed.iter().map(|&f| f.into()).collect())),
            entry(Point, "load", 3, vectors(&mut self.loads.iter().copied())),
            entry(Field, "slide_node", 1, numbers(&mut self.slides.iter().map(|slide| slide.0))),
            entry(Field, "slide_projector", 9, Values::F64(self.slides.iter().flat_map(|slide| rows(&slide.1)).collect())),
            entry(Field, "obstacles", 1, text(&self.obstacles)),
            entry(Field, "scene", 1, text(&self.scene)),
            entry(Cell, "body", 1, Values::I32(self.bodies.clone())),
            entry(Field, "body_names", 1, names(&self.body_names)),
            entry(Cell, "inverse_rest_edges", 9, Values::F64(self.inverse_rest_edges.iter().flat_map(rows).collect())),
            entry(Cell, DISPLACEMENT_GRADIENT, 9, Values::F64(self.displacement_gradients.iter().flat_map(rows).collect())),
            entry(Cell, "rest_volume", 1, Values::F64(self.rest_volumes.clone())),
            entry(Cell, "stiffening", 1, Values::F64(self.stiffening.clone())),
            entry(Cell, "law", 1, Values::I32(self.laws.clone())),
            entry(Field, "law_names", 1, names(&self.law_names)),
            entry(Cell, "young", 1, Values::F64(self.young.clone())),
            entry(Cell, "poisson", 1, Values::F64(self.poisson.clone())),
            entry(Cell, "density", 1, Values::F64(self.density.clone())),
            entry(Cell, "damping", 1, Values::F64(self.damping.clone())),
            entry(Field, "contact_node", 1, numbers(&mut contacts().map(|c| c.node))),
            entry(Field, "contact_obstacle", 1, numbers(&mut contacts().map(|c| c.obstacle))),
            entry(Field, "contact_normal", 3, vectors(&mut contacts().map(|c| c.normal))),
            entry(Field, "contact_normal_force", 1, Values::F64(contacts().map(|c| c.normal_force).collect())),
            entry(Field, "contact_friction_force", 3, vectors(&mut contacts().map(|c| c.friction_force))),
            entry(Field, "contact_distance", 1, Values::F64(contacts().map(|c| c.distance).collect())),
            entry(Field, "contact_friction", 1, Values::F64(contacts().map(|c| c.friction).collect())),
            entry(Field, "pair_crossing", 1, Values::U8(pairs().map(|p| p.crossing.into()).collect())),
            entry(Field, "pair_nodes", 4, numbers(&mut pairs().flat_map(|p| p.nodes))),
            entry(Field, "pair_weights", 4, Values::F64(pairs().flat_map(|p| p.weights).collect())),
            entry(Field, "pair_normal", 3, vectors(&mut pairs().map(|p| p.normal))),
            entry(Field, "pair_normal_force", 1, Values::F64(pairs().map(|p| p.normal_force).collect())),
            entry(Field, "pair_friction_force", 3, vectors(&mut pairs().map(|p| p.friction_force))),
            entry(Field, "pair_distance", 1, Values::F64(pairs().map(|p| p.distance).collect())),
            entry(Field, "pair_friction", 1, Values::F64(pairs().map(|p| p.friction).collect())),
            entry(Point, "pair_force", 3, vectors(&mut self.pair_forces.iter().copied())),
            entry(Field, "skin_positions", 3, vectors(&mut skin.positions.iter().copied())),
            entry(Field, "skin_triangles", 3, numbers(&mut skin.triangles.iter().copied().flatten())),
            entry(Field, "skin_tet", 1, numbers(&mut skin.tets.iter().copied())),
            entry(Field, "skin_weights", 4, Values::F64(skin.weights.as_flattened().to_vec())),
        ];
        // Only where there are any, so that files without them are as they always were.
        if !self.mass_pairs.is_empty() {
            arrays.push(entry(Field, MASS_PAIRS, 2, numbers(&mut self.mass_pairs.iter().copied().flatten())));
            arrays.push(entry(Field, MASS_COUPLINGS, 1, Values::F64(self.mass_couplings.clone())));
        }
        if !self.families.is_empty() {
            arrays.push(entry(Field, FAMILIES, 1, names(&self.families.iter().map(|family| family.name.clone()).collect::<Vec<_>>())));
        }
        for PreparedFamily { name, width, nodes, rest } in &self.families {
            let elements = (nodes.len() / (*width).max(1)).max(1);
            arrays.push(entry(Field, &format!("{name}_nodes"), *width, numbers(&mut nodes.iter().copied())));
            arrays.push(entry(Field, &format!("{name}_rest"), (rest.len() / elements).max(1), Values::F64(rest.clone())));
        }
        Grid { points: self.positions.clone(), tets: self.tets.clone(), lines: Vec::new(), arrays }
    }

    /// The asset of which `grid` is the arrays.
    ///
    /// # Errors
    /// In words: what is missing, of another type, refers to nothing, or is not finite.
    pub fn from_grid(grid: Grid) -> Result<Self, String> {
        let reader = Reader(&grid);
        let (nodes, tets) = (grid.points.len(), grid.tets.len());
        check_below(grid.tets.as_flattened(), nodes, "a tet refers to a node")?;
        let inverse_rest_edges = reader.matrices("inverse_rest_edges", tets)?;
        let mass_pairs = reader.mass_pairs(nodes)?;
        let asset = Self {
            masses: reader.doubles("mass", nodes)?,
            mass_couplings: reader.doubles_of_pairs(mass_pairs.len())?,
            mass_pairs,
            fixed: reader.bytes("fixed", nodes)?.iter().map(|&f| f != 0).collect(),
            loads: reader.vectors("load", nodes)?,
            slides: reader.slides(nodes)?,
            obstacles: reader.text("obstacles")?,
            scene: if reader.find("scene").is_ok() { reader.text("scene")? } else { String::new() },
            bodies: reader.integers("body", tets)?,
            body_names: reader.names("body_names")?,
            displacement_gradients: match reader.find(DISPLACEMENT_GRADIENT) {
                Ok(_) => reader.matrices(DISPLACEMENT_GRADIENT, tets)?,
                Err(_) => {
                    grid.tets.iter().zip(&inverse_rest_edges).map(|(tet, inverse)| rounded_gradient(&grid.points, tet, inverse)).collect()
                }
            },
            inverse_rest_edges,
            rest_volumes: reader.doubles("rest_volume", tets)?,
            stiffening: reader.doubles("stiffening", tets)?,
            laws: reader.integers("law", tets)?,
            law_names: reader.names("law_names")?,
            young: reader.doubles("young", tets)?,
            poisson: reader.doubles("poisson", tets)?,
            density: reader.doubles("density", tets)?,
            damping: reader.doubles("damping", tets)?,
            families: reader.families(nodes)?,
            contacts: reader.contacts(nodes)?,
            pairs: reader.pairs(nodes)?,
            pair_forces: if reader.find("pair_force").is_ok() { reader.vectors("pair_force", nodes)? } else { Vec::new() },
            skin: reader.skin(tets)?,
            positions: grid.points,
            tets: grid.tets,
        };
        if asset.stiffening.iter().any(|factor| *factor <= 0.0) {
            return Err("a factor on the stiffness is not positive".into());
        }
        check_finite(&asset.positions.iter().flat_map(|p| [p.x, p.y, p.z]).collect::<Vec<_>>(), "positions")?;
        Ok(asset)
    }
}

/// Names of the arrays of what couples nodes in the mass matrix.
const MASS_PAIRS: &str = "mass_pairs";
const MASS_COUPLINGS: &str = "mass_couplings";

/// Names of the families of elements that are no tets.
const FAMILIES: &str = "families";

/// Name of the array that assets of older versions lack.
pub(super) const DISPLACEMENT_GRADIENT: &str = "displacement_gradient";

/// F - I as the difference of F and I, with the round-off of F.
fn rounded_gradient(points: &[Vec3], tet: &[u32; 4], inverse_rest_edges: &Mat3) -> Mat3 {
    let [a, b, c, d] = tet.map(|n| points[n as usize]);
    Mat3::from_columns(&[b - a, c - a, d - a]) * inverse_rest_edges - Mat3::identity()
}

/// The arrays of a grid by name.
struct Reader<'a>(&'a Grid);

impl Reader<'_> {
    fn find(&self, name: &str) -> Result<&Values, String> {
        let array = self.0.arrays.iter().find(|array| array.name == name);
        let values = array.map(|array| &array.values);
        values.ok_or_else(|| format!("array {name} is missing; where another version wrote the file, initialise again"))
    }

    /// Checks the length of an array of `count` tuples of `components`.
    fn tuples<T>(&self, name: &str, values: &[T], components: usize, count: usize) -> Result<(), String> {
        let expected = components * count;
        if values.len() == expected { Ok(()) } else { Err(format!("array {name} has {} numbers in place of {expected}", values.len())) }
    }

    fn numbers(&self, name: &str, components: usize, count: usize) -> Result<&[f64], String> {
        let Values::F64(values) = self.find(name)? else { return Err(format!("array {name} is not of doubles")) };
        self.tuples(name, values, components, count)?;
        check_finite(values, name)?;
        Ok(values)
    }

    fn doubles(&self, name: &str, count: usize) -> Result<Vec<f64>, String> {
        self.numbers(name, 1, count).map(<[f64]>::to_vec)
    }

    fn vectors(&self, name: &str, count: usize) -> Result<Vec<Vec3>, String> {
        Ok(self.numbers(name, 3, count)?.as_chunks().0.iter().map(|&p: &[f64; 3]| Vec3::from(p)).collect())
    }

    fn matrices(&self, name: &str, count: usize) -> Result<Vec<Mat3>, String> {
        Ok(self.numbers(name, 9, count)?.chunks_exact(9).map(Mat3::from_row_slice).collect())
    }

    fn quadruples(&self, name: &str, count: usize) -> Result<Vec<[f64; 4]>, String> {
        Ok(self.numbers(name, 4, count)?.as_chunks().0.to_vec())
    }

    fn all_integers(&self, name: &str) -> Result<&[i32], String> {
        let Values::I32(values) = self.find(name)? else { return Err(format!("array {name} is not of integers")) };
        Ok(values)
    }

    fn integers(&self, name: &str, count: usize) -> Result<Vec<i32>, String> {
        let values = self.all_integers(name)?;
        self.tuples(name, values, 1, count).map(|()| values.to_vec())
    }

    /// Indices below `end`.
    fn indices(&self, name: &str, end: usize) -> Result<Vec<u32>, String> {
        let values: Vec<u32> = self.all_integers(name)?.iter().map(|&v| v as u32).collect();
        check_below(&values, end, &format!("{name} refers to something"))?;
        Ok(values)
    }

    fn all_bytes(&self, name: &str) -> Result<&[u8], String> {
        let Values::U8(values) = self.find(name)? else { return Err(format!("array {name} is not of bytes")) };
        Ok(values)
    }

    fn bytes(&self, name: &str, count: usize) -> Result<&[u8], String> {
        let values = self.all_bytes(name)?;
        self.tuples(name, values, 1, count).map(|()| values)
    }

    fn text(&self, name: &str) -> Result<String, String> {
        String::from_utf8(self.all_bytes(name)?.to_vec()).map_err(|_| format!("array {name} is not text"))
    }

    fn names(&self, name: &str) -> Result<Vec<String>, String> {
        serde_json::from_str(&self.text(name)?).map_err(|_| format!("array {name} is no list of names"))
    }

    fn families(&self, nodes: usize) -> Result<Vec<PreparedFamily>, String> {
        let names = if self.find(FAMILIES).is_ok() { self.names(FAMILIES)? } else { Vec::new() };
        let family = |name: String| {
            let array = format!("{name}_nodes");
            let (ends, width) = (self.indices(&array, nodes)?, self.components(&array)?);
            let array = format!("{name}_rest");
            let rest = self.numbers(&array, self.components(&array)?, ends.len() / width)?.to_vec();
            Ok(PreparedFamily { name, width, nodes: ends, rest })
        };
        names.into_iter().map(family).collect()
    }

    /// Numbers a tuple, at least 1.
    fn components(&self, name: &str) -> Result<usize, String> {
        let array = self.0.arrays.iter().find(|array| array.name == name);
        array.map(|array| array.components).filter(|&components| components > 0).ok_or_else(|| format!("array {name} is missing"))
    }

    fn mass_pairs(&self, nodes: usize) -> Result<Vec<[u32; 2]>, String> {
        // Without either, all masses are lumped.
        let has_some = [MASS_PAIRS, MASS_COUPLINGS].iter().any(|name| self.find(name).is_ok());
        let ends = if has_some { self.indices(MASS_PAIRS, nodes)? } else { Vec::new() };
        let (pairs, []) = ends.as_chunks() else { return Err(format!("{MASS_PAIRS} does not hold whole pairs")) };
        Ok(pairs.to_vec())
    }

    fn doubles_of_pairs(&self, pairs: usize) -> Result<Vec<f64>, String> {
        if pairs == 0 { Ok(Vec::new()) } else { self.doubles(MASS_COUPLINGS, pairs) }
    }

    fn slides(&self, nodes: usize) -> Result<Vec<(u32, Mat3)>, String> {
        let slides = self.indices("slide_node", nodes)?;
        let projectors = self.matrices("slide_projector", slides.len())?;
        Ok(slides.into_iter().zip(projectors).collect())
    }

    fn contacts(&self, nodes: usize) -> Result<Vec<PreparedContact>, String> {
        let at = self.indices("contact_node", nodes)?;
        let count = at.len();
        let obstacles = self.indices("contact_obstacle", i32::MAX as usize)?;
        self.tuples("contact_obstacle", &obstacles, 1, count)?;
        let (normals, frictions) = (self.vectors("contact_normal", count)?, self.vectors("contact_friction_force", count)?);
        let forces = self.doubles("contact_normal_force", count)?;
        let distances = self.doubles("contact_distance", count)?;
        let coefficients = self.doubles("contact_friction", count)?;
        let contact = |c: usize| PreparedContact {
            node: at[c],
            obstacle: obstacles[c],
            normal: normals[c],
            normal_force: forces[c],
            friction_force: frictions[c],
            distance: distances[c],
            friction: coefficients[c],
        };
        Ok((0..count).map(contact).collect())
    }

    fn pairs(&self, nodes: usize) -> Result<Vec<PreparedPair>, String> {
        let crossing = self.all_bytes("pair_crossing")?;
        let count = crossing.len();
        let ends = self.indices("pair_nodes", nodes)?;
        self.tuples("pair_nodes", &ends, 4, count)?;
        let ends = ends.as_chunks::<4>().0;
        let weights = self.quadruples("pair_weights", count)?;
        let (normals, frictions) = (self.vectors("pair_normal", count)?, self.vectors("pair_friction_force", count)?);
        let forces = self.doubles("pair_normal_force", count)?;
        let distances = self.doubles("pair_distance", count)?;
        let coefficients = self.doubles("pair_friction", count)?;
        let pair = |p: usize| PreparedPair {
            crossing: crossing[p] != 0,
            nodes: ends[p],
            weights: weights[p],
            normal: normals[p],
            normal_force: forces[p],
            friction_force: frictions[p],
            distance: distances[p],
            friction: coefficients[p],
        };
        Ok((0..count).map(pair).collect())
    }

    fn skin(&self, tets: usize) -> Result<PreparedSkin, String> {
        let carriers = self.indices("skin_tet", tets)?;
        let corners = self.indices("skin_triangles", carriers.len())?;
        let (triangles, []) = corners.as_chunks() else { return Err("skin_triangles does not hold whole triangles".into()) };
        Ok(PreparedSkin {
            positions: self.vectors("skin_positions", carriers.len())?,
            triangles: triangles.to_vec(),
            weights: self.quadruples("skin_weights", carriers.len())?,
            tets: carriers,
        })
    }
}

/// Negative numbers, read as indices, are too large as well.
fn check_below(indices: &[u32], end: usize, what: &str) -> Result<(), String> {
    if indices.iter().all(|&i| (i as usize) < end) { Ok(()) } else { Err(format!("{what} that does not exist")) }
}

/// Refuses NaN and infinity: they would spread through a simulation.
fn check_finite(values: &[f64], name: &str) -> Result<(), String> {
    if values.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(format!("array {name} holds a number that is not finite")) }
}

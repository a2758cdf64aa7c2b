//! [`Surface`]: the surface of a body in a part of a step, as a wall at the nodes of the grid: closed, with an inside by its winding number, or a sheet,
//! which holds off the matter that is on either side of it (by the signs of nearest distances, as in Hu et al. 2018, 5: "CPIC").

use super::sides::{Sides, find, reach, weigh};
use crate::math::splines::Interpolation;
use crate::math::{Mat3, Vec3, larger};
use crate::mesh::body_mesh::Cells;
use crate::mesh::closest::{Hit, shares};
use crate::mesh::inside::Inside;
use crate::mesh::sheet::Sheet;
use crate::scene::WallCondition;
use crate::step::mpm::blocks::{Blocks, Placed, Room};
use crate::step::mpm::walls::Touch;
use crate::system::{PlacedBody, System};

/// Share of the mass at a node below which what is on one side of a sheet does not count there: weights of a lattice are round-off down to 1e-33.
const LEAST_SHARE: f64 = 1e-9;

/// Where nodes go in a part of a step.
#[derive(Debug, Clone, Copy)]
pub struct Moved<'a> {
    /// Places at the start and at the end of their way [m].
    pub ends: [&'a [Vec3]; 2],
    /// Of that way, where the part begins and ends.
    pub shares: [f64; 2],
}

impl<'a> Moved<'a> {
    /// All of the way from `start` to `end` [m].
    pub fn between(start: &'a [Vec3], end: &'a [Vec3]) -> Self {
        Self { ends: [start, end], shares: [0.0, 1.0] }
    }

    /// The part with this number of so many.
    #[must_use]
    pub fn part(self, number: u32, parts: u32) -> Self {
        Self { shares: [number, number + 1].map(|end| f64::from(end) / f64::from(parts)), ..self }
    }

    /// From one share of this part of the way to another.
    #[must_use]
    pub fn within(self, shares: [f64; 2]) -> Self {
        let [begin, end] = self.shares;
        let at = |share: f64| if share == 1.0 { end } else { begin + share * (end - begin) };
        Self { shares: shares.map(at), ..self }
    }

    /// How fast a node of a body beside the points of `system` goes where the whole way takes so long [s] [m/s].
    pub fn fastest(&self, system: &System, seconds: f64) -> f64 {
        let [start, end] = self.ends;
        let nodes = system.beside_points().filter(|_| system.goes_one_way()).flat_map(|(_, body)| body.nodes.clone());
        nodes.map(|node| (end[node] - start[node]).norm()).fold(0.0, larger) / seconds
    }

    /// Its place at the start of the part, or its end [m].
    fn place(&self, node: u32, end: usize) -> Vec3 {
        let [a, b] = self.ends.map(|places| places[node as usize]);
        match self.shares[end] {
            1.0 => b,
            share => a + share * (b - a),
        }
    }
}

/// What a surface encloses.
enum Form {
    Closed(Box<Inside>),
    Sheet(Box<Sheet>),
}

/// The surface of a body beside material points.
pub struct Surface {
    /// The number of the body.
    pub body: u32,
    /// Its vertices, as nodes of the system, and its triangles between them.
    vertices: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// Where the vertices are at the start and at the end of a part [m], and its length [s].
    ends: [Vec<Vec3>; 2],
    part: f64,
    form: Form,
    /// Of a sheet, mass of the points above it and below it at each node [kg].
    masses: Room<2>,
}

/// What of a body is a surface that points can meet: its triangles, and whether they are a sheet. `None` of what has none.
pub fn triangles(body: &PlacedBody) -> Option<(&[[u32; 3]], bool)> {
    match body.mesh.cells {
        Cells::Tets(_) => Some((&body.mesh.surface, false)),
        Cells::Triangles(_) => Some((&body.mesh.surface, true)),
        Cells::Lines(_) | Cells::Points(_) => None,
    }
}

impl Surface {
    /// Those of all bodies of `system` that go one way, where these are given.
    pub fn all(system: &System) -> Vec<Self> {
        let bodies = system.beside_points().filter(|_| system.goes_one_way());
        bodies.filter_map(|(number, body)| Self::of(number, body, &system.positions)).collect()
    }

    fn of(number: usize, body: &PlacedBody, x: &[Vec3]) -> Option<Self> {
        let (of_body, is_sheet) = triangles(body)?;
        let mut local: Vec<u32> = of_body.as_flattened().to_vec();
        local.sort_unstable();
        local.dedup();
        let place = |v: u32| local.partition_point(|other| *other < v) as u32;
        let triangles: Vec<[u32; 3]> = of_body.iter().map(|t| t.map(place)).collect();
        let vertices: Vec<u32> = local.iter().map(|v| v + body.nodes.start as u32).collect();
        let at: Vec<Vec3> = vertices.iter().map(|&node| x[node as usize]).collect();
        let form = match is_sheet {
            true => Form::Sheet(Box::new(Sheet::new(&at, &triangles))),
            false => Form::Closed(Box::new(Inside::new(&at, &triangles))),
        };
        Some(Self { body: number as u32, vertices, triangles, ends: [at.clone(), at], part: 0.0, form, masses: Room::default() })
    }

    /// Whether it encloses nothing.
    pub fn is_sheet(&self) -> bool {
        matches!(self.form, Form::Sheet(_))
    }

    /// Goes its way in a part of `part` [s]; whether that is another than the last.
    pub fn follow(&mut self, moved: &Moved, part: f64) -> bool {
        let mut moves = part != self.part;
        let mut is_elsewhere = false;
        for (end, places) in self.ends.iter_mut().enumerate() {
            for (place, &node) in places.iter_mut().zip(&self.vertices) {
                let next = moved.place(node, end);
                moves |= next != *place;
                is_elsewhere |= end == 1 && next != *place;
                *place = next;
            }
        }
        self.part = part;
        if is_elsewhere {
            match &mut self.form {
                Form::Closed(inside) => inside.follow(&self.ends[1], &self.triangles),
                Form::Sheet(sheet) => sheet.follow(&self.ends[1]),
            }
        }
        moves
    }

    /// Of a sheet: finds the side that each point is on now, where it was on `sides` before.
    pub fn side(&self, points: Placed, by: &Interpolation, sides: &mut Sides) {
        if let Form::Sheet(sheet) = &self.form {
            find(sheet, points, by, sides);
        }
    }

    /// Of a sheet: weighs the points, which are sorted by `blocks`, on either side at each node. `masses`: of points by their numbers [kg].
    pub fn weigh(&mut self, blocks: &Blocks, points: Placed, masses: &[f64], sides: &[i8]) {
        weigh(blocks, points, masses, sides, &mut self.masses);
    }

    /// Of a sheet that stands: does both, of points at `x` [m].
    pub fn weigh_given(&mut self, blocks: &Blocks, x: &[Vec3], masses: &[f64]) {
        if !self.is_sheet() {
            return;
        }
        let mut sides = Sides::new();
        self.side((x.len(), &|number| (number, x[number])), &blocks.by, &mut sides);
        let order = blocks.order();
        self.weigh(blocks, (x.len(), &|at| (order[at] as usize, x[order[at] as usize])), masses, &sides);
    }

    /// What it does at a node at `x` [m], with this number among the walls, friction coefficient, and distance from it at which nodes are at it [m], in
    /// a grid that has values at points so.
    pub fn touch(&self, (node, x): (u32, &Vec3), (wall, friction): (u32, f64), at: f64, by: &Interpolation, found: &mut Vec<Touch>) {
        match &self.form {
            Form::Closed(inside) => {
                if let Some((_, normal, hit)) = inside.nearest(x, at) {
                    found.push(Touch {
                        node,
                        wall,
                        normal,
                        friction,
                        condition: WallCondition::Separating,
                        velocity: self.velocity(x, &hit),
                    });
                }
            }
            Form::Sheet(sheet) => {
                let [above, below] = self.masses.sums.get(node as usize).copied().unwrap_or_default();
                if above + below == 0.0 {
                    return;
                }
                let Some(beside) = sheet.beside(x, reach(by)) else { return };
                for (mass, side) in [(above, 1.0), (below, -1.0)] {
                    // Whatever comes from the other side is not to get there.
                    if mass > LEAST_SHARE * (above + below) && side * beside.distance <= at {
                        found.push(Touch {
                            node,
                            wall,
                            normal: side * beside.normal,
                            friction,
                            condition: WallCondition::Separating,
                            velocity: self.velocity(x, &beside.hit),
                        });
                    }
                }
            }
        }
    }

    /// Of what encloses something: whether it comes nearer to `x` than `reach` [m].
    pub fn is_within(&self, x: &Vec3, reach: f64) -> bool {
        matches!(&self.form, Form::Closed(inside) if inside.nearest(x, reach).is_some())
    }

    /// `touch`, of a node at `x` [m], as the matter at `seen` [m] meets what encloses something.
    pub fn seen(&self, touch: &Touch, (x, seen): (&Vec3, &Vec3)) -> Touch {
        match &self.form {
            Form::Closed(inside) => match inside.facing(x, seen) {
                Some((normal, hit)) => Touch { normal, velocity: self.velocity(x, &hit), ..*touch },
                None => *touch,
            },
            Form::Sheet(_) => *touch,
        }
    }

    /// How fast it goes at `x` [m], which is nearest to `hit`: as its triangle there would carry it along, with what is along the normal unstretched. Of
    /// what moves rigidly that is the rigid motion.
    fn velocity(&self, x: &Vec3, hit: &Hit) -> Vec3 {
        if self.part == 0.0 {
            return Vec3::zeros();
        }
        let [start, end] = self.ends.each_ref().map(|x| self.triangles[hit.triangle as usize].map(|v| x[v as usize]));
        let frame = |[a, b, c]: &[Vec3; 3]| {
            let (ab, ac) = (b - a, c - a);
            Some(Mat3::from_columns(&[ab, ac, ab.cross(&ac).try_normalize(0.0)?]))
        };
        let moved: [Vec3; 3] = std::array::from_fn(|k| end[k] - start[k]);
        let way = match (frame(&start), frame(&end)) {
            // By differences: what stands has no velocity, to the bit.
            (Some(before), Some(after)) => match after.try_inverse() {
                Some(inverse) => moved[0] + (after - before) * (inverse * (x - end[0])),
                None => moved[0],
            },
            // Without area it is a line, which takes along.
            _ => {
                let shares = shares(&hit.point, &end);
                (0..3).map(|k| shares[k] * moved[k]).sum()
            }
        };
        way / self.part
    }
}

//! Regions that are attached to other bodies -> springs between nodes.

use super::Assembly;
use crate::bodies::select::region_vertices;
use crate::element::spring::{Clamp, SPRING_LAWS, Spring, Stiffness, spring_law};
use crate::element::{Batch, Element, Family};
use crate::math::Vec3;
use crate::mesh::nearest::PointTree;
use crate::scene::{AttachSettings, Region, RegionRole, SceneProblem};
use crate::system::{PlacedBody, System};

/// Ends nearer than this share of the diagonal of all bodies lie on one another: a spring between them has no direction.
const SHORTEST: f64 = 1e-9;

/// The springs of one region, between nodes of the system.
pub(super) struct Attached {
    pub body: usize,
    pub region: String,
    pub springs: Box<dyn Family>,
}

impl Assembly<'_> {
    /// The springs of all regions that are attached, in the order of the scene.
    pub(super) fn attached(&mut self) -> Vec<Attached> {
        let scene = self.scene;
        let mut all = Vec::new();
        for (b, body) in scene.bodies.iter().enumerate() {
            for (r, region) in body.regions.iter().enumerate() {
                let RegionRole::Attach(settings) = &region.role else { continue };
                match self.attach(b, region, settings) {
                    Ok(springs) => all.push(Attached { body: b, region: region.name.clone(), springs }),
                    Err(message) => {
                        self.problems.push(SceneProblem::at(format!("bodies[{b}].regions[{r}].role.attach"), message));
                    }
                }
            }
        }
        all
    }

    fn attach(&self, body: usize, region: &Region, settings: &AttachSettings) -> Result<Box<dyn Family>, String> {
        let (scene, system) = (self.scene, &self.system);
        let named = |name: &str| scene.bodies.iter().position(|body| body.name == name);
        let Some(other) = named(&settings.body) else { return Err(format!("there is no body `{}`", settings.body)) };
        let target = match &settings.region {
            None => None,
            Some(name) => {
                let found = scene.bodies[other].regions.iter().find(|region| region.name == *name);
                Some(found.ok_or_else(|| format!("`{}` has no region `{name}`", settings.body))?)
            }
        };
        let ends = joined(system, nodes(&system.bodies[body], Some(region)), nodes(&system.bodies[other], target), settings);
        let x = |n: u32| system.positions[n as usize];
        let shortest = SHORTEST * system.diagonal;
        let met = ends.iter().filter(|[a, b]| (x(*a) - x(*b)).norm() <= shortest).count();
        if met > 0 {
            return Err(format!(
                "{met} vertices of `{}` lie on the vertices of `{}` that they are attached to, and a spring needs a length; move one of the bodies, or attach other vertices",
                scene.bodies[body].name, settings.body
            ));
        }
        springs(system, ends, settings)
    }
}

/// Nodes of a body's surface, of one region or of all of it.
fn nodes(body: &PlacedBody, region: Option<&Region>) -> Vec<u32> {
    let mut vertices = body.mesh.surface_vertices();
    if let Some(region) = region {
        let inside = region_vertices(&body.mesh, region);
        vertices.retain(|vertex| inside.binary_search(vertex).is_ok());
    }
    let first = body.nodes.start as u32;
    vertices.into_iter().map(|vertex| first + vertex).collect()
}

/// From each of these nodes to the nearest of those.
fn joined(system: &System, from: Vec<u32>, to: Vec<u32>, settings: &AttachSettings) -> Vec<[u32; 2]> {
    let x = |n: u32| system.positions[n as usize];
    let tree = PointTree::new(to.into_iter().map(|n| (x(n), n)).collect());
    let within = settings.within.unwrap_or(f64::INFINITY);
    let of = |&a: &u32| tree.nearest_few(&x(a), settings.each as usize).into_iter().map(move |b| [a, b]);
    from.iter().flat_map(of).filter(|[a, b]| (x(*a) - x(*b)).norm() <= within).collect()
}

fn springs(system: &System, ends: Vec<[u32; 2]>, settings: &AttachSettings) -> Result<Box<dyn Family>, String> {
    let law = spring_law(&settings.law).unwrap_or(&SPRING_LAWS[0]);
    let stiffness = Stiffness::one_of(settings.stiffness, settings.stiffness_per_length).map_err(|(_, message)| message)?;
    let stiffness = stiffness.ok_or("missing; add \"stiffness\" [N/m] or \"stiffness_per_length\" [N]")?;
    let spring = |ends: &[u32; 2]| {
        let at = |x: &[Vec3]| ends.map(|n| x[n as usize]);
        let [a, b] = at(system.naive_rest());
        let mut spring =
            Spring::new(law, stiffness.modulus(law, (b - a).norm()), Clamp::default(), &[a, b]).map_err(|why| why.to_string())?;
        spring.given_at(&at(&system.positions));
        spring.set_damping(settings.damping);
        Ok::<_, String>(spring)
    };
    let springs = ends.iter().map(spring).collect::<Result<_, _>>()?;
    Ok(Box::new(Batch::new(springs, ends)))
}

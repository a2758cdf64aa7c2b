//! How a file is drawn: clay, with what is wrong in colour.

use std::sync::Arc;

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::health::{Finding, Highlight};
use aplomb_sim::mesh::topology::Faces;
use aplomb_sim::scene::Shape;

use super::{Preview, Surface};
use crate::viewport::{BodyColor, BodyDraw, DrawList, LineDraw, LineKind, ObstacleDraw, ObstacleForm};

/// Tint of faces that are wrong: sRGB and strength.
const FAULTY: [u8; 4] = [245, 69, 69, 150];

/// What is drawn, remembered until the next change.
#[derive(Debug)]
pub(super) struct Pieces {
    revision: u64,
    positions: Arc<[Vec3]>,
    triangles: Arc<[[u32; 3]]>,
    /// Of each triangle.
    tint: Option<Arc<[[u8; 4]]>>,
    chosen: Option<Arc<[[u32; 3]]>>,
    lines: Vec<LineDraw>,
    marks: Vec<Vec3>,
}

impl Preview {
    /// What is to be drawn; nothing before the file is read.
    pub fn draw_list(&mut self, dark: bool) -> DrawList {
        let mut list = DrawList { dark, ..DrawList::default() };
        let Some(surface) = &self.surface else { return list };
        if self.pieces.as_ref().is_none_or(|pieces| pieces.revision != self.revision) {
            let place = |p: &Vec3| self.choices.place(p);
            let known = self.pieces.take().filter(|known| Arc::ptr_eq(&known.triangles, &surface.triangles));
            self.pieces = Some(Pieces::of(self, surface, place, known));
        }
        let Some(pieces) = &self.pieces else { return list };
        let body = |triangles: &Arc<[[u32; 3]]>, color, face_tint| BodyDraw {
            positions: Arc::clone(&pieces.positions),
            triangles: Arc::clone(triangles),
            color,
            face_tint,
            ..BodyDraw::default()
        };
        list.bodies.push(body(&pieces.triangles, BodyColor::Clay(0), pieces.tint.clone()));
        list.chosen.extend(pieces.chosen.as_ref().map(|triangles| body(triangles, BodyColor::Fault, None)));
        list.lines.clone_from(&pieces.lines);
        list.marks.clone_from(&pieces.marks);
        if let Some([low, _]) = self.bounds().filter(|_| self.choices.ground && !self.choices.add) {
            let ground = Shape::HalfSpace { point: low.into(), normal: [0.0, 1.0, 0.0] };
            list.obstacles.push(ObstacleDraw { form: ObstacleForm::Shape(ground), present: true });
        }
        list
    }

    /// Where the finding is that is pointed out [m].
    pub fn pointed_places(&self) -> Vec<Vec3> {
        let (Some(surface), Some(finding)) = (&self.surface, self.pointed_finding()) else { return Vec::new() };
        let Highlight { vertices, edges, triangles, tets } = &finding.place;
        let of_triangles = triangles.iter().filter_map(|&t| surface.triangles.get(t as usize)).flatten();
        let raw = self.raw.as_deref();
        let of_tets = tets.iter().filter_map(|&t| raw?.tets.get(t as usize)).flatten();
        let named = vertices.iter().chain(edges.as_flattened()).chain(of_triangles).chain(of_tets);
        named.filter_map(|&v| surface.positions.get(v as usize)).map(|p| self.choices.place(p)).collect()
    }

    fn pointed_finding(&self) -> Option<&Finding> {
        self.health()?.findings.get(self.pointed?)
    }
}

impl Pieces {
    fn of(preview: &Preview, surface: &Surface, place: impl Fn(&Vec3) -> Vec3, known: Option<Self>) -> Self {
        let positions: Arc<[Vec3]> = surface.positions.iter().map(&place).collect();
        // The same ones again spare the painter and the picker their work on the triangles.
        let positions = known.map(|known| known.positions).filter(|before| **before == *positions).unwrap_or(positions);
        let ends = |edges: &[[u32; 2]]| -> Arc<[[Vec3; 2]]> {
            let inside = |edge: &&[u32; 2]| edge.iter().all(|&v| (v as usize) < positions.len());
            edges.iter().filter(inside).map(|edge| edge.map(|v| positions[v as usize])).collect()
        };
        let mut pieces = Self {
            revision: preview.revision,
            triangles: Arc::clone(&surface.triangles),
            tint: None,
            chosen: None,
            lines: Vec::new(),
            marks: Vec::new(),
            positions: Arc::clone(&positions),
        };
        if !surface.strands.is_empty() {
            pieces.lines.push(LineDraw { ends: ends(&surface.strands), kind: LineKind::Strand });
        }
        // The report may be of a surface that repairs have replaced; what is a fault of a solid may be none of another kind.
        let findings =
            preview.health().filter(|_| !preview.outdated && preview.choices.kind.is_none()).map_or(&[][..], |health| &health.findings);
        if let Some(finding) = preview.pointed_finding().filter(|_| !preview.outdated) {
            let Highlight { vertices, edges, triangles, tets } = &finding.place;
            if !edges.is_empty() {
                pieces.lines.push(LineDraw { ends: ends(edges), kind: LineKind::Fault });
            }
            pieces.marks = vertices.iter().filter_map(|&v| positions.get(v as usize).copied()).collect();
            let tets: Vec<_> = tets.iter().filter_map(|&t| preview.raw.as_ref()?.tets.get(t as usize).copied()).collect();
            let chosen = if tets.is_empty() { pick(surface, triangles) } else { Faces::of(&tets).boundary(&tets).0 };
            pieces.chosen = (!chosen.is_empty()).then(|| chosen.into());
        } else {
            let edges: Vec<_> = findings.iter().flat_map(|finding| finding.place.edges.iter().copied()).collect();
            if !edges.is_empty() {
                pieces.lines.push(LineDraw { ends: ends(&edges), kind: LineKind::Border });
            }
            let mut tint = vec![[0; 4]; surface.triangles.len()];
            let faulty = || findings.iter().flat_map(|finding| &finding.place.triangles);
            faulty().filter_map(|&t| Some((t, surface.triangles.get(t as usize)?))).for_each(|(t, _)| tint[t as usize] = FAULTY);
            pieces.tint = faulty().next().is_some().then(|| tint.into());
        }
        pieces
    }
}

fn pick(surface: &Surface, triangles: &[u32]) -> Vec<[u32; 3]> {
    triangles.iter().filter_map(|&t| surface.triangles.get(t as usize).copied()).collect()
}

use aplomb_sim::mesh::structured::{CubeCut, box_mesh};

use super::*;

/// Numbers between 0 and 1 that are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn direction(&mut self) -> Vec3 {
        let v = Vec3::new(self.next() - 0.5, self.next() - 0.5, self.next() - 0.5);
        v.try_normalize(0.0).unwrap_or_else(Vec3::x)
    }
}

/// A box of tets whose inner vertices are shaken, with its surface.
fn shaken(random: &mut Random) -> (Vec<Vec3>, Vec<[u32; 4]>, Vec<[u32; 3]>) {
    let size = Vec3::new(0.6, 0.4, 0.8);
    let (mut positions, tets) = box_mesh(size, [4, 3, 5], CubeCut::Kuhn);
    let (low, high) = aplomb_sim::math::bounding_box(&positions);
    let is_inside = |p: &Vec3| (0..3).all(|k| p[k] > low[k] + 1e-9 && p[k] < high[k] - 1e-9);
    positions.iter_mut().filter(|p| is_inside(p)).for_each(|p| *p += 0.02 * random.direction());
    let surface = aplomb_sim::mesh::topology::Faces::of(&tets).boundary(&tets).0;
    (positions, tets, surface)
}

fn area(pieces: &Pieces, of: impl Fn(u32) -> bool) -> Vec3 {
    let chosen = pieces.triangles.iter().zip(&*pieces.cells).filter(|(_, cell)| of(**cell));
    let corner = |v: u32| pieces.positions[v as usize];
    0.5 * chosen.map(|(&[a, b, c], _)| (corner(b) - corner(a)).cross(&(corner(c) - corner(a)))).sum::<Vec3>()
}

/// Area of the section of a box by a plane: the sum over the tets of a mesh of two by two by two would do, but here by what is known of
/// convex bodies: the polygon of the points at which its twelve edges go through, ordered by angle.
fn section_of_box(low: Vec3, high: Vec3, plane: &Plane) -> f64 {
    let corner = |k: usize| Vec3::from_fn(|axis, _| if k >> axis & 1 == 0 { low[axis] } else { high[axis] });
    let edges = (0..8).flat_map(|k| (0..3).filter(move |axis| k >> axis & 1 == 0).map(move |axis| (k, k | 1 << axis)));
    let mut points = Vec::new();
    for (a, b) in edges {
        let (a, b) = (corner(a), corner(b));
        let (da, db) = (plane.beyond(&a), plane.beyond(&b));
        if (da < 0.0) != (db < 0.0) {
            points.push(a + da / (da - db) * (b - a));
        }
    }
    if points.len() < 3 {
        return 0.0;
    }
    let middle = points.iter().sum::<Vec3>() / points.len() as f64;
    let u = aplomb_sim::math::across(&plane.normal);
    let v = plane.normal.cross(&u);
    let angle = |p: &Vec3| (p - middle).dot(&v).atan2((p - middle).dot(&u));
    points.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
    let ring = points.iter().zip(points.iter().cycle().skip(1));
    0.5 * ring.map(|(p, q)| (p - middle).cross(&(q - middle)).dot(&plane.normal)).sum::<f64>()
}

#[test]
fn the_section_has_the_exact_area_and_closes_what_is_left() {
    let mut random = Random(7);
    let (positions, tets, surface) = shaken(&mut random);
    let (low, high) = aplomb_sim::math::bounding_box(&positions);
    let middle = 0.5 * (low + high);
    let mut cut_through = 0;
    for _ in 0..60 {
        let normal = random.direction();
        let offset = normal.dot(&middle) + 0.9 * (random.next() - 0.5);
        let plane = Plane { normal, offset };
        let pieces = cut(&tets, (&surface, &[]), &positions, &plane);
        let (section, exact) = (area(&pieces, |cell| cell != NO_CELL), section_of_box(low, high, &plane));
        assert!((section - exact * normal).norm() < 1e-12, "{section} instead of {exact} along {normal}");
        // A closed surface has no area in all; what is left of the body is one.
        assert!((area(&pieces, |_| true)).norm() < 1e-12);
        assert!(pieces.triangles.iter().flatten().all(|&v| plane.beyond(&pieces.positions[v as usize]) < 1e-12));
        cut_through += usize::from(exact > 0.01);
    }
    assert!(cut_through > 30, "{cut_through}");
}

#[test]
fn a_field_that_is_linear_is_so_on_the_section() {
    let mut random = Random(11);
    let (positions, tets, surface) = shaken(&mut random);
    let plane = Plane { normal: Vec3::new(1.0, 2.0, -0.5).normalize(), offset: 0.1 };
    let pieces = cut(&tets, (&surface, &[]), &positions, &plane);
    let field = |p: &Vec3| 3.0 + p.x - 2.0 * p.y + 0.5 * p.z;
    let values = pieces.values(&positions.iter().map(field).collect::<Vec<_>>(), &[]);
    assert!(pieces.positions.len() > positions.len());
    let worst = pieces.positions.iter().zip(&*values).map(|(p, value)| (field(p) - value).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-13, "{worst}");
}

#[test]
fn a_plane_in_a_layer_of_nodes_and_one_beside_the_body_are_planes_too() {
    let (positions, tets) = box_mesh(Vec3::new(1.0, 1.0, 1.0), [2, 2, 2], CubeCut::Kuhn);
    let surface = aplomb_sim::mesh::topology::Faces::of(&tets).boundary(&tets).0;
    let (low, high) = aplomb_sim::math::bounding_box(&positions);
    let of = |offset: f64| cut(&tets, (&surface, &[]), &positions, &Plane { normal: Vec3::y(), offset });
    let layer = of(0.5 * (low.y + high.y));
    assert!((area(&layer, |cell| cell != NO_CELL) - Vec3::y()).norm() < 1e-14 && area(&layer, |_| true).norm() < 1e-14);
    assert_eq!(of(low.y - 0.1).triangles.len(), 0);
    assert_eq!(of(high.y + 0.1).triangles.len(), surface.len());
}

#[test]
fn lines_end_at_the_plane() {
    let positions = [Vec3::zeros(), Vec3::x(), 2.0 * Vec3::x(), Vec3::y()];
    let plane = Plane { normal: Vec3::x(), offset: 1.25 };
    let pieces = cut(&[], (&[], &[[0, 1], [1, 2], [2, 2], [3, 3]]), &positions, &plane);
    assert_eq!(*pieces.lines, [[0, 1], [1, 4], [3, 3]]);
    assert_eq!((pieces.positions[4], pieces.blends[4]), (1.25 * Vec3::x(), Blend { nodes: [1, 2], share: 0.25 }));
}

//! Continuous collision detection: how far a pair of primitives may move along straight lines before it touches.
//!
//! Conservative advancement on true distances. As in additive CCD (Li, Kaufman, Jiang 2021, "Codimensional
//! Incremental Potential Contact", section 5), a lower bound of the time of impact is added up, and each part is so
//! short that the distance stays above the share that is to be kept. The bound here is along the unit vector n of the
//! nearest points: the primitives lie on both sides of a slab of that direction, and the distance of each vertex of
//! one from each of the other along n changes at a constant rate. The slab stays open as long as these do, so primitives
//! that slide past each other are through at once, and the bound is never shorter than that of the largest relative
//! speed.

use super::primitive::{Nearest, Vec12, edge_edge, point_edge, point_point, point_triangle};
use super::stencil::StencilKind;
use crate::math::Vec3;

/// Most parts that are added up. What was reached then is still on the safe side.
const MAX_PARTS: usize = 1000;

/// The search ends at this multiple of the distance to keep.
const NEAR: f64 = 1.25;

/// Part of the step `step` that the point `start[0]` and the triangle of the others may take, in [0, max]; at least
/// the share `kept_share` of their distance less `radius` [m], in (0, 1), is kept all the way. 0 if they touch at the start.
pub fn point_triangle_toi(start: &Vec12, step: &Vec12, max: f64, kept_share: f64, radius: f64) -> f64 {
    advance::<1, 4>((start, step), max, (kept_share, radius), |[p, a, b, c]| point_triangle(p, a, b, c))
}

/// Part of the step `step` that the edges `start[..2]` and `start[2..]` may take; as [`point_triangle_toi`].
pub fn edge_edge_toi(start: &Vec12, step: &Vec12, max: f64, kept_share: f64, radius: f64) -> f64 {
    advance::<2, 4>((start, step), max, (kept_share, radius), |[a, b, c, d]| edge_edge(a, b, c, d))
}

/// Part of the motion from `start` by `step` that two primitives of the kind `kind` may take; as [`point_triangle_toi`].
#[inline]
pub fn time_of_impact(kind: StencilKind, (start, step): (&Vec12, &Vec12), max: f64, kept_share: f64, radius: f64) -> f64 {
    let kept = (kept_share, radius);
    match kind {
        StencilKind::PointTriangle => point_triangle_toi(start, step, max, kept_share, radius),
        StencilKind::EdgeEdge => edge_edge_toi(start, step, max, kept_share, radius),
        StencilKind::PointEdge => advance::<1, 3>((start, step), max, kept, |[p, a, b, _]| point_edge(p, a, b)),
        StencilKind::PointPoint => advance::<1, 2>((start, step), max, kept, |[p, a, ..]| point_point(p, a)),
    }
}

/// The first `FIRST` of the `COUNT` vertices are those of the first primitive.
fn advance<const FIRST: usize, const COUNT: usize>(
    (start, step): (&Vec12, &Vec12),
    max: f64,
    (kept_share, radius): (f64, f64),
    nearest: impl Fn(&Vec12) -> Nearest,
) -> f64 {
    let (mut time, mut points, mut offset) = (0.0, *start, nearest(start).offset);
    let kept = kept_share * (offset.norm() - radius);
    for _ in 0..MAX_PARTS {
        let distance = offset.norm();
        // Near the share after a part; at the start, only what touches stays where it is.
        if distance.is_nan() || distance - radius <= if time > 0.0 { NEAR * kept } else { 0.0 } {
            return time;
        }
        let open = open_for::<FIRST, COUNT>(&points, step, &(offset / distance), radius + kept);
        if time + open >= max {
            return max;
        }
        if open.is_nan() || open <= 0.0 {
            return time;
        }
        time += open;
        points = std::array::from_fn(|i| start[i] + time * step[i]);
        offset = nearest(&points).offset;
    }
    time
}

/// How long all vertices of the first primitive stay `kept` or more ahead of those of the second along `normal`.
fn open_for<const FIRST: usize, const COUNT: usize>(points: &Vec12, step: &Vec12, normal: &Vec3, kept: f64) -> f64 {
    let mut time = f64::INFINITY;
    for i in 0..FIRST {
        for j in FIRST..COUNT {
            let approach = normal.dot(&(step[j] - step[i]));
            if approach > 0.0 {
                let slack = normal.dot(&(points[i] - points[j])) - kept;
                time = time.min(slack / approach);
            } else if approach.is_nan() {
                return approach;
            }
        }
    }
    time
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::super::primitive::sample::{ENDS, FACE, INSIDE, SIDES, above_triangle, crossing_edges};
    use super::*;
    use crate::math::random::Random;
    use std::path::Path;

    type Toi = fn(&Vec12, &Vec12, f64, f64) -> f64;
    type Distance = fn(&Vec12) -> f64;

    const TRIANGLE: (Toi, Distance) =
        (|start, step, max, kept| point_triangle_toi(start, step, max, kept, 0.0), |[p, a, b, c]| point_triangle(p, a, b, c).distance());
    const EDGES: (Toi, Distance) =
        (|start, step, max, kept| edge_edge_toi(start, step, max, kept, 0.0), |[a, b, c, d]| edge_edge(a, b, c, d).distance());

    fn moved(start: &Vec12, step: &Vec12, time: f64) -> Vec12 {
        std::array::from_fn(|i| start[i] + time * step[i])
    }

    /// Random pairs near to one another and far apart, with the means to move and measure them.
    fn pairs(random: &mut Random) -> Vec<(Vec12, (Toi, Distance))> {
        let mut pairs = Vec::new();
        for distance in [1e-4, 1e-2, 0.3] {
            pairs.extend(FACE.map(|place| (above_triangle(random, place, distance, false), TRIANGLE)));
            pairs.extend(SIDES.map(|place| (above_triangle(random, place, distance, true), TRIANGLE)));
            for angle in [0.0, 1e-6, 1e-2, 1.3] {
                pairs.extend(INSIDE.map(|place| (crossing_edges(random, place, angle, distance, false), EDGES)));
                pairs.extend(ENDS.map(|place| (crossing_edges(random, place, angle, distance, true), EDGES)));
            }
        }
        pairs
    }

    #[test]
    fn no_sample_of_the_path_is_nearer_than_the_share_to_keep() {
        let mut random = Random::new(8);
        let (mut stopped, mut near) = (0, 0);
        for round in 0..8 {
            for (start, (toi, distance)) in pairs(&mut random) {
                let kept_share = [0.5, 0.1, 0.01][round % 3];
                let size = 10f64.powf(random.uniform(-3.0, 0.5));
                let step = [(); 4].map(|()| random.vector(-size, size));
                let time = toi(&start, &step, 1.0, kept_share);
                let kept = kept_share * distance(&start);
                for sample in 0..=200 {
                    let at = distance(&moved(&start, &step, time * f64::from(sample) / 200.0));
                    assert!(at >= kept * (1.0 - 1e-9), "{at} of {kept} at {sample} of {time}");
                }
                if time < 1.0 {
                    stopped += 1;
                    near += usize::from(distance(&moved(&start, &step, time)) <= NEAR * kept);
                }
            }
        }
        assert!(stopped > 100 && near == stopped, "{near} of {stopped} go all the way to the share");
    }

    /// Around a primitive with a radius, what is kept is a share of what is left of the distance.
    #[test]
    fn round_things_stop_each_other_at_their_surfaces() {
        let mut random = Random::new(9);
        let mut stopped = 0;
        for _ in 0..20 {
            for (start, (_, distance)) in pairs(&mut random) {
                let radius = random.uniform(0.1, 0.99) * distance(&start);
                let is_triangle = (distance(&start) - TRIANGLE.1(&start)).abs() < 1e-15;
                let toi = if is_triangle { point_triangle_toi } else { edge_edge_toi };
                let step = [(); 4].map(|()| random.vector(-1.0, 1.0));
                let time = toi(&start, &step, 1.0, 0.1, radius);
                let kept = 0.1 * (distance(&start) - radius);
                for sample in 0..=100 {
                    let at = distance(&moved(&start, &step, time * f64::from(sample) / 100.0)) - radius;
                    assert!(at >= kept * (1.0 - 1e-6), "{at} of {kept}");
                }
                stopped += usize::from(time < 1.0);
                assert_eq!(toi(&start, &step, 1.0, 0.1, distance(&start) * 1.01), 0.0, "what is inside does not move");
            }
        }
        assert!(stopped > 100, "{stopped}");
    }

    #[test]
    fn head_on_motion_stops_at_the_share() {
        let start = [Vec3::new(0.2, 0.2, 0.3), Vec3::zeros(), Vec3::x(), Vec3::y()];
        let step = [Vec3::new(0.0, 0.0, -0.5), Vec3::zeros(), Vec3::zeros(), Vec3::zeros()];
        for kept in [0.1, 0.5] {
            // The exact root is 0.6.
            assert!((point_triangle_toi(&start, &step, 1.0, kept, 0.0) - 0.6 * (1.0 - kept)).abs() < 1e-12);
        }
        assert_eq!(point_triangle_toi(&start, &step, 0.25, 0.1, 0.0), 0.25);
        assert_eq!(point_triangle_toi(&start, &step.map(|s| -s), 1.0, 0.95, 0.0), 1.0, "apart there is nothing to keep");
        let carried = step.map(|s| s + Vec3::new(30.0, -20.0, 10.0));
        assert!((point_triangle_toi(&start, &carried, 1.0, 0.1, 0.0) - 0.54).abs() < 1e-12, "common motion does not matter");
    }

    #[test]
    fn coplanar_parallel_edges_slide_past_each_other_or_stop_in_time() {
        let edge = |x: f64, y: f64| [Vec3::new(x, y, 0.0), Vec3::new(x + 1.0, y, 0.0)];
        let pair = |[a, b]: [Vec3; 2], [c, d]: [Vec3; 2]| [a, b, c, d];
        let along = |x: f64, y: f64| pair([Vec3::new(x, y, 0.0); 2], [Vec3::zeros(); 2]);
        let start = pair(edge(0.0, 1e-6), edge(0.3, 0.0));
        // Sliding takes one part, however far it goes.
        assert_eq!(edge_edge_toi(&start, &along(1e6, 0.0), 1.0, 0.1, 0.0), 1.0);
        assert_eq!(edge_edge_toi(&start, &along(-1e6, 1e-9), 1.0, 0.1, 0.0), 1.0);
        assert!((edge_edge_toi(&start, &along(0.5, -2e-6), 1.0, 0.1, 0.0) - 0.45).abs() < 1e-9);
        // On one line: apart, one runs into the end of the other.
        let line = pair(edge(0.0, 0.0), edge(1.5, 0.0));
        assert!((edge_edge_toi(&line, &along(1.0, 0.0), 1.0, 0.1, 0.0) - 0.45).abs() < 1e-12);
        assert_eq!(edge_edge_toi(&line, &along(-1.0, 0.0), 1.0, 0.1, 0.0), 1.0);
    }

    /// An edge that rocks about the nearest point: no plane stays between the edges for long.
    #[test]
    fn where_the_parts_run_out_the_time_reached_is_safe() {
        let gap = 1e-6;
        let start = [Vec3::new(-1.0, 0.0, gap), Vec3::new(1.0, 0.0, gap), -Vec3::y(), Vec3::y()];
        let step = [Vec3::z(), -Vec3::z(), Vec3::zeros(), Vec3::zeros()];
        let time = edge_edge_toi(&start, &step, 1.0, 0.1, 0.0);
        assert!(time > 5e-4 && time < 1.0, "{time}");
        assert!(EDGES.1(&moved(&start, &step, time)) > 0.1 * gap);
        let wide = [Vec3::new(-1.0, 0.0, 0.01), Vec3::new(1.0, 0.0, 0.01), -Vec3::y(), Vec3::y()];
        assert_eq!(edge_edge_toi(&wide, &step, 1.0, 0.1, 0.0), 1.0);
    }

    #[test]
    fn what_touches_or_is_no_number_cannot_move() {
        let start = [Vec3::new(0.2, 0.2, 0.0), Vec3::zeros(), Vec3::x(), Vec3::y()];
        let step = [Vec3::z(), Vec3::zeros(), Vec3::zeros(), Vec3::zeros()];
        assert_eq!(point_triangle_toi(&start, &step, 1.0, 0.1, 0.0), 0.0);
        let apart = [Vec3::new(0.2, 0.2, 1.0), Vec3::zeros(), Vec3::x(), Vec3::y()];
        assert_eq!(point_triangle_toi(&apart, &[Vec3::repeat(f64::NAN); 4], 1.0, 0.1, 0.0), 0.0);
        assert_eq!(point_triangle_toi(&[Vec3::repeat(f64::NAN); 4], &step, 1.0, 0.1, 0.0), 0.0);
        assert_eq!(point_triangle_toi(&apart, &[Vec3::zeros(); 4], 1.0, 0.1, 0.0), 1.0);
    }

    /// Queries of `ccd-cloth-funnel`: eight points (four at the start, four at the end), and whether they touch.
    fn queries(folder: &Path, name: &str) -> Vec<(Vec12, Vec12, bool)> {
        let fraction = |numbers: &[f64]| numbers[0] / numbers[1];
        let rows: Vec<Vec3> = std::fs::read_to_string(folder.join(format!("227{name}.csv")))
            .unwrap()
            .lines()
            .map(|line| {
                let numbers: Vec<f64> = line.split(',').map(|n| n.trim().parse().unwrap()).collect();
                assert_eq!(numbers.len(), 6);
                Vec3::new(fraction(&numbers[..2]), fraction(&numbers[2..4]), fraction(&numbers[4..]))
            })
            .collect();
        let truth: Vec<bool> =
            serde_json::from_str(&std::fs::read_to_string(folder.join(format!("227{name}_mma_bool.json"))).unwrap()).unwrap();
        assert_eq!(rows.len(), 8 * truth.len());
        let four = |points: &[Vec3]| -> Vec12 { std::array::from_fn(|i| points[i]) };
        rows.chunks(8).zip(truth).map(|(q, touch)| (four(&q[..4]), std::array::from_fn(|i| q[i + 4] - q[i]), touch)).collect()
    }

    /// Exact answers for a cloth pulled through a funnel; many edges there stay in one plane.
    #[test]
    fn no_touch_of_the_cloth_in_the_funnel_is_missed() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/meshes/reference/ccd-cloth-funnel");
        if !folder.is_dir() {
            eprintln!("SKIPPED: ../shared is missing");
            return;
        }
        for (name, (toi, distance), count, touching) in [("vf", TRIANGLE, 92, 27), ("ee", EDGES, 263, 107)] {
            let queries = queries(&folder, name);
            assert_eq!((queries.len(), queries.iter().filter(|q| q.2).count()), (count, touching));
            for kept_share in [0.1, 1e-3] {
                let (mut missed, mut alarms) = (0, 0);
                for (start, step, touch) in &queries {
                    let time = toi(start, step, 1.0, kept_share);
                    match (time < 1.0, touch) {
                        (false, true) => missed += 1,
                        (true, false) => alarms += 1,
                        _ => {}
                    }
                    let left = distance(&moved(start, step, time)) / distance(start);
                    assert!(left >= kept_share * (1.0 - 1e-9));
                    assert!(time == 1.0 || left <= NEAR * kept_share, "a false alarm is a pair that comes nearer than the share");
                }
                println!("{name}, keeping {kept_share}: {missed} missed of {touching}, {alarms} false alarms of {}", count - touching);
                assert_eq!(missed, 0);
            }
        }
    }
}

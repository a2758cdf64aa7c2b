//! Contacts of nets, strands and points in the given shape: with solids, with what is round, with one another and with themselves.

use super::*;
use crate::contact::surfaces::tests::{net, system_of};

fn turned(x: &[Vec3], turn: Mat3, shift: Vec3) -> Vec<Vec3> {
    x.iter().map(|p| turn * p + shift).collect()
}

/// Parts of a system: positions, with the triangles or the lines on them.
enum Piece {
    Solid(Block),
    Lines(Vec<Vec3>, Vec<[u32; 2]>),
    Points(Vec<Vec3>),
    Round(Vec<Vec3>, f64),
}

fn assembled(pieces: Vec<Piece>) -> System {
    let (mut x, mut parts): (Vec<Vec3>, Vec<PartInput>) = (Vec::new(), Vec::new());
    let mut held = Vec::new();
    for (name, piece) in pieces.into_iter().enumerate() {
        let (name, first) = (name.to_string(), x.len() as u32);
        let from_first = |count: usize| (first..first + count as u32).collect::<Vec<u32>>();
        match piece {
            Piece::Solid(block) => {
                let solid = system(&[block], 0.5);
                x.extend(&solid.positions);
                parts.push(PartInput::triangles(name, solid.surface.triangles.iter().map(|t| t.map(|n| n + first)).collect()));
            }
            Piece::Lines(nodes, edges) => {
                parts.push(PartInput::lines(name, edges.iter().map(|e| e.map(|n| n + first)).collect()));
                x.extend(nodes);
            }
            Piece::Points(points) => {
                parts.push(PartInput::new(name, from_first(points.len()), Vec::new(), Vec::new()));
                x.extend(points);
            }
            Piece::Round(chain, radius) => {
                parts.push(PartInput::round(name, from_first(chain.len()), radius));
                held.extend(from_first(chain.len()));
                x.extend(chain);
            }
        }
    }
    let mut system = system_of(x, parts, 0.5);
    for node in held {
        (system.fixed[node as usize], system.surface.movable[node as usize]) = (true, false);
    }
    system.surface.count_movable();
    system
}

fn strand(nodes: Vec<Vec3>) -> Piece {
    let edges = (1..nodes.len() as u32).map(|k| [k - 1, k]).collect();
    Piece::Lines(nodes, edges)
}

/// Sites within `reach` [m] by kind: vertices on triangles, on lines and on points, and edges across edges. Their forces are those of the
/// stepper's slots.
fn found(system: &mut System, reach: f64) -> (Vec<ContactSite>, [usize; 4]) {
    system.contact.detection_distance = reach / system.diagonal;
    let sites = find(system).sites;
    check_that_slots_make_the_forces(system, &sites);
    let mut kinds = [0; 4];
    for site in &sites {
        let Between::Surfaces(touch) = site.between else { panic!("{site:?}") };
        kinds[match touch {
            Touch::VertexTriangle { .. } => 0,
            Touch::VertexEdge { .. } => 1,
            Touch::VertexVertex { .. } => 2,
            Touch::EdgeEdge { .. } => 3,
        }] += 1;
        let mut nodes = vec![Vec3::zeros(); system.positions.len()];
        site.add_force(&site.normal, &mut nodes);
        let torque: Vec3 = nodes.iter().zip(&system.positions).map(|(force, x)| x.cross(force)).sum();
        let is_free = !site.is_on_support(&system.surface.movable);
        assert!(nodes.iter().sum::<Vec3>().norm() < 1e-12 && (torque.norm() < 1e-12 || !is_free), "{site:?}");
    }
    (sites, kinds)
}

/// Net torque of a force across the normal, over the force and the gap; the largest of all sites.
fn couples(system: &System, sites: &[ContactSite]) -> f64 {
    let couple = |site: &ContactSite| {
        let mut nodes = vec![Vec3::zeros(); system.positions.len()];
        let across = Vec3::new(0.3, 0.2, -0.5).cross(&site.normal);
        site.add_force(&across, &mut nodes);
        let torque: Vec3 = nodes.iter().zip(&system.positions).map(|(force, x)| x.cross(force)).sum();
        torque.norm() / (across.norm() * site.distance)
    };
    sites.iter().map(couple).fold(0.0, f64::max)
}

/// A net that lies on a box and hangs over its rim: each node over the box touches it, and each strand the rim that it leads over; nothing
/// of that is left for later, and all of it is without a net torque.
#[test]
fn a_net_on_a_box_touches_with_its_nodes_and_where_it_leads_over_the_rim() {
    for (held, sag) in [(false, 0.0), (false, 0.008), (true, 0.008)] {
        let (nodes, edges) = net([5, 5], 0.13, 0);
        let top = Vec3::new(0.0, 0.5 * REACH, 0.0);
        let half = Vec3::new(0.2, 0.0, 0.2);
        let mut nodes = turned(&nodes, Mat3::identity(), top - Vec3::new(0.296, 0.0, 0.296));
        let is_over = |p: &Vec3| p.x.abs() < half.x && p.z.abs() < half.z;
        nodes.iter_mut().filter(|p| !is_over(p)).for_each(|p| p.y -= sag);
        let over = nodes.iter().filter(|p| is_over(p)).count();
        let across = edges.iter().filter(|edge| is_over(&nodes[edge[0] as usize]) != is_over(&nodes[edge[1] as usize])).count();
        let low = block(Vec3::new(0.4, 0.1, 0.4), [3, 1, 3], Vec3::new(-0.2, -0.1, -0.2));
        let mut system = assembled(vec![Piece::Solid(low), Piece::Lines(nodes, edges)]);
        if held {
            let net = system.surface.vertices[system.surface.parts[1].vertices.start] as usize;
            system.fixed[..net].fill(true);
            system.surface.movable[..net].fill(false);
        }
        let (sites, kinds) = found(&mut system, REACH);
        assert_eq!(kinds, [over, 0, 0, across], "{held} {sag}");
        assert!(over == 9 && across == 12 && find(&system).in_reserve.is_empty());
        assert!(sites.iter().all(|site| site.distance <= 0.5 * REACH + 1e-12));
        // The normal leads to the first of the two.
        let first_is_net = |site: &ContactSite| system.surface.part_of_node(site.nodes().next().unwrap()) == Some(1);
        assert!(sites.iter().all(|site| (site.normal.y > 0.0) == first_is_net(site)));
        assert!(held || couples(&system, &sites) < 1e-12);
    }
}

/// Nets on one another touch where their strands cross; two lines carry friction there at one point.
#[test]
fn nets_on_one_another_touch_where_strands_cross() {
    let (low, edges) = net([4, 4], 0.13, 0);
    for degrees in [30.0, 77.0] {
        let turn = rotation([0.0, degrees, 0.0]);
        let high = turned(&low, turn, Vec3::new(0.11, 0.5 * REACH, 0.24));
        let crosses = |a: &[u32; 2], b: &[u32; 2]| {
            let flat = |p: Vec3| Vec3::new(p.x, 0.0, p.z);
            let (a, b) = (a.map(|n| flat(low[n as usize])), b.map(|n| flat(high[n as usize])));
            let nearest = crate::contact::primitive::edge_edge(&a[0], &a[1], &b[0], &b[1]);
            nearest.distance() < 1e-12
        };
        let expected = edges.iter().map(|a| edges.iter().filter(|b| crosses(a, b)).count()).sum::<usize>();
        let mut system = assembled(vec![Piece::Lines(low.clone(), edges.clone()), Piece::Lines(high.clone(), edges.clone())]);
        let (sites, kinds) = found(&mut system, 0.501 * REACH);
        assert_eq!(kinds, [0, 0, 0, expected], "{degrees}");
        assert!(expected > 10 && couples(&system, &sites) < 1e-12);
    }
}

/// A net that lies on the same net, node over node and shifted along one of its directions: vertices touch, from both sides.
#[test]
fn parallel_lines_touch_with_their_vertices() {
    let line = |shift: Vec3| (0..4).map(|k| 0.1 * f64::from(k) * Vec3::x() + shift).collect::<Vec<Vec3>>();
    for (shift, expected) in [(0.0, 8), (0.037, 6), (0.25, 2), (0.31, 0)] {
        let mut system = assembled(vec![strand(line(Vec3::zeros())), strand(line(Vec3::new(shift, 0.4 * REACH, 0.0)))]);
        let (sites, kinds) = found(&mut system, 0.41 * REACH);
        assert_eq!(kinds, [0, expected, 0, 0], "{shift}");
        // They feel no turning about themselves: what is left is at most the gap times the force.
        assert!(couples(&system, &sites) <= 1.0 + 1e-9);
    }
}

/// A box on its corner under a strand: its vertex touches the line, no edge of it and no face does.
#[test]
fn a_corner_touches_a_line() {
    let tip = rotation([45.0, 0.0, 90.0 - f64::sqrt(2.0).atan().to_degrees()]);
    let mut solid = block(Vec3::repeat(0.3), [2; 3], Vec3::zeros());
    (solid.turn, solid.corner) = (tip, -tip * Vec3::repeat(0.15));
    let points = system(&[block(Vec3::repeat(0.3), [2; 3], Vec3::zeros())], 0.5).positions;
    let top = points.iter().map(|p| tip * (p - Vec3::repeat(0.15))).max_by(|a, b| a.y.total_cmp(&b.y)).unwrap();
    let above = |x: f64| top + Vec3::new(x, 0.3 * REACH, 0.2 * x);
    let mut system = assembled(vec![Piece::Solid(solid), strand(vec![above(-0.3), above(0.1), above(0.4)])]);
    let (sites, kinds) = found(&mut system, REACH);
    assert_eq!(kinds, [0, 1, 0, 0], "{sites:?}");
    assert!((sites[0].normal + Vec3::y()).norm() < 1e-9 && (sites[0].distance / REACH - 0.3).abs() < 1e-9);
    assert!(couples(&system, &sites) < 1e-12);
}

/// A steep strand whose nodes are closer to one another than the barrier reaches stands on its end; from its other nodes it leads on to
/// what is nearer. Where it lies along a slope of the same kind, each node touches.
#[test]
fn a_strand_stands_on_its_end() {
    for (slope, expected) in [(1.0, 1), (0.0, 6)] {
        let nodes =
            (0..6).map(|k| Vec3::new(0.012, 0.2 * REACH, 0.017) + 0.2 * f64::from(k) * REACH * Vec3::new(0.4, slope, 0.1)).collect();
        let low = block(Vec3::new(0.4, 0.1, 0.4), [3, 1, 3], Vec3::new(-0.2, -0.1, -0.2));
        let mut system = assembled(vec![Piece::Solid(low), strand(nodes)]);
        let (sites, kinds) = found(&mut system, REACH);
        assert_eq!(kinds, [expected, 0, 0, 0], "{sites:?}");
    }
}

/// Beside a strand that stands, vertices of the face are nearer to it than the barrier reaches; but the face between them is nearer still,
/// and only the strand's end touches.
#[test]
fn the_vertices_beside_a_standing_strand_do_not_touch_it() {
    let low = || Piece::Solid(block(Vec3::new(0.3, 0.1, 0.3), [3, 1, 3], Vec3::new(-0.1, -0.1, -0.1)));
    let foot = Vec3::new(0.15, 0.2, 0.1) * REACH;
    let mut system = assembled(vec![low(), strand((0..6).map(|k| foot + 0.3 * f64::from(k) * REACH * Vec3::y()).collect())]);
    let vertex = system.positions.iter().position(|p| p.norm() < 1e-12).unwrap();
    assert!(vertex < system.positions.len() - 6, "a vertex of the face is there");
    let (sites, kinds) = found(&mut system, REACH);
    assert_eq!(kinds, [1, 0, 0, 0], "{sites:?}");
}

/// A strand that runs inside of a solid, along its face and under its vertices, does not touch it from there.
#[test]
fn a_strand_inside_of_a_solid_does_not_touch_its_face() {
    let low = || Piece::Solid(block(Vec3::new(0.4, 0.2, 0.4), [4, 2, 4], Vec3::new(-0.2, -0.2, -0.2)));
    for (height, touches) in [(0.4 * REACH, true), (-0.4 * REACH, false)] {
        let nodes = (0..4).map(|k| Vec3::new(0.11 * f64::from(k) - 0.165, height, 0.0)).collect();
        let mut system = assembled(vec![low(), strand(nodes)]);
        let (sites, kinds) = found(&mut system, REACH);
        assert_eq!(kinds[0] + kinds[1] > 4, touches, "{sites:?}");
        assert!(touches || sites.is_empty(), "{sites:?}");
    }
}

/// Strands that cross at half a degree touch with their vertices: where they cross is not told well.
#[test]
fn strands_that_hardly_cross_touch_with_their_vertices() {
    let line =
        |slope: f64, height: f64| strand((0..4).map(|k| 0.1 * (f64::from(k) - 1.5)).map(|s| Vec3::new(s, height, slope * s)).collect());
    for (slope, crossings) in [(0.009, 0), (0.02, 1)] {
        let mut system = assembled(vec![line(0.0, 0.0), line(slope, 0.4 * REACH)]);
        let (sites, kinds) = found(&mut system, REACH);
        assert_eq!((kinds[1], kinds[3]), (8, crossings), "{slope}: {sites:?}");
    }
}

/// A strand on the rim of a face: its vertices over the face touch it, those beside it do not, and where it leads over the rim it does.
#[test]
fn a_strand_beside_a_wall_touches_as_far_as_the_wall_goes() {
    let gap = 0.4 * REACH;
    for top in [0.35, 0.65, 1.5] {
        let wall = block(Vec3::new(0.2, top + 1.0, 0.4), [1, 4, 2], Vec3::new(-0.2, -1.0, -0.17));
        let nodes: Vec<Vec3> = (0..9).map(|k| Vec3::new(gap, 0.11 * f64::from(k), 0.003 * f64::from(k))).collect();
        let over = nodes.iter().filter(|p| p.y < top).count();
        let mut system = assembled(vec![Piece::Solid(wall), strand(nodes)]);
        let (sites, kinds) = found(&mut system, REACH);
        assert_eq!(kinds, [over, 0, 0, usize::from(over < 9)], "{top}: {sites:?}");
        assert!(sites.iter().all(|site| (site.distance - gap).abs() < 1e-9 && (site.normal.x.abs() - 1.0).abs() < 1e-9));
    }
}

/// Points touch triangles, lines and one another, each for itself.
#[test]
fn points_touch_triangles_lines_and_points() {
    let low = block(Vec3::new(0.4, 0.1, 0.4), [3, 1, 3], Vec3::new(-0.2, -0.1, -0.2));
    let gap = 0.4 * REACH;
    let at = |x: f64, y: f64| Vec3::new(x, y, 0.03);
    let line = strand(vec![at(-0.5, 0.3), at(0.0, 0.3), at(0.5, 0.3)]);
    let points = vec![at(0.11, gap), at(0.2, 0.3 + gap), at(0.05, 0.8), at(0.5 + gap, 0.3)];
    let others = vec![at(0.05, 0.8 + gap), at(0.05, 0.8 + 1.5 * gap)];
    let mut system = assembled(vec![Piece::Solid(low), line, Piece::Points(points), Piece::Points(others)]);
    let (sites, kinds) = found(&mut system, REACH);
    // The upper two of the column touch, too, being of one part that touches itself.
    assert_eq!(kinds, [1, 2, 3, 0], "{sites:?}");
    assert_eq!(without_self_contact(&system, &sites).len(), 5);
}

/// Points are each for themselves, and something round touches wherever a surface comes near, however alike the directions are.
#[test]
fn alike_directions_of_points_and_of_what_is_round_are_no_single_contact() {
    let at = |x: f64, y: f64| Vec3::new(x, y, 0.0) * REACH;
    let pair = vec![at(-0.05, 0.4), at(0.05, 0.4)];
    let mut system = assembled(vec![Piece::Points(vec![Vec3::zeros()]), Piece::Points(pair)]);
    let (sites, _) = found(&mut system, REACH);
    assert_eq!(without_self_contact(&system, &sites).len(), 2, "{sites:?}");
    // A ball in a wide groove of a strand, a little nearer to its one side.
    let (radius, slope): (f64, f64) = (0.5, 0.15);
    let groove = [-0.2, 0.0, 0.2].map(|x: f64| Vec3::new(x, slope * x.abs(), 0.0)).to_vec();
    let ball = Vec3::new(1e-4, (radius + 0.3 * REACH) * slope.hypot(1.0), 0.0);
    let mut system = assembled(vec![strand(groove), Piece::Round(vec![ball], radius)]);
    let (sites, kinds) = found(&mut system, REACH);
    assert_eq!(kinds, [0, 2, 0, 0], "{sites:?}");
    assert!((sites[0].point - sites[1].point).norm() > radius * slope, "{sites:?}");
}

/// A strand that is folded onto itself touches itself across the gap, and its neighbours nowhere.
#[test]
fn a_folded_strand_touches_itself() {
    let there = (0..5).map(|k| Vec3::new(0.1 * f64::from(k), 0.0, 0.0));
    let back = (0..5).map(|k| Vec3::new(0.4 - 0.09 * f64::from(k), 0.5 * REACH, 0.05 - 0.02 * f64::from(k)));
    let mut system = assembled(vec![strand(there.chain(back).collect())]);
    let (sites, kinds) = found(&mut system, REACH);
    assert_eq!(kinds, [0, 0, 0, 1], "{sites:?}");
    assert!((sites[0].normal.y.abs() - 1.0).abs() < 1e-9 && without_self_contact(&system, &sites).is_empty());
    // Bent back at one vertex, its two halves are near one another there by nature.
    let mut sharp = assembled(vec![strand([(0.0, 0.0), (0.1, 0.0), (0.0, 0.3)].map(|(x, y)| Vec3::new(x, y * REACH, 0.0)).to_vec())]);
    assert_eq!(found(&mut sharp, REACH).1, [0; 4]);
    let mut straight = assembled(vec![strand((0..9).map(|k| 0.3 * REACH * f64::from(k) * Vec3::x()).collect())]);
    // Two lines away, at 0.9 of the reach, the line begins that is no neighbour.
    assert_eq!(found(&mut straight, 0.5 * REACH).0.len(), 0);
}

/// On a ball and on a capsule a line touches between its nodes, wherever these are nearest.
#[test]
fn lines_touch_what_is_round() {
    let (radius, gap) = (0.1, 0.4 * REACH);
    let line = |turn: f64| {
        let along = Vec3::new(turn.cos(), 0.0, turn.sin());
        strand([-0.31, -0.11, 0.12, 0.29].map(|s| Vec3::new(0.02, radius + gap, 0.01) + s * along).to_vec())
    };
    for (turn, chain, expected) in [
        (0.3, vec![Vec3::new(0.02, 0.0, 0.01)], [0, 1, 0, 0]),
        (0.8, vec![Vec3::new(-0.5, 0.0, 0.01), Vec3::new(0.5, 0.0, 0.01)], [0, 0, 0, 1]),
        // Along the axis, two nodes of the line over the capsule.
        (0.0, vec![Vec3::new(-0.2, 0.0, 0.01), Vec3::new(0.2, 0.0, 0.01)], [0, 4, 0, 0]),
    ] {
        let mut system = assembled(vec![line(turn), Piece::Round(chain, radius)]);
        let (sites, kinds) = found(&mut system, REACH);
        assert_eq!(kinds, expected, "{sites:?}");
        assert!(sites.iter().all(|site| (site.distance - gap).abs() < 1e-9 && (site.normal.y.abs() - 1.0).abs() < 1e-9));
    }
}

/// A strand that is rooted in a solid begins where that ends: over the solid near the root there is one contact, with a triangle, and over
/// the strand one with a line. Its own root and its solid are no contact of the strand.
#[test]
fn a_strand_begins_at_its_root() {
    let solid = system(&[block(Vec3::new(0.4, 0.1, 0.4), [2, 1, 2], Vec3::zeros())], 0.5);
    let corner = solid.positions.iter().position(|p| (p - Vec3::new(0.4, 0.1, 0.4)).norm() < 1e-12).unwrap() as u32;
    let root = solid.positions[corner as usize];
    let first = solid.positions.len() as u32;
    let up = 0.3 * REACH * Vec3::y();
    for (place, expected) in [(Vec3::new(-0.2, 0.0, -0.2) * REACH, [1, 0, 0, 0]), (Vec3::new(0.05, 0.0, 0.0), [0, 1, 0, 0])] {
        let strand = (1..4).map(|k| root + 0.1 * f64::from(k) * Vec3::x());
        let x: Vec<Vec3> = solid.positions.iter().copied().chain(strand).chain([root + up + place]).collect();
        let edges = vec![[corner, first], [first, first + 1], [first + 1, first + 2]];
        let parts = vec![
            PartInput::new("solid", Vec::new(), edges, solid.surface.triangles.clone()),
            PartInput::new("point", vec![first + 3], Vec::new(), Vec::new()),
        ];
        let mut system = system_of(x, parts, 0.5);
        let (sites, kinds) = found(&mut system, REACH);
        assert_eq!(kinds, expected, "{sites:?}");
        assert!((sites[0].normal - Vec3::y()).norm() < 1e-9 && (sites[0].distance / REACH - 0.3).abs() < 1e-9);
    }
}

/// A line over something finely curved touches it where it is nearest, though no vertex is near and every edge counts as flat. Both sides
/// of a sheet are outside.
#[test]
fn a_line_touches_a_fine_curve_between_its_ends() {
    let strips = 80;
    let height = |x: f64| -0.05 * x * x;
    // An edge lies so far beside the top of the curve: near it, between, and where two edges are nearly as near as one another.
    let sheet = |offset: f64| -> Vec<Vec3> {
        let row =
            |z: f64| (0..=strips).map(move |k| f64::from(k) / f64::from(strips) - 0.5 + offset).map(move |x| Vec3::new(x, height(x), z));
        row(-0.5).chain(row(0.5)).collect()
    };
    let triangles: Vec<[u32; 3]> =
        (0..strips).flat_map(|k| [[k, strips + 1 + k, k + 1], [k + 1, strips + 1 + k, strips + 2 + k]]).collect();
    for (side, offset) in [1.0, -1.0].into_iter().flat_map(|side| [0.0013, 0.005, 0.00606].map(|offset| (side, offset))) {
        let gap = 0.1 * REACH * side;
        // The sheet as it is under the line, or turned over on it.
        let mut x: Vec<Vec3> = sheet(offset).into_iter().map(|p| Vec3::new(p.x, side * p.y, p.z)).collect();
        let first = x.len() as u32;
        x.extend([Vec3::new(-0.4, gap, 0.02), Vec3::new(0.4, gap, 0.03)]);
        let parts = vec![PartInput::triangles("sheet", triangles.clone()), PartInput::lines("line", vec![[first, first + 1]])];
        let mut system = system_of(x, parts, 0.5);
        let (sites, kinds) = found(&mut system, 0.3 * REACH);
        assert_eq!(kinds, [0, 0, 0, 1], "{side} {offset}: {sites:?}");
        assert!((sites[0].distance / REACH - 0.1).abs() < 1e-3 && (sites[0].normal.y.abs() - 1.0).abs() < 1e-3, "{sites:?}");
    }
}

use aplomb_sim::element::{Batch, tet::Tet};
use aplomb_sim::math::*;
use aplomb_sim::mesh::TetMesh;
use aplomb_sim::scene::*;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::system::*;
use aplomb_sim::watch::Unwatched;
fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let young: f64 = std::env::args().nth(2).unwrap().parse().unwrap();
    let mut it = text.split_whitespace();
    let (mut x, mut t) = (vec![], vec![]);
    while let Some(w) = it.next() {
        match w {
            "Vertices" => {
                let n: usize = it.next().unwrap().parse().unwrap();
                for _ in 0..n {
                    let p: Vec<f64> = (0..4).map(|_| it.next().unwrap().parse().unwrap()).collect();
                    x.push(Vec3::new(p[0], p[1], p[2]));
                }
            }
            "Tetrahedra" => {
                let n: usize = it.next().unwrap().parse().unwrap();
                for _ in 0..n {
                    let p: Vec<u32> = (0..5).map(|_| it.next().unwrap().parse().unwrap()).collect();
                    t.push([p[0] - 1, p[1] - 1, p[2] - 1, p[3] - 1]);
                }
            }
            _ => {}
        }
    }
    let law = aplomb_sim::material::law("neo_hookean").unwrap();
    let m = (law.build)(young, 0.4);
    let e = Batch::<Tet, 4, 6>::at_rest(&x, &t, &vec![m; t.len()]).unwrap();
    let mut masses = vec![0.0; x.len()];
    for (n, el) in t.iter().zip(&e.elements) {
        for &i in n {
            masses[i as usize] += 1000.0 * el.rest_volume / 4.0;
        }
    }
    let (lo, hi) = bounding_box(&x);
    let count = t.len();
    let system = System {
        masses,
        fixed: x.iter().map(|p| p.y < lo.y + 0.1 * (hi.y - lo.y)).collect(),
        gravity: Vec3::new(0.0, -9.81, 0.0),
        families: vec![Box::new(e)],
        bodies: vec![PlacedBody {
            name: "o".into(),
            nodes: 0..x.len(),
            elements: 0..count,
            mesh: TetMesh { positions: x.clone(), components: vec![0; count], tags: vec![0; count], tets: t, ..TetMesh::default() },
            damping: vec![0.0; count],
        }],
        obstacles: vec![],
        pairs: vec![],
        diagonal: bounding_diagonal(&x),
        positions: x,
        contact: ContactSettings::default(),
        initialise: InitialiseSettings::default(),
        simulate: SimulateSettings::default(),
        pattern: Default::default(),
    };
    let mut sim = Simulation::new(system);
    let r = sim.initialise(Method::SagFree, &Unwatched).unwrap();
    println!(
        "{:?} {:?} {:?} {:?} unat {} neg {:?} nnz {}",
        r.seconds,
        r.residual,
        r.iterations,
        r.compression.map(|c| (c.min, c.mean, c.std, c.max)),
        r.unattainable.elements,
        r.stability,
        r.nonzeros_in_factor
    );
    for _ in 0..5 {
        let s = sim.step(&Unwatched).unwrap();
        println!("{} {} it {} {}", s.drift, s.residual, s.iterations, s.seconds);
    }
    sim.initialise(Method::Naive, &Unwatched).unwrap();
    for _ in 0..100 {
        let s = sim.step(&Unwatched).unwrap();
        println!("naive {} {} it {} {}", s.drift, s.residual, s.iterations, s.seconds);
    }
}

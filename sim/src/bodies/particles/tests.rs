#![allow(clippy::unwrap_used, clippy::panic)]
use super::filling::Unfilled;
use super::placing::filled;
use super::{ParticleSettings, Sampling};
use crate::math::Vec3;
use crate::mesh::TriangleMesh;
use crate::watch::{Unwatched, Watch};

fn fill(positions: &[Vec3], triangles: &[[u32; 3]], spacing: f64, watch: &dyn Watch) -> Result<Vec<Vec3>, Unfilled> {
    filled(positions, triangles, &ParticleSettings::new(spacing), watch)
}

/// As many as a lattice would have, inside, the same again and others of another seed; of Poisson disks none near another, and more even than by chance
/// alone: counts in cells of eight vary less.
#[test]
fn what_is_scattered_fills_the_volume() {
    let ball = TriangleMesh::capsule(&Vec3::zeros(), &Vec3::zeros(), 1.0, 64);
    let volume: f64 = ball.triangles.iter().map(|t| t.map(|v| ball.positions[v as usize])).map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum();
    let count = (volume.abs() / 0.1_f64.powi(3)).round() as usize;
    let scattered = |sampling, seed| {
        let settings = ParticleSettings { sampling, seed, ..ParticleSettings::new(0.1) };
        filled(&ball.positions, &ball.triangles, &settings, &Unwatched).unwrap()
    };
    let least = |x: &[Vec3]| (0..x.len()).flat_map(|p| (0..p).map(move |q| (x[p] - x[q]).norm())).fold(f64::INFINITY, f64::min);
    let spread = |x: &[Vec3]| {
        // In the middle, where all cells are inside.
        let mut counts = [0_i32; 64];
        for x in x.iter().filter(|x| x.amax() < 0.4) {
            let [i, j, k]: [usize; 3] = x.map(|c| ((c + 0.4) / 0.2) as usize).into();
            counts[(4 * i + j) * 4 + k] += 1;
        }
        counts.iter().map(|count| f64::from(count - 8).powi(2)).sum::<f64>() / 64.0
    };
    let [disks, chance] = [Sampling::Poisson, Sampling::Random].map(|sampling| {
        let found = scattered(sampling, 0);
        assert_eq!(found.len(), count, "{sampling:?}");
        assert!(found.iter().all(|x| x.norm() < 1.0) && found == scattered(sampling, 0) && found != scattered(sampling, 1));
        (least(&found), spread(&found))
    });
    println!("apart {:.3}, {:.4}; variance of 8 in a cell {:.2}, {:.2}", disks.0, chance.0, disks.1, chance.1);
    assert!(disks.0 > 0.07 && chance.0 < 0.02, "{disks:?} {chance:?}");
    assert!(disks.1 < 3.0 && chance.1 > 4.0, "{disks:?} {chance:?}");
}

/// A box whose sides are multiples of the spacing has as many particles as cubes, half a spacing from its walls.
#[test]
fn a_box_is_filled_to_the_brim() {
    let cuboid = TriangleMesh::cuboid(&Vec3::new(0.2, 0.3, 0.1), &Vec3::new(0.4, 0.6, 0.2), [0.0; 3]);
    let found = fill(&cuboid.positions, &cuboid.triangles, 0.05, &Unwatched).unwrap();
    assert_eq!(found.len(), 8 * 12 * 4);
    for (k, side) in [0.4, 0.6, 0.2].into_iter().enumerate() {
        let least = found.iter().map(|x| x[k]).fold(f64::INFINITY, f64::min);
        let most = found.iter().map(|x| x[k]).fold(f64::NEG_INFINITY, f64::max);
        assert!((least - 0.025).abs() < 1e-12 && (most - side + 0.025).abs() < 1e-12, "{k}: {least} {most}");
    }
}

/// Of a ball as much as its volume, and nothing outside.
#[test]
fn a_ball_is_filled_by_its_volume() {
    let ball = TriangleMesh::capsule(&Vec3::zeros(), &Vec3::zeros(), 1.0, 64);
    let found = fill(&ball.positions, &ball.triangles, 0.08, &Unwatched).unwrap();
    let volume = found.len() as f64 * 0.08_f64.powi(3);
    assert!((volume / (4.0 / 3.0 * std::f64::consts::PI) - 1.0).abs() < 0.02, "{volume}");
    assert!(found.iter().all(|x| x.norm() < 1.0));
    assert_eq!(found, fill(&ball.positions, &ball.triangles, 0.08, &Unwatched).unwrap());
}

/// Open surfaces, spacings that do not suit, and too many, told before they are made.
#[test]
fn what_cannot_be_filled_is_told() {
    let mut cuboid = TriangleMesh::cuboid(&Vec3::zeros(), &Vec3::repeat(1.0), [0.0; 3]);
    let of = |mesh: &TriangleMesh, spacing| fill(&mesh.positions, &mesh.triangles, spacing, &Unwatched).unwrap_err();
    let Unfilled::Spacing(large) = of(&cuboid, 1.5) else { panic!() };
    assert!(large.contains("larger than the body"), "{large}");
    let Unfilled::Spacing(many) = of(&cuboid, 1e-4) else { panic!() };
    assert!(many.contains("1.00e12 particles") && many.contains("1.00e-2 m"), "{many}");
    cuboid.triangles.pop();
    let Unfilled::Surface(open) = of(&cuboid, 0.1) else { panic!() };
    assert!(open.contains("open at 3 edges"), "{open}");
}

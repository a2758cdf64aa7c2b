//! PC2 (3ds Max, *Point Cache 2*): for each body `NAME.obj`, its surface, and `NAME.pc2`, where its points are in each frame.
//!
//! A head of 32 bytes (magic, version 1, points, first frame, frames a sample, samples), then the points of each sample in
//! single precision, all little-endian. Points are those of the OBJ in its order and axes.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{FrameWriter, Moment};
use crate::export::{ExportError, ExportMesh, Surface, names, obj, save};

const MAGIC: &[u8; 12] = b"POINTCACHE2\0";
/// Where the number of samples stands.
const SAMPLES: u64 = 28;
const HEAD: u64 = 32;

struct PointCache {
    file: File,
    path: PathBuf,
    points: usize,
}

struct PointCaches {
    /// One for each body that has a surface or lines.
    caches: Vec<Option<PointCache>>,
    samples: u32,
}

/// Writes the surfaces, and caches without samples.
pub fn begin(folder: &Path, meshes: &[ExportMesh], _: f64) -> Result<Box<dyn FrameWriter>, ExportError> {
    ExportError::refuse_changing("PC2", meshes)?;
    let files = names::of_files(meshes.iter().map(|mesh| mesh.name.as_str()));
    let mut caches = Vec::new();
    for (mesh, file) in meshes.iter().zip(files) {
        if mesh.surface.is_empty() {
            caches.push(None);
            continue;
        }
        obj::FORMAT.write(std::slice::from_ref(mesh), &folder.join(format!("{file}.obj")))?;
        caches.push(Some(PointCache::create(folder.join(format!("{file}.pc2")), &mesh.surface)?));
    }
    Ok(Box::new(PointCaches { caches, samples: 0 }))
}

impl FrameWriter for PointCaches {
    fn frame(&mut self, _: Moment, meshes: &[ExportMesh]) -> Result<(), ExportError> {
        for (cache, mesh) in self.caches.iter_mut().zip(meshes) {
            let Some(cache) = cache else { continue };
            cache.append(self.samples, &mesh.surface).map_err(ExportError::at(&cache.path))?;
        }
        self.samples += 1;
        Ok(())
    }
}

impl PointCache {
    fn create(path: PathBuf, surface: &Surface) -> Result<Self, ExportError> {
        let mut head = MAGIC.to_vec();
        head.extend(1_i32.to_le_bytes());
        head.extend((surface.points.len() as i32).to_le_bytes());
        [0.0_f32, 1.0].iter().for_each(|x| head.extend(x.to_le_bytes()));
        head.extend(0_i32.to_le_bytes());
        save(&path, &head)?;
        let file = OpenOptions::new().write(true).open(&path).map_err(ExportError::at(&path))?;
        Ok(Self { file, path, points: surface.points.len() })
    }

    /// The head counts a sample only when it is there.
    fn append(&mut self, samples: u32, surface: &Surface) -> io::Result<()> {
        let bytes: Vec<u8> = surface.points.iter().flat_map(|p| p.iter()).flat_map(|x| (*x as f32).to_le_bytes()).collect();
        self.file.seek(SeekFrom::Start(HEAD + 12 * self.points as u64 * u64::from(samples)))?;
        self.file.write_all(&bytes)?;
        self.file.seek(SeekFrom::Start(SAMPLES))?;
        self.file.write_all(&(samples + 1).to_le_bytes())
    }
}

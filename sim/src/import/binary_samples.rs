//! Small binary files of every variant, all with the tet (0, x, y, z) of tag 7, put together number by number. They lie in `samples/`
//! for the readers to be tested with damaged copies; `WRITE_SAMPLES=1 cargo test` writes them anew.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::Write;
use std::path::PathBuf;

const POINTS: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Text and numbers in one byte order.
#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    big_endian: bool,
}

impl File {
    fn new(big_endian: bool) -> Self {
        Self { bytes: Vec::new(), big_endian }
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.bytes.extend(text.bytes());
        self
    }

    fn number<const N: usize>(&mut self, mut lowest_first: [u8; N]) {
        if self.big_endian {
            lowest_first.reverse();
        }
        self.bytes.extend(lowest_first);
    }

    fn i32(&mut self, numbers: &[i32]) -> &mut Self {
        numbers.iter().for_each(|n| self.number(n.to_le_bytes()));
        self
    }

    fn i64(&mut self, numbers: &[i64]) -> &mut Self {
        numbers.iter().for_each(|n| self.number(n.to_le_bytes()));
        self
    }

    fn f32(&mut self, numbers: &[f64]) -> &mut Self {
        numbers.iter().for_each(|&n| self.number((n as f32).to_le_bytes()));
        self
    }

    fn f64(&mut self, numbers: &[f64]) -> &mut Self {
        numbers.iter().for_each(|n| self.number(n.to_le_bytes()));
        self
    }
}

fn gmsh_2(big_endian: bool) -> Vec<u8> {
    let mut file = File::new(big_endian);
    file.text("$MeshFormat\n2.2 1 8\n").i32(&[1]).text("\n$EndMeshFormat\n$Nodes\n4\n");
    for (n, point) in (1..).zip(&POINTS) {
        file.i32(&[n]).f64(point);
    }
    file.text("\n$EndNodes\n$Elements\n3\n").i32(&[4, 1, 2, 1, 7, 1, 1, 2, 3, 4]).i32(&[2, 2, 1, 2, 3, 1, 2, 3, 3, 3, 1, 2, 4]);
    file.text("\n$EndElements\n");
    file.bytes
}

fn gmsh_4(big_endian: bool, zero: bool) -> Vec<u8> {
    let mut file = File::new(big_endian);
    let bounds = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
    file.text(if zero { "$MeshFormat\n4 1 8\n" } else { "$MeshFormat\n4.1 1 8\n" }).i32(&[1]);
    file.text("\n$EndMeshFormat\n$PhysicalNames\n1\n3 7 \"core\"\n$EndPhysicalNames\n$Entities\n").i64(&[1, 0, 0, 1]);
    file.i32(&[5]).f64(&bounds[..if zero { 6 } else { 3 }]).i64(&[0]);
    file.i32(&[1]).f64(&bounds).i64(&[1]).i32(&[7]).i64(&[1]).i32(&[-3]).text("\n$EndEntities\n$Nodes\n");
    if zero {
        file.i64(&[1, 4]).i32(&[1, 3, 0]).i64(&[4]);
        for (n, point) in (1..).zip(&POINTS) {
            file.i32(&[n]).f64(point);
        }
        file.text("\n$EndNodes\n$Elements\n").i64(&[1, 1]).i32(&[1, 3, 4]).i64(&[1]).i32(&[1, 1, 2, 3, 4]);
    } else {
        file.i64(&[1, 4, 1, 4]).i32(&[3, 1, 0]).i64(&[4, 1, 2, 3, 4]).f64(POINTS.as_flattened());
        file.text("\n$EndNodes\n$Elements\n").i64(&[1, 1, 1, 1]).i32(&[3, 1, 4]).i64(&[1, 1, 1, 2, 3, 4]);
    }
    file.text("\n$EndElements\n");
    file.bytes
}

fn medit(version: i32, big_endian: bool) -> Vec<u8> {
    let mut file = File::new(big_endian);
    file.i32(&[1, version]);
    // The content of a section is written on its own, to know where the next one begins.
    let mut section = |number: i32, write: &dyn Fn(&mut File)| {
        let mut content = File::new(big_endian);
        write(&mut content);
        let head = if version >= 3 { 12 } else { 8 };
        let next = if number == 54 { 0 } else { file.bytes.len() + head + content.bytes.len() };
        file.i32(&[number]);
        if version >= 3 {
            file.i64(&[next as i64])
        } else {
            file.i32(&[next as i32])
        };
        file.bytes.extend(content.bytes);
    };
    let int = |file: &mut File, numbers: &[i64]| {
        for &n in numbers {
            if version == 4 {
                file.i64(&[n])
            } else {
                file.i32(&[n as i32])
            };
        }
    };
    section(3, &|file| {
        file.i32(&[3]);
    });
    section(4, &|file| {
        int(file, &[4]);
        for point in &POINTS {
            if version == 1 {
                file.f32(point)
            } else {
                file.f64(point)
            };
            int(file, &[0]);
        }
    });
    section(14, &|file| int(file, &[1, 1]));
    section(8, &|file| int(file, &[1, 1, 2, 3, 4, 7]));
    section(7, &|file| int(file, &[1, 1, 2, 3, 4, 2]));
    section(5, &|file| int(file, &[1, 1, 2, 0]));
    section(54, &|_| {});
    file.bytes
}

fn vtk(is_new: bool) -> Vec<u8> {
    let mut file = File::new(true);
    file.text("# vtk DataFile Version 5.1\nbinary\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n").f64(POINTS.as_flattened());
    if is_new {
        file.text("\nCELLS 3 7\nOFFSETS vtktypeint64\n").i64(&[0, 4, 7]).text("\nCONNECTIVITY vtktypeint64\n").i64(&[0, 1, 2, 3, 0, 1, 2]);
    } else {
        file.text("\nCELLS 2 9\n").i32(&[4, 0, 1, 2, 3, 3, 0, 1, 2]);
    }
    file.text("\nCELL_TYPES 2\n").i32(&[10, 5]).text("\nPOINT_DATA 4\nSCALARS held char 1\nLOOKUP_TABLE default\n").text("\x01\0\0\0");
    file.text("\nVECTORS v float\n").f32(&[0.5; 12]).text("\nCELL_DATA 2\nFIELD FieldData 1\nCellEntityIds 1 2 vtktypeint64\n");
    file.i64(&[7, 2]).text("\nMETADATA\nINFORMATION 0\n\n");
    file.bytes
}

/// How the arrays of an XML file are written.
#[derive(Clone, Copy)]
struct Xml {
    wide: bool,
    big_endian: bool,
    base64: bool,
    appended: bool,
    packed: bool,
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let word = (0..3).fold(0, |word, i| word << 8 | u32::from(*three.get(i).unwrap_or(&0)));
        for i in 0..4 {
            text.push(if i > three.len() { '=' } else { DIGITS[(word >> (18 - 6 * i)) as usize & 63].into() });
        }
    }
    text
}

impl Xml {
    /// An array with its sizes before it. Unpacked, both are encoded in one; packed, each on its own, as VTK does it.
    fn encode(self, content: &[u8]) -> Vec<u8> {
        let mut sizes = File::new(self.big_endian);
        let size = |sizes: &mut File, n: usize| {
            if self.wide {
                sizes.i64(&[n as i64])
            } else {
                sizes.i32(&[n as i32])
            };
        };
        let mut body = content.to_vec();
        if self.packed {
            // Blocks of 24 bytes, of which the last may be shorter.
            let blocks: Vec<Vec<u8>> = content
                .chunks(24)
                .map(|block| {
                    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
                    encoder.write_all(block).unwrap();
                    encoder.finish().unwrap()
                })
                .collect();
            [blocks.len(), 24, content.len() % 24]
                .iter()
                .chain(&blocks.iter().map(Vec::len).collect::<Vec<_>>())
                .for_each(|&n| size(&mut sizes, n));
            body = blocks.concat();
        } else {
            size(&mut sizes, content.len());
        }
        match (self.base64, self.packed) {
            (false, _) => [sizes.bytes, body].concat(),
            (true, false) => base64(&[sizes.bytes, body].concat()).into_bytes(),
            (true, true) => (base64(&sizes.bytes) + &base64(&body)).into_bytes(),
        }
    }

    fn file(self) -> Vec<u8> {
        let order = if self.big_endian { "BigEndian" } else { "LittleEndian" };
        let sizes = if self.wide { "UInt64" } else { "UInt32" };
        let compressor = if self.packed { " compressor=\"vtkZLibDataCompressor\"" } else { "" };
        let mut file = File::new(self.big_endian);
        file.text(&format!(
            "<VTKFile type=\"UnstructuredGrid\" byte_order=\"{order}\" header_type=\"{sizes}\"{compressor}>\n<UnstructuredGrid>\n"
        ));
        file.text("<Piece NumberOfPoints=\"4\" NumberOfCells=\"2\">\n");
        let mut appended = Vec::new();
        let mut array = |file: &mut File, tag: &str, write: &dyn Fn(&mut File)| {
            let mut content = File::new(self.big_endian);
            write(&mut content);
            let encoded = self.encode(&content.bytes);
            if self.appended {
                file.text(&format!("<DataArray {tag} format=\"appended\" offset=\"{}\"/>\n", appended.len()));
                appended.extend(encoded);
            } else {
                file.text(&format!("<DataArray {tag} format=\"binary\">\n")).bytes.extend(encoded);
                file.text("\n</DataArray>\n");
            }
        };
        file.text("<CellData>\n");
        array(&mut file, "type=\"Int64\" Name=\"CellEntityIds\"", &|file| {
            file.i64(&[7, 1]);
        });
        file.text("</CellData>\n<Points>\n");
        array(&mut file, "type=\"Float32\" Name=\"Points\" NumberOfComponents=\"3\"", &|file| {
            file.f32(POINTS.as_flattened());
        });
        file.text("</Points>\n<Cells>\n");
        array(&mut file, "type=\"Int64\" Name=\"connectivity\"", &|file| {
            file.i64(&[0, 1, 2, 3, 0, 1, 2]);
        });
        array(&mut file, "type=\"Int32\" Name=\"offsets\"", &|file| {
            file.i32(&[4, 7]);
        });
        array(&mut file, "type=\"UInt8\" Name=\"types\"", &|file| file.bytes.extend([10, 5]));
        file.text("</Cells>\n</Piece>\n</UnstructuredGrid>\n");
        if self.appended {
            file.text(if self.base64 { "<AppendedData encoding=\"base64\">\n _" } else { "<AppendedData encoding=\"raw\">\n _" });
            file.bytes.extend(appended);
            file.text("\n</AppendedData>\n");
        }
        file.text("</VTKFile>\n");
        file.bytes
    }
}

/// All of them, with their names.
pub fn all() -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for (big_endian, order) in [(false, "little"), (true, "big")] {
        all.push((format!("tet_22_{order}.msh"), gmsh_2(big_endian)));
        all.push((format!("tet_40_{order}.msh"), gmsh_4(big_endian, true)));
        all.push((format!("tet_41_{order}.msh"), gmsh_4(big_endian, false)));
        for version in 1..=4 {
            all.push((format!("tet_{version}_{order}.meshb"), medit(version, big_endian)));
        }
    }
    all.push(("tet_4_binary.vtk".into(), vtk(false)));
    all.push(("tet_51_binary.vtk".into(), vtk(true)));
    for bits in 0..32 {
        let [wide, big_endian, base64, appended, packed] = [1, 2, 4, 8, 16].map(|bit| bits & bit != 0);
        // Raw numbers inside XML are no XML.
        if base64 || appended {
            let of = |yes: bool, word: &str| if yes { format!("_{word}") } else { String::new() };
            let parts = [of(base64, "base64"), of(appended, "appended"), of(packed, "zlib"), of(wide, "64"), of(big_endian, "big")];
            all.push((format!("tet{}.vtu", parts.concat()), Xml { wide, big_endian, base64, appended, packed }.file()));
        }
    }
    all
}

#[test]
fn the_files_are_those_described_here() {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/import/samples"));
    for (name, content) in all() {
        let file = folder.join(&name);
        if std::env::var_os("WRITE_SAMPLES").is_some() {
            std::fs::write(&file, &content).unwrap();
        }
        // How zlib packs may change; what it packed must not.
        if !name.contains("zlib") {
            assert!(std::fs::read(&file).unwrap() == content, "{name}");
        }
    }
}

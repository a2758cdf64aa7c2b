//! The parts of the JSON of a glTF file that are read. Entries are parsed where they are used: a file of ten thousand empty
//! nodes takes no more memory than its text.

use std::fmt;
use std::path::Path;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::super::ImportError;

/// The whole.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct Root<'a> {
    asset: Option<Asset>,
    pub scene: Option<usize>,
    #[serde(borrow)]
    pub scenes: Entries<'a>,
    #[serde(borrow)]
    pub nodes: Entries<'a>,
    #[serde(borrow)]
    pub meshes: Entries<'a>,
    #[serde(borrow)]
    pub materials: Entries<'a>,
    #[serde(borrow)]
    pub accessors: Entries<'a>,
    #[serde(borrow)]
    pub buffer_views: Entries<'a>,
    #[serde(borrow)]
    pub buffers: Entries<'a>,
    #[serde(rename = "extensionsRequired")]
    pub unknown_extensions: Extensions,
}

impl Root<'_> {
    /// An error unless it is of version 2.
    pub fn check_version(&self, path: &Path) -> Result<(), ImportError> {
        match self.asset.as_ref().map(|asset| asset.version.as_str()) {
            Some(version) if version.starts_with("2.") => Ok(()),
            Some(version) => {
                let version: String = version.chars().filter(|c| !c.is_control()).take(10).collect();
                Err(ImportError::whole(path, format!("this is glTF {version}, which is not read; export it as glTF 2.0")))
            }
            None => Err(ImportError::whole(path, "the entry `asset` is missing: this is no glTF".into())),
        }
    }
}

#[derive(Deserialize)]
struct Asset {
    version: String,
}

/// The unparsed objects of an array.
#[derive(Default)]
pub struct Entries<'a>(Vec<&'a RawValue>);

impl<'a> Entries<'a> {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Parses entry `index`; `what` names it in an error.
    pub fn get<T: Deserialize<'a>>(&self, path: &Path, what: &str, index: usize) -> Result<T, ImportError> {
        let Some(entry) = self.0.get(index) else {
            let message = format!("{what} {index} is referred to, but the file has only {}; it is damaged, export it again", self.len());
            return Err(ImportError::whole(path, message));
        };
        serde_json::from_str(entry.get()).map_err(|why| ImportError::whole(path, format!("{what} {index} is damaged: {why}")))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Objects;
        impl<'de> Visitor<'de> for Objects {
            type Value = Vec<&'de RawValue>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an array of objects")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
                let mut objects = Vec::new();
                while let Some(entry) = entries.next_element::<&RawValue>()? {
                    if !entry.get().starts_with('{') {
                        return Err(A::Error::custom("an object is expected"));
                    }
                    objects.push(entry);
                }
                Ok(objects)
            }
        }
        deserializer.deserialize_seq(Objects).map(Self)
    }
}

/// Extensions without which a file is not right, and that are not read; only a few names are kept.
#[derive(Default)]
pub struct Extensions {
    pub names: Vec<String>,
}

impl<'de> Deserialize<'de> for Extensions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// Extensions that are read.
        const KNOWN: &[&str] = &["KHR_mesh_quantization"];
        const MOST_NAMES: usize = 16;
        struct Strings;
        impl<'de> Visitor<'de> for Strings {
            type Value = Vec<String>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an array of names")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
                let mut names = Vec::new();
                while let Some(name) = entries.next_element::<String>()? {
                    if names.len() < MOST_NAMES && !KNOWN.contains(&name.as_str()) {
                        names.push(name);
                    }
                }
                Ok(names)
            }
        }
        deserializer.deserialize_seq(Strings).map(|names| Self { names })
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Scene {
    pub nodes: Vec<u32>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Node {
    pub name: Option<String>,
    pub mesh: Option<usize>,
    pub skin: Option<IgnoredAny>,
    pub children: Vec<u32>,
    /// By columns.
    pub matrix: Option<[f64; 16]>,
    pub translation: Option<[f64; 3]>,
    /// x, y, z, w of a quaternion.
    pub rotation: Option<[f64; 4]>,
    pub scale: Option<[f64; 3]>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Mesh<'a> {
    pub name: Option<String>,
    #[serde(borrow)]
    pub primitives: Entries<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Material {
    pub name: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Primitive {
    pub attributes: Attributes,
    pub indices: Option<usize>,
    pub material: Option<usize>,
    pub mode: Option<u32>,
    pub targets: Option<IgnoredAny>,
    pub extensions: PrimitiveExtensions,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Attributes {
    #[serde(rename = "POSITION")]
    pub position: Option<usize>,
    #[serde(rename = "TEXCOORD_0")]
    pub texture: Option<usize>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub draco: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: usize,
    pub component_type: u32,
    pub count: usize,
    #[serde(rename = "type")]
    pub shape: String,
    #[serde(default)]
    pub normalized: bool,
    pub sparse: Option<Sparse>,
}

/// Entries of an accessor that differ from those of its buffer view.
#[derive(Deserialize)]
pub struct Sparse {
    pub count: usize,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseIndices {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: usize,
    pub component_type: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseValues {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BufferView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: usize,
    pub byte_length: usize,
    pub byte_stride: Option<usize>,
    #[serde(default)]
    pub extensions: ViewExtensions,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct ViewExtensions {
    #[serde(rename = "EXT_meshopt_compression", alias = "KHR_meshopt_compression")]
    pub meshopt: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    pub uri: Option<String>,
    pub byte_length: usize,
}

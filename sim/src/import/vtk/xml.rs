//! VTK's XML files of one process: `.vtu` (unstructured grids) and `.vtp` (polygonal data).
//!
//! Read: any number of pieces, arrays in ascii, base64 or appended (raw or base64), of either byte order, sizes of 32 or 64 bits,
//! plain or packed by zlib; cells and cell data as in legacy files. All other data are skipped. Not read: arrays packed by LZ4 or
//! LZMA, structured grids, files that name other files (`.pvd`, `.pvtu`).

use std::path::Path;

use super::super::cursor::{Cursor, shown};
use super::super::{Format, ImportError, RawMesh, none_beside};
use super::array::{Array, Head};
use super::budget::Budget;
use super::bytes::SizeType;
use super::cells::Builder;
use super::piece::Piece;
use super::tag::{Tag, TagKind};
use crate::watch::Watch;

/// The format's entry.
pub const FORMAT: Format = Format {
    name: "VTK XML",
    extensions: &["vtu", "vtp"],
    doc: "VTK XML .vtu and .vtp: ascii, base64, appended, zlib; unstructured grids and polygonal data, a tag a cell; not LZ4, LZMA",
    matches: |content| {
        let name = b"<VTKFile";
        content[..content.len().min(1024)].windows(name.len()).any(|w| w == name)
    },
    beside: none_beside,
    read,
};

fn read(path: &Path, content: &[u8], watch: &dyn Watch) -> Result<RawMesh, ImportError> {
    let mut cursor = Cursor::new(path, content, watch);
    cursor.comments = false;
    let mut budget = Budget::new(content.len());
    let mut builder = Builder::default();
    let mut head = None;
    let mut piece = None;
    let mut pieces = 0;
    let mut parent: &[u8] = b"";
    while let Some(tag) = Tag::next(&mut cursor)? {
        match (tag.name, tag.kind) {
            (b"VTKFile", TagKind::Start) => head = Some(read_head(&cursor, &tag)?),
            (b"AppendedData", _) => break,
            (b"Piece", TagKind::End | TagKind::Whole) => {
                let piece = if tag.kind == TagKind::Whole { Some(Piece::new(tag)) } else { piece.take() };
                if let (Some(piece), Some(head)) = (piece, &mut head) {
                    piece.read(&mut cursor, head, &mut budget, &mut builder)?;
                    pieces += 1;
                }
            }
            (b"Piece", TagKind::Start) => piece = Some(Piece::new(tag)),
            (b"DataArray", TagKind::Start | TagKind::Whole) => {
                let array = Array::new(tag, &cursor);
                if let Some(piece) = &mut piece {
                    piece.take(parent, array, &cursor);
                }
            }
            (b"Points" | b"Cells" | b"Verts" | b"Lines" | b"Polys" | b"Strips" | b"CellData" | b"PointData" | b"FieldData", kind) => {
                parent = if kind == TagKind::Start { tag.name } else { b"" };
            }
            _ => {}
        }
    }
    if piece.is_some() || pieces == 0 {
        return Err(cursor.ended("the end of a piece"));
    }
    builder.finish(FORMAT.name, &mut cursor)
}

/// What the first tag says about the arrays, if meshes of its type are read.
pub(super) fn read_head<'a>(cursor: &Cursor, tag: &Tag<'a>) -> Result<Head<'a>, ImportError> {
    let refused = |why: String| Err(cursor.error_at(tag.offset, why));
    match tag.attribute(b"type").unwrap_or_default() {
        b"UnstructuredGrid" | b"PolyData" => {}
        b"Collection" => return refused("this is a list of files (.pvd), no mesh; import one of the .vtu files that it names".into()),
        b"PUnstructuredGrid" | b"PPolyData" => {
            return refused("this file names the parts of a mesh; import one of the .vtu or .vtp files that it names".into());
        }
        other => {
            let kind = shown(other);
            return refused(format!(
                "files of the type `{kind}` are not read; save an unstructured grid of tetrahedra (.vtu), or a surface"
            ));
        }
    }
    let sizes =
        SizeType { wide: tag.attribute(b"header_type") == Some(b"UInt64"), big_endian: tag.attribute(b"byte_order") == Some(b"BigEndian") };
    Ok(Head { sizes, compressor: tag.attribute(b"compressor").unwrap_or_default(), appended: None })
}

//! The layout as a file has it: rows and columns of panels by their names.

use std::collections::BTreeSet;

use egui_tiles::{Container, Linear, LinearDir, Tabs, Tile, TileId, Tiles, Tree};
use serde::{Deserialize, Serialize};

use super::{Pane, Sizes, docks};

/// A part of the window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Node {
    /// Parts beside one another.
    Row(Parts),
    /// Parts below one another.
    Column(Parts),
    /// Panels behind one another.
    Tabs {
        /// Their names.
        panels: Vec<String>,
        /// The one in front.
        front: Option<String>,
        /// Width in a row, height in a column, if the user chose it [points].
        size: Option<f32>,
    },
}

/// Parts along a row or a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parts {
    parts: Vec<Node>,
    /// As of [`Node::Tabs`].
    size: Option<f32>,
}

/// Sizes outside of this were not chosen by anybody [points].
const SIZES: std::ops::RangeInclusive<f32> = 16.0..=16_000.0;

impl Default for Node {
    /// The outliner beside the view, the transport strip below both, the other panels below that.
    fn default() -> Self {
        let one = |pane: Pane| Self::Tabs { panels: vec![pane.name().to_owned()], front: None, size: None };
        let middle = Self::Row(Parts { parts: vec![one(Pane::Outliner), one(Pane::View)], size: None });
        let below = Self::Tabs { panels: docks().map(|tab| Pane::Dock(tab).name().to_owned()).collect(), front: None, size: None };
        Self::Column(Parts { parts: vec![middle, one(Pane::Transport), below], size: None })
    }
}

impl Node {
    /// It, with each panel that there is once: others are left out, and new ones stand with those that have tabs. The default layout
    /// where the view or the strips are missing.
    pub fn completed(mut self) -> Self {
        let mut known: BTreeSet<Pane> = Pane::all().collect();
        self.keep(&mut known);
        if known.iter().any(|pane| !matches!(pane, Pane::Dock(_))) {
            return Self::default();
        }
        let missing: Vec<String> = known.iter().map(|pane| pane.name().to_owned()).collect();
        if !missing.is_empty() && !self.add(&missing) {
            return Self::default();
        }
        self
    }

    /// Leaves out what is not in `known`, and takes from there what it has.
    fn keep(&mut self, known: &mut BTreeSet<Pane>) {
        match self {
            Self::Row(of) | Self::Column(of) => {
                of.size = of.size.filter(|size| SIZES.contains(size));
                of.parts.iter_mut().for_each(|part| part.keep(known));
                of.parts.retain(|part| match part {
                    Self::Row(of) | Self::Column(of) => !of.parts.is_empty(),
                    Self::Tabs { panels, .. } => !panels.is_empty(),
                });
            }
            Self::Tabs { panels, size, .. } => {
                *size = size.filter(|size| SIZES.contains(size));
                panels.retain(|name| {
                    let pane = known.iter().find(|pane| pane.name() == name).copied();
                    pane.is_some_and(|pane| known.remove(&pane))
                });
            }
        }
    }

    /// Puts panels with the first others that have tabs; whether there are such.
    fn add(&mut self, names: &[String]) -> bool {
        match self {
            Self::Row(of) | Self::Column(of) => of.parts.iter_mut().any(|part| part.add(names)),
            Self::Tabs { panels, .. } => {
                let docked = docks().any(|tab| panels.iter().any(|name| name == Pane::Dock(tab).name()));
                if docked {
                    panels.extend_from_slice(names);
                }
                docked
            }
        }
    }

    /// Makes tiles of it.
    pub fn insert(&self, tiles: &mut Tiles<Pane>, sizes: &mut Sizes) -> TileId {
        let mut linear = |of: &Parts, dir| {
            let children = of.parts.iter().map(|part| part.insert(tiles, sizes)).collect();
            (tiles.insert_container(Linear::new(dir, children)), of.size)
        };
        let (id, size) = match self {
            Self::Row(of) => linear(of, LinearDir::Horizontal),
            Self::Column(of) => linear(of, LinearDir::Vertical),
            Self::Tabs { panels, front, size } => {
                let pane = |name: &String| Pane::all().find(|pane| pane.name() == name);
                let children: Vec<(TileId, &String)> =
                    panels.iter().filter_map(|name| Some((tiles.insert_pane(pane(name)?), name))).collect();
                let mut tabs = Tabs::new(children.iter().map(|child| child.0).collect());
                let in_front = children.iter().find(|child| Some(child.1) == front.as_ref());
                tabs.active = in_front.map(|child| child.0).or(tabs.active);
                (tiles.insert_container(tabs), *size)
            }
        };
        sizes.extend(size.map(|size| (id, size)));
        id
    }

    /// What the tiles of `tree` come to.
    pub fn of(tree: &Tree<Pane>, sizes: &Sizes) -> Option<Self> {
        Self::of_tile(&tree.tiles, sizes, tree.root()?)
    }

    fn of_tile(tiles: &Tiles<Pane>, sizes: &Sizes, id: TileId) -> Option<Self> {
        let size = sizes.get(&id).copied();
        Some(match tiles.get(id)? {
            Tile::Pane(pane) => Self::Tabs { panels: vec![pane.name().to_owned()], front: None, size },
            Tile::Container(Container::Linear(linear)) => {
                let parts = linear.children.iter().filter_map(|child| Self::of_tile(tiles, sizes, *child)).collect();
                let of = Parts { parts, size };
                if linear.dir == LinearDir::Horizontal { Self::Row(of) } else { Self::Column(of) }
            }
            // What stands in a grid, or in rows behind tabs, is told one behind the other.
            Tile::Container(container) => {
                let mut panels = Vec::new();
                panes_under(tiles, id, &mut panels);
                let front = match container {
                    Container::Tabs(tabs) => tabs.active.and_then(|front| tiles.get_pane(&front)).map(|pane| pane.name().to_owned()),
                    Container::Linear(_) | Container::Grid(_) => None,
                };
                Self::Tabs { panels, front, size }
            }
        })
    }
}

fn panes_under(tiles: &Tiles<Pane>, id: TileId, names: &mut Vec<String>) {
    match tiles.get(id) {
        Some(Tile::Pane(pane)) => names.push(pane.name().to_owned()),
        Some(Tile::Container(container)) => container.children().for_each(|child| panes_under(tiles, *child, names)),
        None => {}
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::panels::BottomTab;
    use egui::Id;

    fn there_and_back(node: &Node) -> Node {
        let (mut tiles, mut sizes) = (Tiles::default(), Sizes::new());
        let root = node.insert(&mut tiles, &mut sizes);
        Node::of(&Tree::new(Id::unique("test"), root, tiles), &sizes).unwrap()
    }

    fn tabs(names: &[&str], size: Option<f32>) -> Node {
        Node::Tabs { panels: names.iter().map(|name| (*name).to_owned()).collect(), front: Some(names[0].to_owned()), size }
    }

    #[test]
    fn a_layout_survives_tiles_and_text() {
        let beside =
            Node::Row(Parts { parts: vec![tabs(&["Histogram"], None), tabs(&["Problems", "Plots"], Some(300.0))], size: Some(250.0) });
        let middle = Node::Row(Parts { parts: vec![tabs(&["Scene"], Some(180.0)), tabs(&["3D"], None)], size: None });
        let node = Node::Column(Parts { parts: vec![middle, tabs(&["Transport"], None), beside], size: None });
        let text = serde_json::to_string(&node).unwrap();
        assert_eq!(there_and_back(&serde_json::from_str(&text).unwrap()), node);
    }

    #[test]
    fn what_is_unknown_or_twice_is_left_out_and_what_is_new_is_added() {
        let parts = vec![
            Node::Row(Parts { parts: vec![tabs(&["Scene"], Some(f32::NAN)), tabs(&["3D"], None)], size: None }),
            tabs(&["Transport"], None),
            tabs(&["Weather"], None),
            tabs(&["Histogram", "Histogram"], Some(-3.0)),
        ];
        let completed = Node::Column(Parts { parts, size: None }).completed();
        let Node::Column(Parts { parts, .. }) = &completed else { panic!("{completed:?}") };
        let Node::Tabs { panels, size, .. } = &parts[2] else { panic!("{completed:?}") };
        assert_eq!((parts.len(), size), (3, &None));
        assert!(panels.starts_with(&["Histogram".to_owned()]) && panels.len() == docks().count(), "{panels:?}");
        assert!(panels.iter().any(|name| name == Pane::Dock(BottomTab::Problems).name()));
    }

    #[test]
    fn without_the_view_it_is_the_default_layout() {
        for names in [vec!["Scene", "Transport", "Plots"], vec!["3D", "Scene", "Transport"], vec![]] {
            let parts = names.iter().map(|name| tabs(&[name], None)).collect();
            assert_eq!(Node::Column(Parts { parts, size: None }).completed(), Node::default(), "{names:?}");
        }
    }
}

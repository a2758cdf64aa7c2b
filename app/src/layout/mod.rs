//! Where panels stand: docks that are moved, closed and maximised, columns that give way, and the file that keeps all this.

mod kept;
mod node;
mod sizes;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use egui::{Id, Vec2};
use egui_tiles::{Container, Linear, Tile, TileId, Tiles, Tree};

use crate::panels::{BottomTab, Look, PANELS, Place};
use kept::Kept;
use node::Node;

pub use sizes::GAP;

/// From this width on columns are wider [points].
const WIDE: f32 = 2000.0;
/// Below this width one column gives way to the view [points].
const NARROW: f32 = 1000.0;
/// Width of the outliner, and in a wide window [points].
pub const OUTLINER: [f32; 2] = [216.0, 264.0];
/// Width of the right column, and in a wide window [points].
pub const RIGHT: [f32; 2] = [304.0, 344.0];
/// Width of what is left of a column that is collapsed [points].
pub const RAIL: f32 = 28.0;
/// Height of the transport strip [points].
pub const TRANSPORT: f32 = 40.0;
/// Height of a bar of tabs [points].
pub const TABS: f32 = 32.0;
/// Height of a dock at the bottom: its tabs, and a plot with some room [points].
const DOCK: f32 = TABS + 156.0;
/// Width of a dock beside the view [points].
const DOCK_WIDTH: f32 = 360.0;

/// What the user made of tiles along their rows and columns [points].
type Sizes = HashMap<TileId, f32>;

/// What stands in one place of the window's middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pane {
    /// The views of the bodies.
    View,
    /// The panels at the left side.
    Outliner,
    /// The strip along the bottom.
    Transport,
    /// A panel with a tab.
    Dock(BottomTab),
}

impl Pane {
    /// Its name, in tabs and in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::View => "3D",
            Self::Outliner => "Scene",
            Self::Transport => "Transport",
            Self::Dock(tab) => PANELS.iter().find(|panel| panel.place == Place::Tab(tab)).map_or("", |panel| panel.title),
        }
    }

    /// Every pane, those with tabs in the order of [`PANELS`].
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::View, Self::Outliner, Self::Transport].into_iter().chain(docks().map(Self::Dock))
    }
}

/// The panels with tabs, in the order of [`PANELS`].
pub fn docks() -> impl Iterator<Item = BottomTab> {
    PANELS.iter().filter_map(|panel| if let Place::Tab(tab) = panel.place { Some(tab) } else { None })
}

/// A column at a side of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The outliner.
    Left,
    /// Verdict and tabs.
    Right,
}

/// A change of the layout that somebody wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrange {
    /// Close a panel, or open it again.
    Toggle(BottomTab),
    /// Give one panel all the room, or what had it back its place; the one in front where none is named.
    Maximise(Option<BottomTab>),
    /// Bring a panel to the front, and open it if it was closed.
    Front(BottomTab),
    /// Collapse a column, or show it again.
    Column(Side),
    /// Hide all docks, or show them.
    Docks,
    /// As it was when the editor was started for the first time.
    Reset,
}

/// How large everything in the window is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zoom {
    /// A tenth larger.
    In,
    /// A tenth smaller.
    Out,
    /// As large as the system says.
    Actual,
}

/// Where panels stand.
pub struct Layout {
    tree: Tree<Pane>,
    sizes: Sizes,
    closed: BTreeSet<Pane>,
    maximised: Option<BottomTab>,
    /// Whether docks are shown; as long as the user does not say, where they have something to show.
    docks: Option<bool>,
    /// Whether the outliner and the right column are collapsed.
    collapsed: [bool; 2],
    /// The column that gives way in a narrow window.
    yields: Side,
    /// Width of the right column, if the user changed it [points].
    pub right_width: Option<f32>,
    /// The panel that was brought to the front last.
    front: BottomTab,
    /// Tiles that have a place of their own and no tab.
    bare: Vec<TileId>,
    /// Counts how often the default was asked for: nothing that is remembered elsewhere outlives it.
    pub resets: u32,
    /// What is known of the window now.
    width: f32,
    shown_docks: bool,
    file: Option<PathBuf>,
    /// As it is in the file.
    written: Option<Kept>,
}

impl Layout {
    /// The layout that is kept in `folder`, and the scale of everything; the default one where there is none, or where its file is damaged.
    pub fn read(folder: Option<&Path>) -> (Self, f32) {
        let file = folder.map(|folder| folder.join("layout.json"));
        let kept = file.as_deref().and_then(Kept::read);
        let scale = kept.as_ref().map_or(1.0, |kept| kept.scale);
        let mut layout = Self::of(kept.as_ref().unwrap_or(&Kept::default()));
        (layout.file, layout.written) = (file, kept);
        (layout, scale)
    }

    fn of(kept: &Kept) -> Self {
        let mut sizes = Sizes::new();
        let mut tiles = Tiles::default();
        let root = kept.panels.clone().completed().insert(&mut tiles, &mut sizes);
        Self {
            tree: Tree::new(Id::unique("layout"), root, tiles),
            sizes,
            closed: Pane::all().filter(|pane| kept.closed.iter().any(|name| name == pane.name())).collect(),
            maximised: None,
            docks: kept.docks,
            collapsed: kept.collapsed,
            yields: Side::Left,
            right_width: kept.right_width,
            front: BottomTab::default(),
            bare: Vec::new(),
            resets: 0,
            width: 0.0,
            shown_docks: false,
            file: None,
            written: None,
        }
    }

    /// Keeps it for the next window, if it changed. `scale`: that of everything.
    pub fn keep(&mut self, scale: f32) {
        let Some(file) = &self.file else { return };
        let Some(panels) = Node::of(&self.tree, &self.sizes) else { return };
        let scale = scale.clamp(*SCALES.start(), *SCALES.end());
        let closed = self.closed.iter().map(|pane| pane.name().to_owned()).collect();
        let now = Kept { scale, panels, closed, docks: self.docks, collapsed: self.collapsed, right_width: self.right_width };
        if self.written.as_ref() != Some(&now) {
            now.write(file);
            self.written = Some(now);
        }
    }

    /// Carries out a wish.
    pub fn arrange(&mut self, wish: Arrange) {
        match wish {
            Arrange::Toggle(tab) if self.is_open(tab) => {
                self.closed.insert(Pane::Dock(tab));
                self.maximised = self.maximised.filter(|maximised| *maximised != tab);
            }
            Arrange::Toggle(tab) | Arrange::Front(tab) => self.bring_up(tab, true),
            Arrange::Maximise(tab) => {
                let wanted = tab.or(Some(self.front)).filter(|_| self.maximised.is_none());
                self.maximised = wanted;
                if let Some(tab) = wanted {
                    self.bring_up(tab, true);
                }
            }
            Arrange::Column(side) => {
                let shown = self.shows(side);
                self.collapsed[side as usize] = shown;
                if !shown {
                    self.yields = match side {
                        Side::Left => Side::Right,
                        Side::Right => Side::Left,
                    };
                }
            }
            Arrange::Docks => {
                self.docks = Some(!self.shown_docks);
                if docks().all(|tab| self.closed.contains(&Pane::Dock(tab))) {
                    self.closed.clear();
                }
            }
            Arrange::Reset => {
                let (file, written) = (self.file.take(), self.written.take());
                *self = Self { file, written, front: self.front, resets: self.resets + 1, width: self.width, ..Self::of(&Kept::default()) };
            }
        }
    }

    /// Whether a panel stands somewhere, behind another tab perhaps, and can be seen.
    pub fn is_open(&self, tab: BottomTab) -> bool {
        !self.closed.contains(&Pane::Dock(tab)) && self.shown_docks
    }

    /// Whether a column is shown, and not only its rail.
    pub fn shows(&self, side: Side) -> bool {
        let gives_way = self.width < NARROW && self.yields == side && !self.collapsed.contains(&true);
        !self.collapsed[side as usize] && !gives_way
    }

    /// The panel that was brought to the front last.
    pub fn front(&self) -> BottomTab {
        self.front
    }

    /// The user brought a panel to the front.
    pub fn is_in_front(&mut self, tab: BottomTab) {
        self.front = tab;
    }

    /// Whether a tile has a place of its own, and no tab as long as nothing is docked with it.
    pub fn is_bare(&self, tile: TileId) -> bool {
        self.bare.contains(&tile)
    }

    /// Whether docks are shown.
    pub fn shows_docks(&self) -> bool {
        self.shown_docks
    }

    /// The panel that has all the room.
    pub fn maximised(&self) -> Option<BottomTab> {
        self.maximised
    }

    /// Gives a maximised panel back its place; whether there was one.
    pub fn restore(&mut self) -> bool {
        self.maximised.take().is_some()
    }

    /// Brings a panel to the front of its tabs, and opens it if it was closed. `asked`: by the user, who sees it even if it is empty.
    pub fn bring_up(&mut self, tab: BottomTab, asked: bool) {
        self.front = tab;
        self.closed.remove(&Pane::Dock(tab));
        // News open what was hidden.
        self.docks = if asked { Some(true) } else { self.docks.filter(|shown| *shown) };
        self.tree.make_active(|_, tile| matches!(tile, Tile::Pane(Pane::Dock(of)) if *of == tab));
    }

    /// Width of the window's middle and sides [points]; what the docks hold; the panel that is to be in front.
    pub fn follow(&mut self, width: f32, look: &Look<'_>) {
        self.width = width;
        if look.desk.tab != self.front {
            self.bring_up(look.desk.tab, false);
        }
        self.shown_docks = self.docks.unwrap_or_else(|| has_something(look));
        let panes: Vec<(TileId, Pane)> =
            self.tree.tiles.iter().filter_map(|(id, tile)| if let Tile::Pane(pane) = tile { Some((*id, *pane)) } else { None }).collect();
        for (id, pane) in panes {
            let shown = match pane {
                Pane::View | Pane::Transport => true,
                Pane::Outliner => self.shows(Side::Left),
                Pane::Dock(_) => self.shown_docks && !self.closed.contains(&pane),
            };
            self.tree.set_visible(id, shown);
        }
        let bare = |(id, tile): (&TileId, &Tile<Pane>)| matches!(tile, Tile::Pane(pane) if !matches!(pane, Pane::Dock(_))).then_some(*id);
        self.bare = self.tree.tiles.iter().filter_map(bare).collect();
    }

    /// Which of two widths is for this window.
    pub fn wide(&self) -> usize {
        usize::from(self.width >= WIDE)
    }

    /// The tree, to be drawn in a room of this size; it is given back by [`Self::give_back`].
    pub fn take(&mut self, room: Vec2, look: &Look<'_>) -> Tree<Pane> {
        let mut tree = std::mem::replace(&mut self.tree, Tree::empty(Id::unique("layout, while it is drawn")));
        if let Some(root) = tree.root() {
            let outliner = OUTLINER[self.wide()];
            sizes::fit(&mut tree, root, room, &self.sizes, &|pane| sizes::Wish::of(pane, outliner, look));
        }
        tree
    }

    /// Takes the tree back, after it was drawn as `before` was fitted. `resized`, `moved`: by the user, who dropped a tile.
    pub fn give_back(&mut self, before: Tree<Pane>, mut tree: Tree<Pane>, resized: bool, moved: Option<TileId>) {
        if resized {
            sizes::learn(&before, &tree, &mut self.sizes);
        }
        if let Some(dropped) = moved {
            stand_beside_tabs(&mut tree.tiles, dropped);
        }
        if !is_sound(&tree) {
            tree = before;
        } else if moved.is_some() {
            sizes::follow(&before, &tree, &mut self.sizes);
        }
        self.tree = tree;
        if moved.is_some() {
            // On its way over other tabs it brought them to the front.
            let front = self.front;
            self.tree.make_active(|_, tile| *tile == Tile::Pane(Pane::Dock(front)));
        }
        self.sizes.retain(|id, _| self.tree.tiles.get(*id).is_some());
    }
}

/// Puts a tile that was dropped on one side of a panel with tabs beside all of these tabs: `egui_tiles` puts both in the place of that
/// panel, behind its tab.
fn stand_beside_tabs(tiles: &mut Tiles<Pane>, dropped: TileId) {
    let mut part = dropped;
    let (halves, linear) = loop {
        let Some(parent) = tiles.parent_of(part) else { return };
        match tiles.get_container(parent) {
            Some(Container::Linear(linear)) => break (parent, linear.clone()),
            Some(Container::Tabs(tabs)) if tabs.children.len() == 1 => part = parent,
            _ => return,
        }
    };
    let [first, second] = linear.children[..] else { return };
    let stays = if part == first { second } else { first };
    let Some(place) = tiles.parent_of(halves) else { return };
    let Some(Container::Tabs(tabs)) = tiles.get_container(place) else { return };
    let mut tabs = tabs.clone();
    tabs.children.iter_mut().filter(|child| **child == halves).for_each(|child| *child = stays);
    tabs.active = tabs.active.map(|active| if active == halves { stays } else { active });
    tiles.remove(halves);
    let tabs = tiles.insert_container(tabs);
    let children = linear.children.iter().map(|child| if *child == stays { tabs } else { *child }).collect();
    if let Some(tile) = tiles.get_mut(place) {
        *tile = Tile::Container(Container::Linear(Linear::new(linear.dir, children)));
    }
}

/// Whether there is something to plot, or wrong: what is worth the room of a dock.
fn has_something(look: &Look<'_>) -> bool {
    !look.main.series.is_empty() || look.problem_count() > 0
}

/// Whether everything is there, and the transport strip is a strip: under or over something, without a tab.
fn is_sound(tree: &Tree<Pane>) -> bool {
    let of = |pane: Pane| tree.tiles.iter().find(|(_, tile)| **tile == Tile::Pane(pane)).map(|(id, _)| *id);
    let Some(transport) = of(Pane::Transport) else { return false };
    let alone = |id: TileId| tree.tiles.get_container(id).is_some_and(|container| container.num_children() == 1);
    let mut above = tree.tiles.parent_of(transport);
    while let Some(parent) = above.filter(|parent| alone(*parent)) {
        above = tree.tiles.parent_of(parent);
    }
    let stacked = above.and_then(|id| tree.tiles.get_container(id)).is_some_and(|container| match container {
        Container::Linear(linear) => linear.dir == egui_tiles::LinearDir::Vertical,
        Container::Tabs(_) | Container::Grid(_) => false,
    });
    stacked && Pane::all().all(|pane| of(pane).is_some())
}

/// Least and largest scale of everything.
pub const SCALES: std::ops::RangeInclusive<f32> = 0.5..=3.0;

/// Makes everything larger or smaller.
pub fn zoom(ctx: &egui::Context, zoom: Zoom) {
    let now = ctx.zoom_factor();
    let then = match zoom {
        Zoom::In => now + 0.1,
        Zoom::Out => now - 0.1,
        Zoom::Actual => 1.0,
    };
    ctx.set_zoom_factor(((10.0 * then).round() / 10.0).clamp(*SCALES.start(), *SCALES.end()));
}

//! Points for everything: columns, strips and docks keep their sizes while the window changes, and the view takes the rest.

use egui::Vec2;
use egui_tiles::{Container, LinearDir, Tile, TileId, Tiles, Tree};

use super::{DOCK, DOCK_WIDTH, Pane, Sizes, TABS, TRANSPORT};
use crate::panels::{Look, height_of};

/// Least width and height of the view [points].
const VIEW: Vec2 = Vec2::new(240.0, 160.0);
/// Least size of a dock [points].
const LEAST: f32 = 64.0;
/// Width of the line between two parts [points].
pub const GAP: f32 = 1.0;

/// What a pane would like to have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wish {
    /// It is so high, and never anything else [points].
    pub strip: Option<f32>,
    /// It takes what the others leave.
    pub takes_rest: bool,
    /// Width and height, as long as the user does not choose others [points].
    pub size: Vec2,
    /// It makes no use of more height than this [points].
    pub most: f32,
}

impl Wish {
    /// That of `pane` now.
    pub fn of(pane: Pane, outliner: f32, look: &Look<'_>) -> Self {
        let plain = Self { strip: None, takes_rest: false, size: Vec2::new(DOCK_WIDTH, DOCK), most: f32::INFINITY };
        match pane {
            Pane::View => Self { takes_rest: true, size: VIEW, ..plain },
            Pane::Outliner => Self { size: Vec2::new(outliner, DOCK), ..plain },
            Pane::Transport => Self { strip: Some(TRANSPORT), ..plain },
            Pane::Dock(tab) => Self { most: height_of(tab, look).map_or(f32::INFINITY, |height| TABS + height), ..plain },
        }
    }
}

/// What a tile would like to have: as much as what is seen of it.
fn wish(tiles: &Tiles<Pane>, id: TileId, of: &dyn Fn(Pane) -> Wish) -> Option<Wish> {
    if !tiles.is_visible_in_layout(id) {
        return None;
    }
    match tiles.get(id)? {
        Tile::Pane(pane) => Some(of(*pane)),
        Tile::Container(Container::Tabs(tabs)) => {
            let front = wish(tiles, tabs.next_active(tiles)?, of)?;
            let all = tabs.children.iter().filter_map(|child| wish(tiles, *child, of));
            Some(Wish { takes_rest: all.fold(false, |any, wish| any | wish.takes_rest), ..front })
        }
        Tile::Container(container) => {
            let along = if let Container::Linear(linear) = container { Some(linear.dir) } else { None };
            let join = |a: Wish, b: Wish| Wish {
                strip: None,
                takes_rest: a.takes_rest || b.takes_rest,
                size: if along == Some(LinearDir::Horizontal) {
                    Vec2::new(a.size.x + b.size.x, a.size.y.max(b.size.y))
                } else {
                    Vec2::new(a.size.x.max(b.size.x), a.size.y + b.size.y)
                },
                most: if along == Some(LinearDir::Horizontal) { a.most.max(b.most) } else { a.most + b.most },
            };
            container.children().filter_map(|child| wish(tiles, *child, of)).reduce(join)
        }
    }
}

/// Sets the shares of all rows and columns under `id`, which is `room` large, to points.
pub fn fit(tree: &mut Tree<Pane>, id: TileId, room: Vec2, chosen: &Sizes, of: &dyn Fn(Pane) -> Wish) {
    let Some(Tile::Container(container)) = tree.tiles.get(id) else { return };
    let children: Vec<TileId> = container.children().copied().collect();
    let Container::Linear(linear) = container else {
        let room = room - Vec2::new(0.0, TABS);
        return children.into_iter().for_each(|child| fit(tree, child, room, chosen, of));
    };
    let dir = linear.dir;
    let along = |size: Vec2| if dir == LinearDir::Horizontal { size.x } else { size.y };
    let shown: Vec<(TileId, Wish)> = children.iter().filter_map(|child| Some((*child, wish(&tree.tiles, *child, of)?))).collect();
    let available = along(room) - GAP * shown.len().saturating_sub(1) as f32;
    let points = divide(&shown, available, dir, chosen);
    for ((child, _), points) in shown.iter().zip(points) {
        if let Some(Tile::Container(Container::Linear(linear))) = tree.tiles.get_mut(id) {
            linear.shares.set_share(*child, points);
        }
        let room = if dir == LinearDir::Horizontal { Vec2::new(points, room.y) } else { Vec2::new(room.x, points) };
        fit(tree, *child, room, chosen, of);
    }
}

/// The points of each of several parts along a row or a column.
fn divide(shown: &[(TileId, Wish)], available: f32, dir: LinearDir, chosen: &Sizes) -> Vec<f32> {
    let horizontal = dir == LinearDir::Horizontal;
    let strip = |wish: &Wish| wish.strip.filter(|_| !horizontal);
    let wanted = |(id, wish): &(TileId, Wish)| {
        let wanted = chosen.get(id).copied().unwrap_or(if horizontal { wish.size.x } else { wish.size.y });
        strip(wish).unwrap_or(if horizontal { wanted } else { wanted.min(wish.most) }.max(LEAST))
    };
    let strips: f32 = shown.iter().filter_map(|(_, wish)| strip(wish)).sum();
    let view = shown.iter().any(|(_, wish)| wish.takes_rest);
    let room = available - strips - if view { if horizontal { VIEW.x } else { VIEW.y } } else { 0.0 };
    let others: f32 = shown.iter().filter(|(_, wish)| strip(wish).is_none() && !wish.takes_rest).map(wanted).sum();
    // Where the view takes the rest, the others shrink only if there is none.
    let scale = if !view || others > room { (room / others.max(1.0)).max(0.0) } else { 1.0 };
    let rest = (available - strips - others * scale).max(0.0) / shown.iter().filter(|(_, wish)| wish.takes_rest).count().max(1) as f32;
    shown
        .iter()
        .map(|part| match &part.1 {
            wish if strip(wish).is_some() => strip(wish).unwrap_or_default(),
            wish if wish.takes_rest => rest,
            _ => scale * wanted(part),
        })
        .collect()
}

/// Takes in what the user made of the sizes, after `before` was fitted.
pub fn learn(before: &Tree<Pane>, after: &Tree<Pane>, chosen: &mut Sizes) {
    for (id, tile) in after.tiles.iter() {
        let (Tile::Container(Container::Linear(now)), Some(Container::Linear(was))) = (tile, before.tiles.get_container(*id)) else {
            continue;
        };
        let shown: Vec<TileId> = now.children.iter().copied().filter(|child| after.tiles.is_visible_in_layout(*child)).collect();
        let grown = |child: TileId| now.shares[child] - was.shares[child];
        for (at, child) in shown.iter().copied().enumerate() {
            if is_strip(&after.tiles, child) {
                // The line over a strip moves the part below it.
                let next = shown.get(at + 1).copied().filter(|next| grown(*next).abs() < 0.01);
                if let Some(next) = next.filter(|_| grown(child) > 0.01) {
                    chosen.insert(next, now.shares[next] + grown(child));
                }
            } else if grown(child).abs() > 0.01 {
                chosen.insert(child, now.shares[child]);
            }
        }
    }
}

/// After something was dropped elsewhere: it has no size of its own there, and what it now shares a place with has it together with it.
pub fn follow(before: &Tree<Pane>, after: &Tree<Pane>, chosen: &mut Sizes) {
    for id in after.tiles.tile_ids() {
        let (was, is) = (before.tiles.parent_of(id), after.tiles.parent_of(id));
        if was == is {
            continue;
        }
        let size = chosen.remove(&id);
        // A container that is new around it stands where it stood.
        if let (Some(around), Some(size)) = (is.filter(|is| before.tiles.get(*is).is_none()), size)
            && after.tiles.parent_of(around) == was
        {
            chosen.insert(around, size);
        }
    }
}

fn is_strip(tiles: &Tiles<Pane>, id: TileId) -> bool {
    match tiles.get(id) {
        Some(Tile::Pane(pane)) => *pane == Pane::Transport,
        Some(Tile::Container(container)) => container.only_child().is_some_and(|child| is_strip(tiles, child)),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(id: u64, size: f32) -> (TileId, Wish) {
        (TileId(id), Wish { strip: None, takes_rest: false, size: Vec2::splat(size), most: f32::INFINITY })
    }

    #[test]
    fn the_view_takes_what_is_left() {
        let [outliner, dock] = [part(1, 216.0), part(4, 188.0)];
        let view = (TileId(2), Wish { takes_rest: true, ..part(2, 0.0).1 });
        let strip = (TileId(3), Wish { strip: Some(40.0), ..part(3, 0.0).1 });
        let nothing = Sizes::new();
        assert_eq!(divide(&[outliner, view], 975.0, LinearDir::Horizontal, &nothing), [216.0, 759.0]);
        assert_eq!(divide(&[view, strip], 700.0, LinearDir::Vertical, &nothing), [660.0, 40.0]);
        let column = [view, strip, dock];
        assert_eq!(divide(&column, 732.0, LinearDir::Vertical, &nothing), [504.0, 40.0, 188.0]);
        let chosen = Sizes::from([(TileId(4), 300.0)]);
        assert_eq!(divide(&column, 732.0, LinearDir::Vertical, &chosen), [392.0, 40.0, 300.0]);
        // A dock makes no use of more than it needs, and leaves the view its least.
        let short = (TileId(4), Wish { most: 100.0, ..dock.1 });
        assert_eq!(divide(&[view, strip, short], 732.0, LinearDir::Vertical, &chosen), [592.0, 40.0, 100.0]);
        assert_eq!(divide(&column, 300.0, LinearDir::Vertical, &chosen), [160.0, 40.0, 100.0]);
        // Without the view, parts keep their proportions.
        assert_eq!(divide(&[part(1, 100.0), part(2, 300.0)], 800.0, LinearDir::Horizontal, &nothing), [200.0, 600.0]);
    }
}

//! The window's middle: views, outliner, transport strip and docks, as [`Layout`](crate::layout::Layout) has them.

use egui::{
    Align, CursorIcon, Id, Layout as Flow, Margin, Rect, Response, RichText, Sense, Stroke, Ui, UiBuilder, Visuals, WidgetText, vec2,
};
use egui_tiles::{Behavior, EditAction, ResizeState, SimplificationOptions, TabState, Tabs, Tile, TileId, Tiles, UiResponse};

use super::App;
use crate::document::Action;
use crate::layout::{Arrange, GAP, Pane, Side, TABS, TRANSPORT};
use crate::panels::{BARS, BottomTab, Look, PANELS, Place};
use crate::theme::{icons, meaning};
use crate::widgets::{Tab, small_icon_button, tab_button};

/// Room around what a dock shows [points].
const MARGIN: Margin = Margin { left: 12, right: 12, top: 8, bottom: 8 };
/// Room that a tab takes beside its name, and what stands at the right end of a bar takes where names have no room [points].
const AROUND_NAME: f32 = 46.0;
const TOOLS: f32 = 260.0;

impl App {
    /// Draws the window's middle in what is left of `ui`; gives where the views are.
    pub(super) fn middle(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) -> Rect {
        let room = ui.available_rect_before_wrap();
        if let Some(tab) = self.layout.maximised() {
            self.maximised(ui, actions, tab, room);
            return room;
        }
        let mut layout = self.look_at_layout(|layout, look| layout.take(room.size(), look));
        let before = layout.clone();
        let mut drawn = Drawn { app: self, actions, views: room, resized: false, dragged: None, moved: None, slim: false };
        layout.ui(&mut drawn, ui);
        let (views, resized, moved) = (drawn.views, drawn.resized, drawn.moved);
        self.layout.give_back(before, layout, resized, moved);
        views
    }

    /// One panel has all the room but that of the transport strip.
    fn maximised(&mut self, ui: &mut Ui, actions: &mut Vec<Action>, tab: BottomTab, room: Rect) {
        ui.advance_cursor_after_rect(room);
        let (upper, strip) = room.split_top_bottom_at_y(room.bottom() - TRANSPORT);
        let (bar, below) = upper.split_top_bottom_at_y(upper.top() + TABS);
        ui.painter().rect_filled(room, 0.0, ui.visuals().panel_fill);
        ui.scope_builder(UiBuilder::new().max_rect(bar).layout(Flow::left_to_right(Align::Center)), |ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            let count = self.look(actions, |look| count(look, tab));
            let shown = Tab { value: tab, icon: tab.icon(), name: Pane::Dock(tab).name(), count };
            let id = ui.make_persistent_id("maximised");
            if tab_button(ui, id, Sense::click(), true, &shown, false).double_clicked() {
                actions.push(Action::Arrange(Arrange::Maximise(None)));
            }
            ui.with_layout(Flow::right_to_left(Align::Center), |ui| self.bar(ui, actions, tab));
        });
        ui.painter().hline(bar.x_range(), bar.bottom() - 0.5, Stroke::new(1.0, meaning(ui).line));
        ui.scope_builder(UiBuilder::new().max_rect(below), |ui| self.dock(ui, actions, tab));
        ui.scope_builder(UiBuilder::new().max_rect(strip), |ui| self.transport(ui, actions));
    }

    /// What stands at the right end of a bar of tabs, from the right.
    fn bar(&mut self, ui: &mut Ui, actions: &mut Vec<Action>, tab: BottomTab) {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.add_space(8.0);
        let is_large = self.layout.maximised().is_some();
        let name = Pane::Dock(tab).name();
        let (words, hint) = match is_large {
            true => ("Back to its place", format!("{name} back to its place (Esc)")),
            false => ("All the room", format!("Give {name} all the room; Esc brings it back (Ctrl+Space)")),
        };
        if small_icon_button(ui, true, is_large, icons::MAXIMISE, words, &hint).clicked() {
            actions.push(Action::Arrange(Arrange::Maximise((!is_large).then_some(tab))));
        }
        for (_, show) in BARS.iter().filter(|(of, _)| *of == tab) {
            self.look(actions, |look| show(ui, look));
        }
    }

    /// A panel with a tab.
    fn dock(&mut self, ui: &mut Ui, actions: &mut Vec<Action>, tab: BottomTab) {
        let whole = ui.max_rect();
        ui.painter().rect_filled(whole, 0.0, ui.visuals().panel_fill);
        // Whatever it draws, it gets the room that there is, and takes no more.
        let room = whole - MARGIN;
        let mut inside = ui.new_child(UiBuilder::new().max_rect(room).id_salt((tab, self.opened)));
        inside.set_clip_rect(ui.clip_rect().intersect(whole));
        for panel in PANELS.iter().filter(|panel| panel.place == Place::Tab(tab)) {
            inside.push_id(panel.title, |ui| self.look(actions, |look| (panel.show)(ui, look)));
        }
    }

    fn transport(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let whole = ui.max_rect();
        ui.painter().rect_filled(whole, 0.0, ui.visuals().panel_fill);
        ui.scope_builder(UiBuilder::new().max_rect(whole.shrink2(vec2(8.0, 4.0))), |ui| {
            for panel in PANELS.iter().filter(|panel| panel.place == Place::Strip) {
                ui.push_id(panel.title, |ui| self.look(actions, |look| (panel.show)(ui, look)));
            }
        });
    }

    fn outliner(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let whole = ui.max_rect();
        ui.painter().rect_filled(whole, 0.0, ui.visuals().panel_fill);
        ui.scope_builder(UiBuilder::new().max_rect(whole.shrink2(vec2(0.0, 4.0))), |ui| self.column(ui, actions, Place::Left));
    }
}

/// What calls for attention in a panel.
fn count(look: &Look<'_>, tab: BottomTab) -> usize {
    if tab == BottomTab::Problems { look.problem_count() } else { 0 }
}

/// The layout while it is drawn.
struct Drawn<'a> {
    app: &'a mut App,
    actions: &'a mut Vec<Action>,
    views: Rect,
    resized: bool,
    /// What is being dragged, and what was dropped.
    dragged: Option<TileId>,
    moved: Option<TileId>,
    /// Whether the bar of tabs that is being drawn has no room for all names.
    slim: bool,
}

impl Behavior<Pane> for Drawn<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _: TileId, pane: &mut Pane) -> UiResponse {
        match *pane {
            Pane::View => {
                self.views = ui.max_rect();
                self.app.views(ui, self.actions);
            }
            Pane::Outliner => self.app.outliner(ui, self.actions),
            Pane::Transport => self.app.transport(ui, self.actions),
            Pane::Dock(tab) => self.app.dock(ui, self.actions, tab),
        }
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> WidgetText {
        pane.name().into()
    }

    fn tab_ui(&mut self, tiles: &mut Tiles<Pane>, ui: &mut Ui, id: Id, tile: TileId, state: &TabState) -> Response {
        let pane = tiles.get_pane(&tile).copied();
        let (icon, name, tab) = match pane {
            Some(Pane::Dock(tab)) => (tab.icon(), Pane::Dock(tab).name(), Some(tab)),
            Some(pane) => (icons::BODY, pane.name(), None),
            None => (icons::MATERIAL, "Several", None),
        };
        let count = tab.map_or(0, |tab| self.app.look(self.actions, |look| count(look, tab)));
        // Where not all names have room, the one at hand is written out.
        let response = tab_button(ui, id, Sense::click_and_drag(), state.active, &Tab { value: tile, icon, name, count }, self.slim);
        let Some(tab) = tab else { return response };
        if response.clicked() {
            self.app.desk.tab = tab;
            self.app.layout.is_in_front(tab);
        }
        let arrange = |what| Action::Arrange(what);
        if response.double_clicked() {
            self.actions.push(arrange(Arrange::Maximise(Some(tab))));
        } else if response.middle_clicked() {
            self.actions.push(arrange(Arrange::Toggle(tab)));
        }
        response.context_menu(|ui| {
            if ui.button(format!("Give {name} all the room")).clicked() {
                self.actions.push(arrange(Arrange::Maximise(Some(tab))));
            }
            if ui.button(format!("Close {name}")).on_hover_text("Window, Panels opens it again").clicked() {
                self.actions.push(arrange(Arrange::Toggle(tab)));
            }
            if ui.button("Hide all docks").clicked() {
                self.actions.push(arrange(Arrange::Docks));
            }
        });
        response.on_hover_cursor(CursorIcon::Default)
    }

    fn drag_ui(&mut self, tiles: &Tiles<Pane>, ui: &mut Ui, tile: TileId) {
        self.dragged = Some(tile);
        let colors = meaning(ui);
        let name = match tiles.get(tile) {
            Some(Tile::Pane(pane)) => pane.name(),
            _ => "These panels",
        };
        egui::Frame::new().fill(colors.card).stroke(Stroke::new(1.0, colors.accent)).corner_radius(4).inner_margin(8).show(ui, |ui| {
            ui.label(RichText::new(name).strong());
        });
    }

    fn top_bar_right_ui(&mut self, tiles: &Tiles<Pane>, ui: &mut Ui, _: TileId, tabs: &Tabs, _: &mut f32) {
        let bar = ui.max_rect();
        ui.painter().hline(bar.x_range(), bar.bottom() - 0.5, Stroke::new(1.0, meaning(ui).line));
        let font = egui::FontId::proportional(13.0);
        let width = |name: &str| ui.painter().layout_no_wrap(name.to_owned(), font.clone(), egui::Color32::PLACEHOLDER).size().x;
        let shown = tabs.children.iter().filter(|child| tiles.is_visible(**child));
        let names = shown.map(|child| AROUND_NAME + width(tiles.get_pane(child).map_or("Several", |pane| pane.name()))).sum::<f32>();
        let mut tools = bar.right();
        if let Some(Pane::Dock(tab)) = tabs.active.and_then(|active| tiles.get_pane(&active)) {
            // They leave room for the names of all tabs, if that is possible.
            let room = bar.with_min_x((bar.left() + names).min(bar.right() - TOOLS).max(bar.left()));
            let flow = Flow::right_to_left(Align::Center);
            let inside = ui.scope_builder(UiBuilder::new().max_rect(room).layout(flow), |ui| self.app.bar(ui, self.actions, *tab));
            tools = inside.response.rect.left();
        }
        // Tabs are drawn after this.
        self.slim = bar.left() + names > tools;
    }

    fn tab_bar_height(&self, _: &egui::Style) -> f32 {
        TABS
    }

    fn is_tab_bar_visible(&self, _: TileId, tabs: &Tabs) -> bool {
        // What has a place of its own needs no tab; `tiles` cannot be asked here, so that the app remembers.
        tabs.children.len() > 1 || !tabs.children.iter().all(|child| self.app.layout.is_bare(*child))
    }

    fn gap_width(&self, _: &egui::Style) -> f32 {
        GAP
    }

    fn min_size(&self) -> f32 {
        TRANSPORT
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: true, flatten_tabs_in_tabs: true, ..SimplificationOptions::default() }
    }

    fn resize_stroke(&self, style: &egui::Style, state: ResizeState) -> Stroke {
        match state {
            ResizeState::Idle => Stroke::new(GAP, crate::theme::of(style.visuals.dark_mode).line),
            ResizeState::Hovering | ResizeState::Dragging => Stroke::new(2.0, crate::theme::of(style.visuals.dark_mode).accent),
        }
    }

    fn tab_bar_color(&self, visuals: &Visuals) -> egui::Color32 {
        visuals.panel_fill
    }

    fn paint_drag_preview(&self, visuals: &Visuals, painter: &egui::Painter, parent: Option<Rect>, preview: Rect) {
        // The transport strip takes in nothing.
        if parent.is_some_and(|parent| parent.height() <= TRANSPORT + 1.0) {
            return;
        }
        let accent = crate::theme::of(visuals.dark_mode).accent;
        painter.rect(preview, 4.0, accent.gamma_multiply(0.18), Stroke::new(1.5, accent), egui::StrokeKind::Inside);
    }

    fn is_tile_draggable(&self, tiles: &Tiles<Pane>, tile: TileId) -> bool {
        // Rows of panels behind one bar of tabs stay together; what has no tab stays where it is.
        !matches!(tiles.get(tile), Some(Tile::Pane(Pane::Transport)))
    }

    fn on_edit(&mut self, edit: EditAction) {
        match edit {
            EditAction::TileResized => self.resized = true,
            EditAction::TileDropped => self.moved = self.dragged,
            EditAction::TileDragged | EditAction::TabSelected => {}
        }
    }
}

/// The rail that is left of a column; a click shows the column again.
pub(super) fn rail(ui: &mut Ui, side: Side, actions: &mut Vec<Action>) {
    let (icon, name, hint) = match side {
        Side::Left => (icons::NEXT, "Show the outliner", "Show the outliner (Alt+1)"),
        Side::Right => (icons::LEFT, "Show the right column", "Show verdict, properties and certificate (Alt+3)"),
    };
    ui.vertical_centered(|ui| {
        ui.add_space(8.0);
        if small_icon_button(ui, true, false, icon, name, hint).clicked() {
            actions.push(Action::Arrange(Arrange::Column(side)));
        }
    });
}

//! The list of the entities: the filter, and a row for each entity with its components in columns.
//! Only the rows on the screen are read.

use ecs::Entity;
use ecs::reflect::{NameKind, ReflectRef, Schema};
use ecs_inspect::{grouped, value_text};
use egui::{Align, Key, Label, Layout, Rect, RichText, ScrollArea, Sense, Ui, UiBuilder, Vec2, pos2, vec2};

use crate::window::WindowInspector;

/// The widths of the first column and of the others.
const WIDTHS: (f32, f32) = (130.0, 150.0);

/// The space between two columns.
const GAP: f32 = 8.0;

impl WindowInspector {
    pub(crate) fn entities(&mut self, ui: &mut Ui, world: &ReflectRef<'_>) {
        let count = self.inspector.row_count(world);
        self.filter(ui, count.as_ref().ok().copied(), world);
        let count = match count {
            Ok(count) => count,
            Err(error) => {
                ui.colored_label(ui.visuals().error_fg_color, error);
                return;
            }
        };
        self.arrow_keys(ui, count, world);
        let columns = self.inspector.columns(world);
        // wide columns if there is room for them
        let share = (ui.available_width() - WIDTHS.0) / columns.len().max(1) as f32 - GAP;
        let column = share.clamp(WIDTHS.1, 3.0 * WIDTHS.1);
        let width = WIDTHS.0 + columns.len() as f32 * (column + GAP);
        // columns scroll together with their titles, rows below them
        ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| {
            ui.set_width(width.max(ui.available_width()));
            ui.spacing_mut().item_spacing.y = 0.0;
            self.titles(ui, &columns, column, world);
            let height = ui.text_style_height(&egui::TextStyle::Body) + 4.0;
            let pins = self.inspector.pins().to_vec();
            for entity in &pins {
                self.row(ui, *entity, &columns, vec2(column, height), world);
            }
            if !pins.is_empty() {
                ui.separator();
            }
            let mut rows = ScrollArea::vertical().auto_shrink(false);
            // an entity that was chosen elsewhere comes to the middle
            if self.seen != self.inspector.chosen() {
                self.seen = self.inspector.chosen();
                if let Some(row) = self.inspector.row_of_chosen(world) {
                    let above = (row as f32 + 0.5) * height - ui.available_height() / 2.0;
                    rows = rows.vertical_scroll_offset(above.max(0.0));
                }
            }
            rows.show_rows(ui, height, count, |ui, range| {
                for entity in self.inspector.rows(world, range) {
                    self.row(ui, entity, &columns, vec2(column, height), world);
                }
            });
        });
    }

    /// The field of the filter, and the number of the entities that match it.
    fn filter(&mut self, ui: &mut Ui, count: Option<usize>, world: &ReflectRef<'_>) {
        ui.horizontal(|ui| {
            let text = self.inspector.filter_text().to_owned();
            let name = ("filter", "filter: Hunger, without Mayor, Hunger.now > 5");
            let width = (ui.available_width() - 230.0).max(120.0);
            if let Some(typed) = self.line_field(ui, name, "filter ", &text, width, world) {
                self.ask(format!("filter {typed}"));
            }
            if !text.is_empty() && ui.button("x").on_hover_text("shows all entities").clicked() {
                self.ask("filter");
            }
            let is_list = !text.is_empty() || self.inspector.order().is_some();
            if is_list && ui.button("Read").on_hover_text("reads the entities again").clicked() {
                self.inspector.read_again();
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.button("Spawn").clicked() {
                    self.ask("spawn");
                }
                if !text.is_empty() {
                    ui.weak(format!("{} match", grouped(count.unwrap_or_default())));
                }
            });
        });
        ui.add_space(2.0);
    }

    /// Up and Down choose the row above or below, unless a field has the keys.
    fn arrow_keys(&mut self, ui: &Ui, count: usize, world: &ReflectRef<'_>) {
        let presses = |key| ui.input(|input| input.num_presses(key));
        let (up, down) = (presses(Key::ArrowUp), presses(Key::ArrowDown));
        if up == down || ui.ctx().egui_wants_keyboard_input() {
            return;
        }
        let Some(row) = self.inspector.row_of_chosen(world) else { return };
        let row = (row + down).saturating_sub(up).min(count.saturating_sub(1));
        if let Some(entity) = self.inspector.rows(world, row..row + 1).first() {
            self.inspector.choose(*entity);
        }
    }

    /// The titles of the columns: a click sorts by a column, ascending, descending, and not.
    fn titles(&mut self, ui: &mut Ui, columns: &[&'static str], width: f32, world: &ReflectRef<'_>) {
        let order = self.inspector.order().map(|(path, descending)| (path.to_owned(), descending));
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            cell(ui, WIDTHS.0, |ui| ui.strong("entity"));
            for name in columns {
                let is_by = |path: &str| path == *name || path.starts_with(&format!("{name}."));
                let by = order.as_ref().filter(|(path, _)| is_by(path));
                let mark = by.map_or("", |(_, descending)| if *descending { " desc" } else { " asc" });
                let title = RichText::new(format!("{name}{mark}")).strong();
                let label = Label::new(title).truncate().sense(Sense::click()).selectable(false);
                let response = cell(ui, width, |ui| ui.add(label));
                // the parts of a struct have an order, the struct itself has none
                let schema = self.schema(NameKind::Components, name, world);
                match &*schema {
                    Schema::Struct { fields, .. } => {
                        let paths = fields.iter().map(|(field, _)| format!("{name}.{field}")).collect();
                        self.order_menu(response, paths);
                    }
                    _ if response.clicked() => self.sort((*name).to_owned()),
                    _ => {}
                }
            }
        });
        ui.separator();
    }

    /// A menu with the paths by which the entities can be sorted.
    fn order_menu(&mut self, title: egui::Response, paths: Vec<String>) {
        egui::Popup::menu(&title).show(|ui| {
            for path in paths {
                if ui.button(format!("Sort by {path}")).clicked() {
                    self.sort(path);
                }
            }
        });
    }

    /// Sorts by a path: ascending, then descending, then not.
    pub(crate) fn sort(&mut self, path: String) {
        let line = match self.inspector.order() {
            Some((known, false)) if known == path => format!("sort {path} desc"),
            Some((known, true)) if known == path => "sort".to_owned(),
            _ => format!("sort {path}"),
        };
        self.ask(line);
    }

    /// A row of the list. A click chooses the entity.
    fn row(
        &mut self,
        ui: &mut Ui,
        entity: Entity,
        columns: &[&'static str],
        Vec2 { x: width, y: height }: Vec2,
        world: &ReflectRef<'_>,
    ) {
        let size = vec2(ui.available_width(), height);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        let is_chosen = self.inspector.chosen() == Some(entity);
        let fill = match (is_chosen, response.hovered()) {
            (true, _) => Some(ui.visuals().selection.bg_fill),
            (false, true) => Some(ui.visuals().widgets.hovered.weak_bg_fill),
            (false, false) => None,
        };
        if let Some(fill) = fill {
            ui.painter().rect_filled(rect, 2.0, fill);
        }
        let name = self.inspector.name_of(entity, world);
        response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Row, true, is_chosen, &name));
        // cells beside the screen are not read
        let put = |ui: &mut Ui, from: f32, width: f32, text: &dyn Fn() -> RichText| {
            let at = Rect::from_min_size(pos2(rect.left() + from, rect.top()), vec2(width, height));
            if ui.is_rect_visible(at) {
                let layout = Layout::left_to_right(Align::Center);
                let mut ui = ui.new_child(UiBuilder::new().max_rect(at).layout(layout));
                ui.add(Label::new(text()).truncate().selectable(false));
            }
        };
        put(ui, 0.0, WIDTHS.0, &|| RichText::new(&name).strong());
        for (at, name) in columns.iter().enumerate() {
            let from = WIDTHS.0 + GAP + at as f32 * (width + GAP);
            put(ui, from, width, &|| match world.read(entity, name) {
                Ok(value) => RichText::new(value_text(&value, 80)),
                Err(_) => RichText::new("·").weak(),
            });
        }
        if response.clicked() {
            self.inspector.choose(entity);
            self.seen = Some(entity);
        }
        response.context_menu(|ui| {
            let is_pinned = self.inspector.pins().contains(&entity);
            let (text, verb) = if is_pinned { ("Unpin", "unpin") } else { ("Pin above the others", "pin") };
            for (text, verb) in [(text, verb), ("Despawn", "despawn")] {
                if ui.button(text).clicked() {
                    self.ask(format!("{verb} {entity}"));
                }
            }
        });
    }
}

/// A cell of a width.
pub(crate) fn cell<R>(ui: &mut Ui, width: f32, add: impl FnOnce(&mut Ui) -> R) -> R {
    let size = Vec2::new(width, ui.spacing().interact_size.y);
    let layout = Layout::left_to_right(Align::Center);
    ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_width(width);
        ui.set_max_width(width);
        add(ui)
    })
    .inner
}

//! The values of the chosen entity, edited in place by their schemas. Each edit is a line of the
//! console.

use std::ops::RangeInclusive;

use ecs::Entity;
use ecs::reflect::{DynamicValue, NameKind, ReflectRef, Schema};
use ecs_inspect::{ValuePart, systems_of, value_input, value_template, value_text};
use egui::collapsing_header::{CollapsingState, paint_default_icon};
use egui::{
    ComboBox, DragValue, Label, Response, RichText, ScrollArea, Sense, Slider, SliderClamping, Ui, Widget,
};

use crate::entities::cell;
use crate::window::WindowInspector;

/// The most elements of a list or map that are shown.
const MOST: usize = 500;

/// The most parts of a value that is open at first.
const OPEN: usize = 20;

/// The depth below which values are shown as text.
const DEEPEST: usize = 16;

/// The longest text that is edited, in bytes.
const LONGEST: usize = 10_000;

/// The width of the names of values.
const NAMES: f32 = 92.0;

/// The largest integer that an `f64`, which the dragging counts in, has exactly.
const EXACT: i128 = 1 << 53;

/// The entity of a value, or the world for a resource.
#[derive(Clone, Copy)]
pub(crate) struct Subject {
    pub(crate) entity: Option<Entity>,
    pub(crate) is_read_only: bool,
}

impl Subject {
    /// A line about a path, such as `set 4v1 Hunger.now = 3`.
    fn line(self, verb: &str, path: &str) -> String {
        match self.entity {
            Some(entity) => format!("{verb} {entity} {path}"),
            None => format!("{verb} {path}"),
        }
    }
}

impl WindowInspector {
    /// The panel of the chosen entity.
    pub(crate) fn values(&mut self, ui: &mut Ui, world: &ReflectRef<'_>) {
        let Some(entity) = self.inspector.chosen() else {
            ui.weak("no entity");
            return;
        };
        ui.add_space(2.0);
        ui.add(
            Label::new(RichText::new(self.inspector.name_of(entity, world)).heading().strong()).truncate(),
        );
        if !world.contains(entity) {
            ui.weak("not alive");
            return;
        }
        let held = world.components_of(entity).unwrap_or_default();
        let subject = Subject { entity: Some(entity), is_read_only: world.is_read_only() };
        ui.add_enabled_ui(!subject.is_read_only, |ui| {
            ui.horizontal(|ui| {
                self.add_menu(ui, entity, &held, world);
                if ui.button("Despawn").clicked() {
                    self.ask(format!("despawn {entity}"));
                }
            });
        });
        ui.separator();
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.push_id(entity, |ui| {
                for name in held {
                    let Ok(value) = world.read(entity, name) else { continue };
                    let docs = world.component(name).map_or("", |info| info.docs);
                    let schema = self.schema(NameKind::Components, name, world);
                    self.whole(ui, world, subject, &ValuePart::whole(name, &value, &schema), docs);
                }
            });
            let notes = [
                ("aspects", world.aspects_of(entity).unwrap_or_default()),
                ("systems", systems_of(entity, world)),
            ];
            ui.add_space(6.0);
            for (noun, names) in notes.iter().filter(|(_, names)| !names.is_empty()) {
                ui.weak(format!("{noun}: {}", names.join(", ")));
            }
        });
    }

    /// The components, groups and aspects that can be added.
    fn add_menu(&mut self, ui: &mut Ui, entity: Entity, held: &[&str], world: &ReflectRef<'_>) {
        ui.menu_button("Add", |ui| {
            ScrollArea::vertical().show(ui, |ui| {
                for info in world.components().iter().filter(|info| !held.contains(&info.name)) {
                    if !ui.button(info.name).on_hover_text(info.docs).clicked() {
                        continue;
                    }
                    // a type without a default begins with zeros and empty texts
                    let value = match info.size > 0 && !info.has_default {
                        true => {
                            let schema = self.schema(NameKind::Components, info.name, world);
                            format!(" = {}", value_template(&schema, self.inspector.chosen()))
                        }
                        false => String::new(),
                    };
                    self.ask(format!("add {entity} {}{value}", info.name));
                }
                let groups: Vec<String> = self.inspector.groups().map(str::to_owned).collect();
                let aspects = world.aspects().into_iter().map(|info| info.name.to_owned());
                for name in groups.into_iter().chain(aspects) {
                    if ui.button(RichText::new(&name).italics()).clicked() {
                        self.ask(format!("add {entity} {name}"));
                    }
                }
            });
        });
    }

    /// A component or a resource: its name with a menu, and its value below it.
    pub(crate) fn whole(
        &mut self,
        ui: &mut Ui,
        world: &ReflectRef<'_>,
        subject: Subject,
        part: &ValuePart<'_>,
        docs: &str,
    ) {
        let count = part.parts(MOST).len();
        let has_lines = count > 0;
        let header = |this: &mut Self, ui: &mut Ui| {
            let name = Label::new(RichText::new(&part.label).strong()).sense(Sense::click());
            let name = ui.add(name.selectable(false));
            this.value_menu(&name, subject, part);
            if !docs.is_empty() {
                name.on_hover_text(docs);
            }
            // a value without parts stands beside its name
            if !has_lines {
                ui.add_enabled_ui(!subject.is_read_only, |ui| this.leaf(ui, world, subject, part));
            }
            if let (Some(entity), false) = (subject.entity, subject.is_read_only) {
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    let button = ui.small_button("x").on_hover_text("removes the component");
                    if button.accessible_name(format!("remove {}", part.label)).clicked() {
                        this.ask(format!("remove {entity} {}", part.label));
                    }
                });
            }
        };
        if !has_lines {
            ui.horizontal(|ui| {
                ui.add_space(ui.spacing().indent);
                header(self, ui);
            });
            if grows(part) && !subject.is_read_only {
                ui.indent("parts", |ui| self.add_element(ui, world, subject, part));
            }
            return;
        }
        let id = ui.make_persistent_id(&part.path);
        let state = CollapsingState::load_with_default_open(ui.ctx(), id, count <= OPEN);
        // both closures need the window, one after the other
        let this = std::cell::RefCell::new(self);
        let header = state.show_header(ui, |ui| header(&mut this.borrow_mut(), ui));
        header.body(|ui| {
            ui.add_enabled_ui(!subject.is_read_only, |ui| {
                this.borrow_mut().parts(ui, world, subject, part, 0)
            });
        });
    }

    /// A menu at the name of a value, with what can be done with it.
    fn value_menu(&mut self, name: &Response, subject: Subject, part: &ValuePart<'_>) {
        name.context_menu(|ui| {
            ui.weak(&part.path);
            let has_history = self.inspector.timeline_state().is_some();
            if has_history && ui.button("Who has changed it").clicked() {
                self.ask(subject.line("who", &part.path));
            }
            if ui.button("Watch").clicked() {
                self.ask(subject.line("watch", &part.path));
            }
            if subject.entity.is_some() {
                if ui.button("Sort by it").clicked() {
                    self.sort(part.path.clone());
                }
                if ui.button("Label entities with it").clicked() {
                    self.ask(format!("label {}", part.path));
                }
            }
            if ui.button("Copy as JSON").clicked() {
                ui.ctx().copy_text(value_input(part.value));
            }
        });
    }

    /// The parts of a value, and what adds one.
    fn parts(
        &mut self,
        ui: &mut Ui,
        world: &ReflectRef<'_>,
        subject: Subject,
        of: &ValuePart<'_>,
        depth: usize,
    ) {
        let content = of.content();
        let is_element = matches!(content.value, DynamicValue::List(_) | DynamicValue::Mapping(_))
            && !matches!(content.schema, Schema::Tuple(_));
        let is_choice = matches!(content.schema, Schema::Enum { .. } | Schema::EntityId)
            || matches!(of.schema, Schema::Optional(_));
        // an option or a variant is chosen above its content
        if is_choice && depth == 0 {
            ui.horizontal(|ui| self.leaf(ui, world, subject, of));
        }
        for (at, part) in of.parts(MOST).into_iter().enumerate() {
            ui.push_id(&part.path, |ui| {
                let count = part.parts(MOST).len();
                let id = ui.make_persistent_id("parts");
                // long lists are closed at first
                let mut state =
                    CollapsingState::load_with_default_open(ui.ctx(), id, count <= OPEN && depth < DEEPEST);
                ui.horizontal(|ui| {
                    let label = Label::new(&part.label).truncate().sense(Sense::click()).selectable(false);
                    let name = cell(ui, NAMES, |ui| ui.add(label));
                    self.value_menu(&name, subject, &part);
                    if count > 0 {
                        let toggle = state.show_toggle_button(ui, paint_default_icon);
                        toggle.accessible_name(format!("parts of {}", part.path));
                    }
                    self.leaf(ui, world, subject, &part);
                    let remove =
                        is_element.then(|| ui.small_button("x").on_hover_text("removes the element"));
                    let remove = remove.map(|button| button.accessible_name(format!("remove {}", part.path)));
                    if remove.is_some_and(|button| button.clicked()) {
                        self.ask(format!(
                            "{} = {}",
                            subject.line("set", &of.path),
                            without(content.value, at)
                        ));
                    }
                });
                if count > 0 && depth < DEEPEST {
                    state.show_body_unindented(ui, |ui| {
                        ui.indent("parts", |ui| self.parts(ui, world, subject, &part, depth + 1));
                    });
                } else if grows(&part) {
                    ui.indent("parts", |ui| self.add_element(ui, world, subject, &part));
                }
            });
        }
        self.add_element(ui, world, subject, of);
    }

    /// A button that adds an element to a list, or a field for the key of a new entry of a map.
    fn add_element(&mut self, ui: &mut Ui, world: &ReflectRef<'_>, subject: Subject, of: &ValuePart<'_>) {
        let of = of.content();
        let chosen = self.inspector.chosen();
        let grown = match (of.schema, of.value) {
            (Schema::List(inner), DynamicValue::List(list)) => {
                let button = ui.small_button("+ element").accessible_name(format!("add to {}", of.path));
                if !button.clicked() {
                    return;
                }
                let template = value_template(inner, chosen);
                let Ok(element) = self.inspector.parse_value(&template, world) else { return };
                let list = list.iter().cloned().chain([element]).collect();
                value_input(&DynamicValue::List(list))
            }
            (Schema::Mapping(_, inner), DynamicValue::Mapping(entries)) => {
                let mut key = None;
                ui.horizontal(|ui| {
                    cell(ui, NAMES, |ui| ui.weak("+ key"));
                    key = self.text_field(ui, &format!("{} key", of.path), "", 120.0);
                });
                let Some(key) = key else { return };
                let template = value_template(inner, chosen);
                let Ok(element) = self.inspector.parse_value(&template, world) else { return };
                let mut entries = entries.clone();
                entries.push((DynamicValue::Text(key), element));
                value_input(&DynamicValue::Mapping(entries))
            }
            _ => return,
        };
        self.ask(format!("{} = {grown}", subject.line("set", &of.path)));
    }
}

/// The editors of single values.
impl WindowInspector {
    /// The part of a value that is edited in the line of its name: the value, the variant of an enum,
    /// whether an option has a value.
    fn leaf(&mut self, ui: &mut Ui, world: &ReflectRef<'_>, subject: Subject, part: &ValuePart<'_>) {
        let changed = self.edited(ui, world, part);
        if let Some((value, is_more)) = changed {
            let line = format!("{} = {value}", subject.line("set", &part.path));
            match is_more {
                true => self.ask_more(line),
                false => self.ask(line),
            }
        }
    }

    /// Shows an editor, and returns the text of the value that the user has given, and whether it
    /// belongs to the change before.
    fn edited(
        &mut self,
        ui: &mut Ui,
        world: &ReflectRef<'_>,
        part: &ValuePart<'_>,
    ) -> Option<(String, bool)> {
        let ValuePart { path, value, schema, .. } = part;
        let once = |text: String| Some((text, false));
        let chosen = self.inspector.chosen();
        match (value, schema) {
            (DynamicValue::Optional(None), Schema::Optional(content)) => {
                let mut is_some = false;
                let switch = ui.checkbox(&mut is_some, "none").accessible_name(path);
                switch.changed().then(|| (value_template(content, chosen), false))
            }
            (DynamicValue::Optional(Some(_)), Schema::Optional(_)) => {
                let mut is_some = true;
                if ui.checkbox(&mut is_some, "").accessible_name(format!("{path} is some")).changed() {
                    return once("none".to_owned());
                }
                self.edited(ui, world, &part.content())
            }
            (DynamicValue::Bool(value), _) => {
                let mut value = *value;
                let switch = ui.checkbox(&mut value, "").accessible_name(path);
                switch.changed().then(|| (value.to_string(), false))
            }
            (DynamicValue::Int(number), _) if number.abs() <= EXACT => {
                let range = if let Schema::Integer(name) = schema { range(name) } else { -EXACT..=EXACT };
                let (start, end) = (*range.start() as i64, *range.end() as i64);
                let mut number = *number as i64;
                let speed = (number.unsigned_abs() as f64 * 0.01).max(0.1);
                let edit = DragValue::new(&mut number).range(start..=end).speed(speed);
                let is_more = self.drag(ui, edit.update_while_editing(false), path)?;
                Some((number.to_string(), is_more))
            }
            (DynamicValue::F32(number), _) if number.is_finite() => {
                let mut number = *number;
                let speed = (f64::from(number).abs() * 0.01).max(0.01);
                let edit = DragValue::new(&mut number).speed(speed).max_decimals(6);
                let is_more = self.drag(ui, edit.update_while_editing(false), path)?;
                Some((format!("{number:?}"), is_more))
            }
            (DynamicValue::F64(number), _) if number.is_finite() => {
                let mut number = *number;
                let speed = (number.abs() * 0.01).max(0.01);
                let edit = DragValue::new(&mut number).speed(speed).max_decimals(9);
                let is_more = self.drag(ui, edit.update_while_editing(false), path)?;
                Some((format!("{number:?}"), is_more))
            }
            (DynamicValue::Text(text), _) if text.len() <= LONGEST => {
                let typed = self.text_field(ui, path, text, field_width(ui))?;
                once(value_input(&DynamicValue::Text(typed)))
            }
            (DynamicValue::Variant(variant, _), Schema::Enum { name, variants }) => {
                let list = ComboBox::from_id_salt(path).selected_text(variant);
                let list = list.show_ui(ui, |ui| {
                    let mut new = None;
                    for (other, content) in variants {
                        if ui.selectable_label(other == variant, *other).clicked() && other != variant {
                            new = Some((*other, content));
                        }
                    }
                    new
                });
                list.response.accessible_name(path);
                let (other, content) = list.inner??;
                let chosen_variant = Schema::Enum { name, variants: vec![(other, content.clone())] };
                once(value_template(&chosen_variant, chosen))
            }
            (DynamicValue::EntityId(entity), _) => self.entity(ui, world, path, *entity).and_then(once),
            (DynamicValue::Unit, _) => None,
            (DynamicValue::List(list), _) if !list.is_empty() => {
                ui.weak(format!("{} elements", list.len()));
                None
            }
            (DynamicValue::Mapping(entries), _) if !entries.is_empty() => {
                ui.weak(format!("{} entries", entries.len()));
                None
            }
            (DynamicValue::Struct(_) | DynamicValue::Text(_), _) => {
                let text = RichText::new(value_text(value, 60)).weak();
                ui.add(Label::new(text).truncate());
                None
            }
            (DynamicValue::Bytes(bytes), _) if bytes.len() > LONGEST / 4 => {
                ui.weak(format!("{} bytes", bytes.len()));
                None
            }
            // as JSON: characters, bytes, large numbers, and what has no schema
            _ => self.text_field(ui, path, &value_input(value), field_width(ui)).and_then(once),
        }
    }

    /// A slider for a number of a resource.
    pub(crate) fn slider(
        &mut self,
        ui: &mut Ui,
        world: &ReflectRef<'_>,
        path: &str,
        range: RangeInclusive<f64>,
    ) {
        let is_range = range.start().is_finite() && range.end().is_finite() && !range.is_empty();
        assert!(is_range, "the range of a slider is {range:?}");
        ui.label(path);
        let value = match world.read_resource(path) {
            Ok(value) => value,
            Err(error) => {
                ui.colored_label(ui.visuals().error_fg_color, error.to_string());
                return;
            }
        };
        let (number, is_integer) = match value {
            DynamicValue::Int(number) if number.abs() <= EXACT => (number as f64, true),
            DynamicValue::F32(number) => (f64::from(number), false),
            DynamicValue::F64(number) => (number, false),
            _ => {
                ui.weak(value_text(&value, 60));
                return;
            }
        };
        let mut new = if number.is_finite() { number } else { *range.start() };
        let edit = Slider::new(&mut new, range).clamping(SliderClamping::Edits);
        let edit = if is_integer { edit.integer() } else { edit }.update_while_editing(false);
        let is_enabled = !world.is_read_only();
        let change = ui.add_enabled_ui(is_enabled, |ui| self.drag(ui, edit, path)).inner;
        // below the slider, which has the same id when the text is gone
        if !number.is_finite() {
            ui.weak(value_text(&value, 60));
        }
        let Some(is_more) = change else { return };
        let line = match value {
            DynamicValue::Int(_) => format!("set {path} = {}", new.round() as i64),
            DynamicValue::F32(_) => format!("set {path} = {:?}", new as f32),
            _ => format!("set {path} = {new:?}"),
        };
        match is_more {
            true => self.ask_more(line),
            false => self.ask(line),
        }
    }

    /// A number that is dragged or typed. Returns whether the change belongs to the one before; `None`
    /// if there is no change.
    fn drag(&mut self, ui: &mut Ui, edit: impl Widget, path: &str) -> Option<bool> {
        let response = ui.add(edit).accessible_name(path);
        if response.drag_started() {
            self.dragged = None;
        }
        if !response.changed() {
            return None;
        }
        let is_more = response.dragged() && self.dragged == Some(response.id);
        self.dragged = response.dragged().then_some(response.id);
        Some(is_more)
    }

    /// A link to an entity, and a field for the id of another one.
    fn entity(&mut self, ui: &mut Ui, world: &ReflectRef<'_>, path: &str, entity: Entity) -> Option<String> {
        let id = ui.make_persistent_id(("field", path));
        if self.typed.as_ref().is_some_and(|(known, _)| *known == id) {
            return self.text_field(ui, path, &entity.to_string(), field_width(ui));
        }
        let name = self.inspector.name_of(entity, world);
        if ui.link(name).on_hover_text("chooses the entity").clicked() {
            self.inspector.choose(entity);
        }
        let button = ui.small_button("edit").on_hover_text("another id, such as 12v3");
        if button.accessible_name(format!("edit {path}")).clicked() {
            self.typed = Some((id, entity.to_string()));
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        None
    }
}

fn field_width(ui: &Ui) -> f32 {
    (ui.available_width() - 30.0).max(60.0)
}

/// Whether elements can be added to a value.
fn grows(part: &ValuePart<'_>) -> bool {
    let part = part.content();
    matches!(
        (part.schema, part.value),
        (Schema::List(_), DynamicValue::List(_)) | (Schema::Mapping(..), DynamicValue::Mapping(_))
    )
}

/// A list or map without one of its elements, as it is typed.
fn without(value: &DynamicValue, at: usize) -> String {
    let mut value = value.clone();
    match &mut value {
        DynamicValue::List(list) => drop(list.remove(at)),
        DynamicValue::Mapping(entries) => drop(entries.remove(at)),
        _ => {}
    }
    value_input(&value)
}

/// The numbers of an integer type that can be dragged to.
fn range(name: &str) -> std::ops::RangeInclusive<i128> {
    let bits = name.trim_start_matches(['u', 'i']).parse::<u32>().unwrap_or(64).min(64);
    let (start, end) = match name.starts_with('u') {
        true => (0, (1 << bits) - 1),
        false => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
    };
    start.max(-EXACT)..=end.min(EXACT)
}

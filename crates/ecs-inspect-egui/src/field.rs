//! Fields of text: a value that is typed, and a line of the console with its completions.

use ecs::reflect::ReflectRef;
use egui::text::{CCursor, CCursorRange};
use egui::{Key, Popup, PopupCloseBehavior, TextEdit, Ui};

use crate::window::WindowInspector;

/// The most completions that are shown.
const MOST: usize = 12;

impl WindowInspector {
    /// A field for a text. Returns the text when the user has typed another one: at `Enter`, or when
    /// the field is left. `Esc` leaves the text as it was.
    pub(crate) fn text_field(&mut self, ui: &mut Ui, name: &str, text: &str, width: f32) -> Option<String> {
        let id = ui.make_persistent_id(("field", name));
        let mut typed = match &self.typed {
            Some((known, typed)) if *known == id => typed.clone(),
            _ => text.to_owned(),
        };
        let response = ui.add(TextEdit::singleline(&mut typed).id(id).desired_width(width));
        let response = response.accessible_name(name);
        if response.has_focus() {
            self.typed = Some((id, typed));
            return None;
        }
        let (_, typed) = self.typed.take_if(|(known, _)| *known == id)?;
        let is_given_up = ui.input(|input| input.key_pressed(Key::Escape));
        (response.lost_focus() && !is_given_up && typed != text).then_some(typed)
    }

    /// A field for a line of the console that begins with `begin`, with completions. Returns what the
    /// user has typed, at `Enter`.
    pub(crate) fn line_field(
        &mut self,
        ui: &mut Ui,
        (name, hint): (&str, &'static str),
        begin: &str,
        text: &str,
        width: f32,
        world: &ReflectRef<'_>,
    ) -> Option<String> {
        let id = ui.make_persistent_id(("line", name));
        let mut typed = match &self.typed {
            Some((known, typed)) if *known == id => typed.clone(),
            _ => text.to_owned(),
        };
        let edit = TextEdit::singleline(&mut typed).id(id).desired_width(width).hint_text(hint);
        let response = ui.add(edit).accessible_name(name);
        // a click at a completion takes the focus away before it is one
        let is_open = response.has_focus() || self.completed == Some(id);
        let line = format!("{begin}{typed}");
        let (start, words) = match is_open && !typed.is_empty() {
            true => self.inspector.candidates(&line, world),
            false => (0, Vec::new()),
        };
        let is_whole = |words: &[String]| words.len() == 1 && line.get(start..) == Some(&*words[0]);
        let popup = Popup::from_response(&response)
            .open(is_open && !words.is_empty() && !is_whole(&words))
            .close_behavior(PopupCloseBehavior::IgnoreClicks);
        let mut chosen = None;
        let popup = popup.show(|ui| {
            for word in words.iter().take(MOST) {
                if ui.selectable_label(false, word).clicked() {
                    chosen = Some(word);
                }
            }
        });
        let is_held = popup.is_some_and(|popup| popup.response.contains_pointer());
        self.completed = match self.completed {
            _ if response.has_focus() || is_held => Some(id),
            Some(other) if other == id => None,
            other => other,
        };
        if let Some(word) = chosen {
            typed.replace_range(start.saturating_sub(begin.len()).min(typed.len()).., word);
            response.request_focus();
            // the next character comes behind the word
            let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
            let end = CCursor::new(typed.chars().count());
            state.cursor.set_char_range(Some(CCursorRange::one(end)));
            state.store(ui.ctx(), id);
        }
        if response.has_focus() || is_held || chosen.is_some() {
            self.typed = Some((id, typed));
            return None;
        }
        self.typed.take_if(|(known, _)| *known == id)?;
        let is_entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        (is_entered && typed != text).then_some(typed)
    }
}

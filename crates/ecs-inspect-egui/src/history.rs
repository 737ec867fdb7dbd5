//! The history: the time line, the steps of the run that the world is inside of, and the answer to
//! the last question.

use ecs_inspect::{timeline_place, timeline_title};
use egui::{Panel, ScrollArea, Slider, Ui};

use crate::window::WindowInspector;

impl WindowInspector {
    /// A slider over the runs, and buttons for a run or a system back and forward.
    pub(crate) fn time_line(&mut self, ui: &mut Ui) {
        let Some(state) = self.inspector.timeline_state() else { return };
        ui.horizontal(|ui| {
            let back = [("« run", "back"), ("‹ system", "back system")];
            let forward = [("system ›", "forward system"), ("run »", "forward")];
            self.travel_buttons(ui, back);
            // room for the buttons and the place behind the slider
            ui.spacing_mut().slider_width = (ui.available_width() - 300.0).max(60.0);
            let mut run = state.place.run;
            let slider = Slider::new(&mut run, state.runs.start..=state.runs.end).show_value(false);
            let slider = ui.add(slider).accessible_name("time line");
            self.marks(ui, slider.rect, &state);
            if slider.changed() {
                self.ask(format!("rewind {run}"));
            }
            self.travel_buttons(ui, forward);
            ui.label(timeline_place(&state)).on_hover_text(timeline_title(&state));
        });
    }

    fn travel_buttons(&mut self, ui: &mut Ui, buttons: [(&str, &str); 2]) {
        for (text, line) in buttons {
            if ui.button(text).accessible_name(line).clicked() {
                self.ask(line);
            }
        }
    }

    /// The runs that have panicked, and those of the answer, on the slider.
    fn marks(&self, ui: &Ui, rect: egui::Rect, state: &ecs_inspect::ecs_history::TimelineState) {
        let length = (state.runs.end - state.runs.start).max(1) as f32;
        let mark = |run: u64, color| {
            if state.runs.contains(&run) {
                let x = rect.left() + rect.width() * (run - state.runs.start) as f32 / length;
                ui.painter().vline(x, rect.top()..=rect.top() + 4.0, (2.0, color));
            }
        };
        let (_, answer) = self.inspector.answer();
        answer
            .iter()
            .filter_map(|line| line.place)
            .for_each(|place| mark(place.run, ui.visuals().warn_fg_color));
        state.failed.iter().for_each(|run| mark(*run, ui.visuals().error_fg_color));
    }

    pub(crate) fn history(&mut self, ui: &mut Ui) {
        let Some(state) = self.inspector.timeline_state() else {
            ui.weak("this inspector has no history: see `Inspector::history`");
            return;
        };
        ui.label(timeline_title(&state));
        Panel::left("steps").default_size(220.0).show(ui, |ui| {
            ui.strong(format!("steps of run {}", state.place.run));
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                for (at, step) in state.steps.iter().enumerate() {
                    let is_here = at + 1 == state.place.step;
                    if ui.selectable_label(is_here, format!("{:>3}  {step}", at + 1)).clicked() {
                        self.ask(format!("rewind {}.{}", state.place.run, at + 1));
                    }
                }
            });
        });
        let (title, answer) = self.inspector.answer();
        let (title, answer) = (title.to_owned(), answer.to_vec());
        ui.horizontal(|ui| {
            ui.strong(if title.is_empty() { "who, diff, verify" } else { &title });
            if ui.small_button("verify").on_hover_text("repeats all runs").clicked() {
                self.ask("verify");
            }
        });
        let height = ui.spacing().interact_size.y;
        // the last change comes first to the eye
        let lines = ScrollArea::both().auto_shrink(false).stick_to_bottom(true);
        lines.show_rows(ui, height, answer.len(), |ui, range| {
            for line in &answer[range] {
                let link = egui::Button::selectable(false, &line.text).wrap_mode(egui::TextWrapMode::Extend);
                if let (true, Some(place)) = (ui.add(link).clicked(), line.place) {
                    self.ask(format!("rewind {place}"));
                }
            }
        });
    }
}

//! A village with the inspector in a window. The program draws the pixels itself, so that it needs
//! no graphics card; with `eframe` or another home of egui, `main` is a few lines.
//!
//! ```text
//! cargo run --release -p checked-ecs-inspect-egui --example window
//! cargo run --release -p checked-ecs-inspect-egui --example window -- --entities 100000
//! cargo run --release -p checked-ecs-inspect-egui --example window -- --screenshot village.png
//! ```
//!
//! `--screenshot` draws a picture of the inspector, without a window.
#![allow(elided_lifetimes_in_paths, reason = "systems are written as users write them")]

mod painter;
#[path = "../../../ecs-inspect/examples/village/world.rs"]
mod village;

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::num::NonZeroU32;
use std::rc::Rc;
use std::time::{Duration, Instant};

use ecs::reflect::ReflectWorld;
use ecs_inspect_egui::WindowInspector;
use ecs_inspect_egui::ecs_inspect::Inspector;
use ecs_inspect_egui::ecs_inspect::ecs_history::{Limit, TimeMachine};
use softbuffer::{Context, Surface};
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, OwnedDisplayHandle};
use winit::window::{Window, WindowId};

use crate::painter::Painter;
use crate::village::{Village, build};

const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 60);

/// The size of the window and of the picture, in points.
const SIZE: [usize; 2] = [1120, 700];

/// The program: a village, its history, and the inspector.
struct Program {
    village: Village,
    machine: TimeMachine<Village>,
    inspector: WindowInspector,
}

impl Program {
    fn new(entities: usize) -> Self {
        // the last minute
        let machine = TimeMachine::new(Limit::runs(3600).and_bytes(1 << 30));
        let inspector = WindowInspector::new(Inspector::new().label("Name").history(machine.clone()));
        Self { village: build(entities), machine, inspector }
    }

    /// A frame: a tick, unless the inspector has paused the village, and the inspector.
    fn frame(&mut self, ui: &mut egui::Ui) {
        if self.inspector.pace().runs() {
            self.machine.run(&mut self.village, Village::tick);
        }
        self.inspector.show(ui, &mut self.village);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut entities, mut screenshot) = (40, None);
    let mut arguments = std::env::args().skip(1);
    while let (Some(option), value) = (arguments.next(), arguments.next()) {
        let value = value.ok_or("an option needs a value")?;
        match &*option {
            "--entities" => entities = value.parse()?,
            "--screenshot" => screenshot = Some(value),
            _ => return Err(format!("unknown option `{option}`").into()),
        }
    }
    let mut program = Program::new(entities);
    if let Some(file) = screenshot {
        return draw_screenshot(&mut program, &file);
    }
    let events =
        EventLoop::new().map_err(|_| "there is no display; `--screenshot FILE` draws without one")?;
    let context = Context::new(events.owned_display_handle())?;
    let egui = egui::Context::default();
    let painter = Painter::default();
    let mut app = App { program, egui, painter, context, window: None, next: Instant::now(), error: None };
    events.run_app(&mut app)?;
    app.error.map_or(Ok(()), Err)
}

/// Lets the village live for a while, goes back in its history, and writes a picture.
fn draw_screenshot(program: &mut Program, file: &str) -> Result<(), Box<dyn Error>> {
    for _ in 0..200 {
        program.machine.run(&mut program.village, Village::tick);
    }
    let inspector = program.inspector.inspector_mut();
    for line in ["filter Name, Hunger, Trade, Hunger.now > 2", "goto 11v1", "watch Clock.frame", "back 40"] {
        inspector.enter(line, &mut program.village.reflect_mut());
        inspector.message()?;
    }
    let (egui, mut painter) = (egui::Context::default(), Painter::default());
    // popups and lists have their sizes after a few frames
    for _ in 0..4 {
        let [width, height] = SIZE.map(|side| side as f32);
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width, height));
        let input = egui::RawInput { screen_rect: Some(screen), ..Default::default() };
        let output = egui.run_ui(input, |ui| program.frame(ui));
        painter.paint(&egui, output, SIZE);
    }
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(file)?), SIZE[0] as u32, SIZE[1] as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    // rows of one color are the best that there is for the compression
    encoder.set_filter(png::Filter::NoFilter);
    let bytes: Vec<u8> = painter.pixels.iter().flat_map(|color| [color.r(), color.g(), color.b()]).collect();
    encoder.write_header()?.write_image_data(&bytes)?;
    Ok(())
}

/// The window.
struct App {
    program: Program,
    egui: egui::Context,
    painter: Painter,
    context: Context<OwnedDisplayHandle>,
    window: Option<Shown>,
    /// The time of the next frame.
    next: Instant,
    error: Option<Box<dyn Error>>,
}

struct Shown {
    window: Rc<Window>,
    surface: Surface<OwnedDisplayHandle, Rc<Window>>,
    input: egui_winit::State,
}

impl App {
    fn open(&mut self, events: &ActiveEventLoop) -> Result<(), Box<dyn Error>> {
        let size = LogicalSize::new(SIZE[0] as f64, SIZE[1] as f64);
        let attributes = Window::default_attributes().with_title("village").with_inner_size(size);
        let window = Rc::new(events.create_window(attributes)?);
        let surface = Surface::new(&self.context, window.clone())?;
        let scale = Some(window.scale_factor() as f32);
        let input = egui_winit::State::new(
            self.egui.clone(),
            egui::ViewportId::ROOT,
            &window,
            scale,
            window.theme(),
            None,
        );
        self.window = Some(Shown { window, surface, input });
        Ok(())
    }

    fn draw(&mut self) -> Result<(), Box<dyn Error>> {
        let Some(Shown { window, surface, input }) = &mut self.window else { return Ok(()) };
        let size = window.inner_size();
        let (Some(width), Some(height)) = (NonZeroU32::new(size.width), NonZeroU32::new(size.height)) else {
            return Ok(());
        };
        let mut output = self.egui.run_ui(input.take_egui_input(window), |ui| self.program.frame(ui));
        input.handle_platform_output(window, std::mem::take(&mut output.platform_output));
        self.painter.paint(&self.egui, output, [size.width as usize, size.height as usize]);
        surface.resize(width, height)?;
        let mut buffer = surface.buffer_mut()?;
        for (target, color) in buffer.iter_mut().zip(&self.painter.pixels) {
            *target = u32::from_be_bytes([0, color.r(), color.g(), color.b()]);
        }
        buffer.present()?;
        Ok(())
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        self.error = self.open(events).err();
        if self.error.is_some() {
            events.exit();
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(shown) = &mut self.window else { return };
        let _ = shown.input.on_window_event(&shown.window, &event);
        match event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::RedrawRequested => {
                self.error = self.draw().err();
                if self.error.is_some() || self.program.inspector.inspector().is_closed() {
                    events.exit();
                }
            }
            _ => {}
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        if self.next <= Instant::now() {
            self.next = Instant::now() + FRAME;
            if let Some(shown) = &self.window {
                shown.window.request_redraw();
            }
        }
        events.set_control_flow(ControlFlow::WaitUntil(self.next));
    }
}

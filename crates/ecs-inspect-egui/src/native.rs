//! A window for programs that have none, and pictures of what it would show. The program draws the
//! pixels itself: neither needs a graphics card, and a picture needs no display.
//!
//! ```
//! use ecs_inspect_egui::native;
//!
//! let image = native::screenshot([200, 100], 2, |ui| {
//!     ui.heading("a village");
//! });
//! let mut png = Vec::new();
//! native::write_png(&image, &mut png)?;
//! assert!(image.size == [200, 100] && png.starts_with(b"\x89PNG"));
//! # std::io::Result::Ok(())
//! ```

mod painter;

use std::io::{self, Write};
use std::num::NonZeroU32;
use std::rc::Rc;
use std::time::{Duration, Instant};

use egui::{ColorImage, Ui};
use softbuffer::{Context, Surface};
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, OwnedDisplayHandle};
use winit::window::{Window, WindowId};

use painter::Painter;

/// The shortest time from frame to frame.
const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 60);

/// Opens a window of a size in points, and calls `frame` for each frame until the user closes the
/// window or `frame` returns `false`. A frame is drawn after input, and as soon as
/// [`egui::Context::request_repaint`] asks for one: at most 60 in a second.
///
/// Call it once, from the main thread.
///
/// ```no_run
/// use ecs_inspect_egui::native;
///
/// let mut clicks = 0;
/// native::run("clicks", [300, 100], |ui| {
///     clicks += u32::from(ui.button(format!("{clicks} clicks")).clicked());
///     clicks < 10
/// })?;
/// # std::io::Result::Ok(())
/// ```
///
/// # Errors
/// If there is no display, or the window system refuses a window.
pub fn run(title: &str, size: [u32; 2], frame: impl FnMut(&mut Ui) -> bool) -> io::Result<()> {
    let events = EventLoop::new()
        .map_err(|error| io::Error::new(io::ErrorKind::NotFound, format!("there is no display: {error}")))?;
    let context = Context::new(events.owned_display_handle()).map_err(other)?;
    let (egui, painter, title) = (egui::Context::default(), Painter::default(), title.to_owned());
    let next = Some(Instant::now());
    let mut app = App { frame, title, size, egui, painter, context, window: None, next, error: None };
    events.run_app(&mut app).map_err(other)?;
    app.error.map_or(Ok(()), Err)
}

/// Draws this many frames of a size in pixels, and returns the last one. Lists and popups have their
/// sizes after two to four. A frame is a sixtieth of a second after the one before, whatever the
/// clock says.
pub fn screenshot(size: [usize; 2], frames: usize, mut frame: impl FnMut(&mut Ui)) -> ColorImage {
    let (egui, mut painter) = (egui::Context::default(), Painter::default());
    let [width, height] = size.map(|side| side as f32);
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width, height));
    for _ in 0..frames {
        let input = egui::RawInput { screen_rect: Some(screen), ..Default::default() };
        let output = egui.run_ui(input, &mut frame);
        painter.paint(&egui, output, size);
    }
    painter.pixels.resize(size[0] * size[1], egui::Color32::BLACK);
    ColorImage::new(size, painter.pixels)
}

/// Writes an image as PNG, without transparency.
///
/// # Errors
/// If writing fails, or the image has no pixels.
pub fn write_png(image: &ColorImage, to: impl Write) -> io::Result<()> {
    let mut encoder = png::Encoder::new(to, image.size[0] as u32, image.size[1] as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    // rows of one color are the best that there is for the compression
    encoder.set_filter(png::Filter::NoFilter);
    let bytes: Vec<u8> = image.pixels.iter().flat_map(|color| [color.r(), color.g(), color.b()]).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes)?;
    Ok(writer.finish()?)
}

fn other(error: impl ToString) -> io::Error {
    io::Error::other(error.to_string())
}

/// The program of a window.
struct App<F> {
    frame: F,
    title: String,
    size: [u32; 2],
    egui: egui::Context,
    painter: Painter,
    context: Context<OwnedDisplayHandle>,
    window: Option<Shown>,
    /// The time of the next frame; `None` if nothing changes before there is input.
    next: Option<Instant>,
    error: Option<io::Error>,
}

struct Shown {
    window: Rc<Window>,
    surface: Surface<OwnedDisplayHandle, Rc<Window>>,
    input: egui_winit::State,
}

impl<F: FnMut(&mut Ui) -> bool> App<F> {
    fn open(&mut self, events: &ActiveEventLoop) -> io::Result<()> {
        let [width, height] = self.size;
        let attributes = Window::default_attributes().with_title(&self.title);
        let attributes = attributes.with_inner_size(LogicalSize::new(width, height));
        let window = Rc::new(events.create_window(attributes).map_err(other)?);
        let surface = Surface::new(&self.context, window.clone()).map_err(other)?;
        let (egui, root) = (self.egui.clone(), egui::ViewportId::ROOT);
        let scale = Some(window.scale_factor() as f32);
        let input = egui_winit::State::new(egui, root, &window, scale, window.theme(), None);
        self.window = Some(Shown { window, surface, input });
        Ok(())
    }

    /// Draws a frame. Returns whether there are more.
    fn draw(&mut self) -> io::Result<bool> {
        let Some(Shown { window, surface, input }) = &mut self.window else { return Ok(true) };
        let size = window.inner_size();
        let (Some(width), Some(height)) = (NonZeroU32::new(size.width), NonZeroU32::new(size.height)) else {
            // a window that is folded away
            self.next = Some(Instant::now() + FRAME);
            return Ok(true);
        };
        let mut goes_on = true;
        let mut output = self.egui.run_ui(input.take_egui_input(window), |ui| goes_on = (self.frame)(ui));
        input.handle_platform_output(window, std::mem::take(&mut output.platform_output));
        let delay = output.viewport_output.values().map(|viewport| viewport.repaint_delay).min();
        self.next = Instant::now().checked_add(delay.unwrap_or(Duration::MAX).max(FRAME));
        self.painter.paint(&self.egui, output, [size.width as usize, size.height as usize]);
        surface.resize(width, height).map_err(other)?;
        let mut buffer = surface.buffer_mut().map_err(other)?;
        for (target, color) in buffer.iter_mut().zip(&self.painter.pixels) {
            *target = u32::from_be_bytes([0, color.r(), color.g(), color.b()]);
        }
        buffer.present().map_err(other)?;
        Ok(goes_on)
    }
}

impl<F: FnMut(&mut Ui) -> bool> ApplicationHandler for App<F> {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        self.error = self.open(events).err();
        if self.error.is_some() {
            events.exit();
        }
    }

    fn new_events(&mut self, _: &ActiveEventLoop, _: StartCause) {
        if let (Some(shown), Some(next)) = (&self.window, self.next)
            && next <= Instant::now()
        {
            self.next = None;
            shown.window.request_redraw();
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(shown) = &mut self.window else { return };
        if shown.input.on_window_event(&shown.window, &event).repaint {
            self.next = Some(self.next.map_or_else(Instant::now, |next| next.min(Instant::now() + FRAME)));
        }
        match event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::RedrawRequested => match self.draw() {
                Ok(true) => {}
                Ok(false) => events.exit(),
                Err(error) => {
                    self.error = Some(error);
                    events.exit();
                }
            },
            _ => {}
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        events.set_control_flow(self.next.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }
}

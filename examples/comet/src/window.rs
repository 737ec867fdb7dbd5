//! The window: it turns keys into input, and shows a picture in each frame.

use std::collections::HashSet;
use std::error::Error;
use std::num::NonZeroU32;
use std::rc::Rc;
use std::time::{Duration, Instant};

use ecs::prelude::*;
use softbuffer::{Context, Surface};
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, OwnedDisplayHandle};
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::{Window, WindowId};

use crate::draw::Canvas;
use crate::game::{Grains, Input, SIZE, Sky};
use crate::history::History;
use crate::tools::Door;

const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 60);

/// Plays until the window is closed, or for so many frames.
pub(crate) fn open(grains: u32, frames: Option<u32>) -> Result<(), Box<dyn Error>> {
    let events = EventLoop::new().map_err(|_| "there is no display; `--headless` plays without one")?;
    let context = Context::new(events.owned_display_handle())?;
    let mut app = App {
        context,
        surface: None,
        canvas: Canvas::new(SIZE.0, SIZE.1),
        sky: Sky::new(Grains(grains)),
        history: History::default(),
        door: None,
        status: String::new(),
        held: HashSet::new(),
        pressed: Input::default(),
        next: Instant::now(),
        left: frames,
        times: Vec::new(),
        error: None,
    };
    // a run for a number of frames shows the game, not the menu
    app.pressed.start = frames.is_some();
    events.run_app(&mut app)?;
    if let Some(error) = app.error {
        return Err(error);
    }
    if frames.is_some() {
        app.times.sort_unstable();
        let at = |part: usize| app.times.get(app.times.len() * part / 100).copied().unwrap_or_default();
        println!("{} frames, {:?} each (median), {:?} (99 %)", app.times.len(), at(50), at(99));
    }
    Ok(())
}

struct App {
    context: Context<OwnedDisplayHandle>,
    surface: Option<Surface<OwnedDisplayHandle, Rc<Window>>>,
    canvas: Canvas,
    sky: Sky,
    history: History,
    door: Option<Door>,
    status: String,
    held: HashSet<KeyCode>,
    /// The keys that were pressed since the last frame.
    pressed: Input,
    /// The time of the next frame.
    next: Instant,
    /// The frames that are left.
    left: Option<u32>,
    /// The time of each frame, without that of waiting.
    times: Vec<Duration>,
    error: Option<Box<dyn Error>>,
}

impl App {
    fn show(&mut self, events: &ActiveEventLoop) -> Result<(), Box<dyn Error>> {
        let size = LogicalSize::new(SIZE.0 as f64, SIZE.1 as f64);
        let attributes = Window::default_attributes().with_title("comet").with_inner_size(size);
        let window = Rc::new(events.create_window(attributes.with_resizable(false))?);
        self.surface = Some(Surface::new(&self.context, window)?);
        Ok(())
    }

    fn key(&mut self, events: &ActiveEventLoop, key: &KeyEvent) {
        let PhysicalKey::Code(code) = key.physical_key else { return };
        if key.state == ElementState::Released {
            self.held.remove(&code);
            return;
        }
        if self.held.insert(code) {
            match code {
                KeyCode::Space | KeyCode::Enter => self.pressed.start = true,
                KeyCode::KeyP => self.pressed.pause = true,
                KeyCode::KeyI => self.let_inspector_in(),
                KeyCode::Escape => events.exit(),
                _ => {}
            }
        }
    }

    fn let_inspector_in(&mut self) {
        if self.door.is_none() {
            match Door::open() {
                Ok(door) => {
                    self.status = door.command();
                    println!("{}", self.status);
                    self.door = Some(door);
                }
                Err(error) => self.status = error.to_string(),
            }
        }
    }

    /// The direction of the held keys.
    fn thrust(&self) -> (i8, i8) {
        let is_held = |keys: [KeyCode; 2]| i8::from(keys.iter().any(|key| self.held.contains(key)));
        (
            is_held([KeyCode::ArrowRight, KeyCode::KeyD]) - is_held([KeyCode::ArrowLeft, KeyCode::KeyA]),
            is_held([KeyCode::ArrowDown, KeyCode::KeyS]) - is_held([KeyCode::ArrowUp, KeyCode::KeyW]),
        )
    }

    fn tick(&mut self) {
        let runs = self.door.as_ref().is_none_or(|door| door.serve(&mut self.sky));
        if self.held.contains(&KeyCode::KeyR) {
            self.history.go_back(&mut self.sky);
        } else if runs {
            self.sky.send(Input { thrust: self.thrust(), ..std::mem::take(&mut self.pressed) });
            self.sky.frame();
            self.history.record(&mut self.sky);
        }
    }

    /// Copies the picture to the window, which may have another size.
    fn present(&mut self) -> Result<(), Box<dyn Error>> {
        let Some(surface) = &mut self.surface else { return Ok(()) };
        let size = surface.window().inner_size();
        let (Some(width), Some(height)) = (NonZeroU32::new(size.width), NonZeroU32::new(size.height)) else {
            return Ok(());
        };
        surface.resize(width, height)?;
        let mut buffer = surface.buffer_mut()?;
        let to = buffer.chunks_exact_mut(width.get() as usize);
        for (to, from) in to.zip(self.canvas.pixels().chunks_exact(SIZE.0)) {
            let shown = to.len().min(from.len());
            to[..shown].copy_from_slice(&from[..shown]);
        }
        buffer.present()?;
        Ok(())
    }

    fn frame(&mut self) -> Result<(), Box<dyn Error>> {
        let begin = Instant::now();
        self.tick();
        self.canvas.draw(&self.sky, &self.status);
        self.present()?;
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(1);
            self.times.push(begin.elapsed());
        }
        Ok(())
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if let Err(error) = self.show(events) {
            self.error = Some(error);
            events.exit();
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::KeyboardInput { event, .. } => self.key(events, &event),
            // keys that are released elsewhere are not reported
            WindowEvent::Focused(false) => self.held.clear(),
            _ => {}
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        if self.left == Some(0) {
            return events.exit();
        }
        let now = Instant::now();
        if self.surface.is_some() && now >= self.next {
            if let Err(error) = self.frame() {
                self.error = Some(error);
                return events.exit();
            }
            // a program that was stopped for a while does not catch up
            self.next = (self.next + FRAME).max(now);
        }
        events.set_control_flow(ControlFlow::WaitUntil(self.next));
    }
}

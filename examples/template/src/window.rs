//! The window: keys in, pixels out.

use std::error::Error;
use std::num::NonZeroU32;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use ecs::prelude::*;
use softbuffer::{Context, Surface};
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::{ElementState, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, OwnedDisplayHandle};
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::{Window, WindowId};

use crate::game::{Cell, Coin, Game, Player, SIZE, Score, Step, start};
use crate::save::{load, save};

/// The pixels of a cell, to the right and downwards.
const CELL: i32 = 20;
const FRAME: Duration = Duration::from_millis(33);
const SAVE: &str = "save.json";

/// Plays until the window is closed.
///
/// # Errors
/// If there is no display, or it fails.
pub fn play() -> Result<(), Box<dyn Error>> {
    let events = EventLoop::new().map_err(|_| "there is no display")?;
    let context = Context::new(events.owned_display_handle())?;
    let mut app = App {
        context,
        surface: None,
        game: start(),
        next: Instant::now(),
        error: None,
    };
    events.run_app(&mut app)?;
    app.error.map_or(Ok(()), Err)
}

struct App {
    context: Context<OwnedDisplayHandle>,
    surface: Option<Surface<OwnedDisplayHandle, Rc<Window>>>,
    game: Game,
    next: Instant,
    error: Option<Box<dyn Error>>,
}

impl App {
    fn show(&mut self, events: &ActiveEventLoop) -> Result<(), Box<dyn Error>> {
        let size = LogicalSize::new(SIZE.0 * CELL, SIZE.1 * CELL);
        let window =
            Rc::new(events.create_window(Window::default_attributes().with_inner_size(size))?);
        self.surface = Some(Surface::new(&self.context, window)?);
        Ok(())
    }

    fn key(&mut self, events: &ActiveEventLoop, code: KeyCode) -> Result<(), Box<dyn Error>> {
        match code {
            KeyCode::ArrowLeft => self.game.send(Step(-1, 0)),
            KeyCode::ArrowRight => self.game.send(Step(1, 0)),
            KeyCode::ArrowUp => self.game.send(Step(0, -1)),
            KeyCode::ArrowDown => self.game.send(Step(0, 1)),
            KeyCode::KeyS => save(&self.game, Path::new(SAVE))?,
            KeyCode::KeyL => self.game = load(Path::new(SAVE))?,
            KeyCode::Escape => events.exit(),
            _ => {}
        }
        Ok(())
    }

    fn frame(&mut self) -> Result<(), Box<dyn Error>> {
        self.game.tick();
        let Some(surface) = &mut self.surface else {
            return Ok(());
        };
        let size = surface.window().inner_size();
        let (width, height) = (NonZeroU32::new(size.width), NonZeroU32::new(size.height));
        let (Some(width), Some(height)) = (width, height) else {
            return Ok(());
        };
        surface
            .window()
            .set_title(&format!("my game: {}", self.game.resource::<Score>().0));
        surface.resize(width, height)?;
        let mut pixels = surface.buffer_mut()?;
        pixels.fill(0x0010_1820);
        let (width, height) = (size.width as i32, size.height as i32);
        let mut square = |cell: &Cell, color: u32| {
            let (left, right) = (
                (cell.x * CELL).min(width),
                ((cell.x + 1) * CELL - 2).min(width),
            );
            for y in (cell.y * CELL).min(height)..((cell.y + 1) * CELL - 2).min(height) {
                pixels[(y * width + left) as usize..(y * width + right) as usize].fill(color);
            }
        };
        for (cell, Coin(worth)) in self.game.query::<(&Cell, &Coin)>() {
            square(cell, 0x0080_6000 + 0x0014_1400 * worth);
        }
        for cell in self.game.query::<&Cell>().filter::<With<Player>>() {
            square(cell, 0x0060_c0ff);
        }
        pixels.present()?;
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
            WindowEvent::KeyboardInput { event, .. } if event.state == ElementState::Pressed => {
                if let PhysicalKey::Code(code) = event.physical_key
                    && let Err(error) = self.key(events, code)
                {
                    // the game goes on without the save
                    eprintln!("my-game: {error}");
                }
            }
            _ => {}
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        let now = Instant::now();
        if now >= self.next {
            if let Err(error) = self.frame() {
                self.error = Some(error);
                return events.exit();
            }
            self.next = (self.next + FRAME).max(now);
        }
        events.set_control_flow(ControlFlow::WaitUntil(self.next));
    }
}

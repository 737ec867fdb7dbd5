//! The example `schelling_window`: a picture without a display, a message where there is none, and a
//! window on a display that is made for it.

use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// A display that `Xvfb` makes: what it shows is in a file. It ends with this value.
struct Display {
    server: Child,
    number: u32,
    folder: PathBuf,
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Display {
    /// A display; `None` where there is no `Xvfb`.
    fn new() -> Option<Self> {
        let id = std::process::id();
        let (number, folder) = (1000 + id % 10_000, std::env::temp_dir().join(format!("display-{id}")));
        fs::create_dir_all(&folder).ok()?;
        let mut server = Command::new("Xvfb");
        server.arg(format!(":{number}")).args(["-screen", "0", "1200x700x24", "-nolisten", "tcp", "-fbdir"]);
        let server = server.arg(&folder).stderr(std::process::Stdio::null()).spawn();
        let display = Self { server: server.ok()?, number, folder };
        is_soon(|| display.pixels() > 0).then_some(display)
    }

    /// The bytes of the screen.
    fn screen(&self) -> Vec<u8> {
        fs::read(self.folder.join("Xvfb_screen0")).unwrap_or_default()
    }

    fn pixels(&self) -> usize {
        self.screen().len() / 4
    }

    /// The number of pixels of a color.
    fn count(&self, [red, green, blue]: [u8; 3]) -> usize {
        self.screen().chunks_exact(4).filter(|pixel| pixel[..3] == [blue, green, red]).count()
    }
}

/// Whether something is true within half a minute.
fn is_soon(mut test: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + Duration::from_secs(30);
    while !test() {
        if Instant::now() > end {
            return false;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    true
}

/// The example, which `cargo test` builds beside this test, without a display.
fn example() -> Option<Command> {
    let test = std::env::current_exe().ok()?;
    let name = format!("schelling_window{}", std::env::consts::EXE_SUFFIX);
    let path = test.parent().and_then(Path::parent)?.join("examples").join(name);
    let mut command = path.exists().then(|| Command::new(path))?;
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(variable);
    }
    Some(command)
}

/// Says why a test does nothing: not by `eprintln`, which is shown for a failed test only.
fn skip(reason: &str) {
    let message = format!("SKIPPED: {reason}\n");
    stderr().write_all(message.as_bytes()).expect("standard error can be written");
}

#[test]
fn the_example_draws_without_a_display() {
    let (Some(mut draw), Some(mut show)) = (example(), example()) else {
        return skip("the example `schelling_window` is not built");
    };
    let picture = std::env::temp_dir().join(format!("schelling-{}.png", std::process::id()));
    let output = draw.arg("--screenshot").arg(&picture).output().expect("it runs");
    let size = fs::metadata(&picture).map(|file| file.len());
    let _ = fs::remove_file(&picture);
    assert!(output.status.success(), "{output:?}");
    assert!(size.is_ok_and(|size| size > 20_000), "the picture was written");

    if cfg!(target_os = "linux") {
        let output = show.output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains("there is no display"), "{text}");
    }
}

#[test]
fn the_example_opens_a_window() {
    let Some(mut example) = example() else {
        return skip("the example `schelling_window` is not built");
    };
    let Some(display) = Display::new() else {
        return skip("there is no display: `Xvfb` makes one where it is installed");
    };
    let mut program = example.env("DISPLAY", format!(":{}", display.number)).spawn().expect("it runs");
    // the agents of both groups, each a disc of some 70 pixels
    let groups = [[230, 159, 0], [0, 114, 178]];
    let is_shown = is_soon(|| groups.iter().all(|group| display.count(*group) > 30_000));
    let is_running = program.try_wait().expect("its state").is_none();
    let _ = program.kill();
    let _ = program.wait();
    assert!(is_running, "the program has ended");
    assert!(is_shown, "{:?} pixels of the groups are shown", groups.map(|group| display.count(group)));
}

//! The game without a window, without a display, and, where there is an X server without a screen,
//! in a window.

use std::io::{BufRead, BufReader, Write, stderr};
use std::process::{Command, Output, Stdio};

/// The game, without the display of whoever runs the test.
fn comet(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ecs-comet"));
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(variable);
    }
    command.args(arguments);
    command
}

fn text(output: &Output) -> (String, String) {
    let read = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (read(&output.stdout), read(&output.stderr))
}

#[test]
fn recorded_input_gives_the_recorded_game() {
    let picture = std::env::temp_dir().join(format!("comet-{}.png", std::process::id()));
    let path = picture.to_str().expect("the path of a temporary file is text");
    let output = comet(&["--headless", "--grains", "2000", "--picture", path]).output().expect("it runs");
    let size = std::fs::metadata(&picture).map(|file| file.len());
    let _ = std::fs::remove_file(&picture);
    assert_eq!(text(&output), (include_str!("../output.txt").to_owned(), String::new()));
    assert!(size.is_ok_and(|size| size > 5_000), "the picture was written");
}

#[test]
fn without_a_display_there_is_one_line_and_an_exit_code() {
    let output = comet(&[]).output().expect("it runs");
    let (stdout, stderr) = text(&output);
    assert_eq!((output.status.code(), stdout.as_str()), (Some(2), ""));
    assert_eq!(stderr, "comet: there is no display; `--headless` plays without one\n");
    let output = comet(&["--fullscreen"]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output).1, "comet: invalid option '--fullscreen'\n");
}

#[test]
fn it_plays_in_a_window() {
    let server = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1024x768x24"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut server) = server else {
        // not by `eprintln`, which is shown for a failed test only
        let message =
            "SKIPPED: there is no Xvfb (`apt install xvfb`), and the game was not tried in a window\n";
        return stderr().write_all(message.as_bytes()).expect("standard error can be written");
    };
    let mut display = String::new();
    let stdout = server.stdout.take().expect("it is piped");
    let read = BufReader::new(stdout).read_line(&mut display);
    let output = comet(&["--frames", "30", "--grains", "2000"])
        .env("DISPLAY", format!(":{}", display.trim()))
        .output()
        .expect("it runs");
    let _ = server.kill();
    let _ = server.wait();
    assert!(read.is_ok_and(|bytes| bytes > 1), "the X server told its display");
    let (stdout, stderr) = text(&output);
    assert!(output.status.success() && stdout.starts_with("30 frames, "), "{stdout}{stderr}");
}

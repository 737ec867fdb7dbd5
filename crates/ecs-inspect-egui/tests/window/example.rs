//! The example writes a picture without a display, and says so where there is none.

use std::io::{Write, stderr};
use std::process::Command;

/// The example, which `cargo test` builds beside this test.
fn example() -> Option<Command> {
    let test = std::env::current_exe().ok()?;
    let path =
        test.parent()?.parent()?.join("examples").join(format!("window{}", std::env::consts::EXE_SUFFIX));
    let mut command = path.exists().then(|| Command::new(path))?;
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(variable);
    }
    Some(command)
}

#[test]
fn the_example_draws_without_a_display() {
    let (Some(mut draw), Some(mut show)) = (example(), example()) else {
        // not by `eprintln`, which is shown for a failed test only
        let message = "SKIPPED: the example `window` is not built\n";
        return stderr().write_all(message.as_bytes()).expect("standard error can be written");
    };
    let picture = std::env::temp_dir().join(format!("inspector-{}.png", std::process::id()));
    let output = draw.arg("--screenshot").arg(&picture).output().expect("it runs");
    let size = std::fs::metadata(&picture).map(|file| file.len());
    let _ = std::fs::remove_file(&picture);
    assert!(output.status.success(), "{output:?}");
    assert!(size.is_ok_and(|size| size > 50_000), "the picture was written");

    if cfg!(target_os = "linux") {
        let output = show.output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains("there is no display"), "{text}");
    }
}

//! `examples/template`, copied to another folder as a user does, passes its own tests.

use std::fs;
use std::path::Path;
use std::process::Command;

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the folder can be made");
    for entry in fs::read_dir(from).expect("the template is there") {
        let entry = entry.expect("the template can be read");
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            if name != "target" {
                copy(&path, &to.join(name));
            }
        } else {
            fs::copy(&path, to.join(name)).expect("the file can be copied");
        }
    }
}

#[test]
fn w63_a_project_that_begins_with_the_template_passes_its_tests() {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the package is in `examples`");
    let folder = std::env::temp_dir().join(format!("my-game-{}", std::process::id()));
    copy(&root.join("examples/template"), &folder);
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("it was copied");
    let library = format!("path = {:?}", root.join("ecs"));
    assert!(manifest.contains("path = \"../../ecs\""), "the path that a user changes");
    fs::write(folder.join("Cargo.toml"), manifest.replace("path = \"../../ecs\"", &library))
        .expect("as above");
    // the versions that are there already
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("the workspace has one");
    // the folder and the profile of the workspace, which has built most of the dependencies already
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), |folder| root.join(folder));
    let debug = std::env::var_os("CARGO_PROFILE_DEV_DEBUG").unwrap_or("line-tables-only".into());
    let cargo = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO"))
            .args(arguments)
            .env("CARGO_NET_OFFLINE", "true")
            .env("CARGO_TARGET_DIR", &target)
            .env("CARGO_PROFILE_DEV_DEBUG", &debug)
            // without the optimizations of its profile, with which the compiler takes twice as long
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
            .current_dir(&folder)
            .output()
            .expect("cargo runs");
        let text =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "cargo {arguments:?}: {text}");
        text
    };
    cargo(&["fmt", "--check"]);
    cargo(&["clippy", "--all-targets", "--", "-D", "warnings"]);
    let text = cargo(&["test"]);
    let passed = text.matches("4 passed").count();
    fs::remove_dir_all(&folder).expect("it can be removed");
    assert_eq!(passed, 1, "{text}");
}

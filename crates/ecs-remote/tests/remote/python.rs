//! The client in Python, with a running world.

use std::process::{Command, Stdio};
use std::time::Duration;

use ecs_remote::{Limits, Options, Remote, Writes};

use crate::server::Running;

#[test]
fn the_python_client_asks_changes_and_follows_a_world() {
    let is_there = Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    if !is_there.is_ok_and(|status| status.success()) {
        eprintln!("the client in Python is not tested: there is no `python3`");
        return;
    }
    let running = Running::start(Options::new().writes(Writes::Anybody));
    let mut limits = Limits::default();
    limits.timeout = Duration::from_millis(200);
    let silent = Remote::bind(Options::new().port(0).limits(limits)).expect("the loopback has a free port");
    let ports = [running.address, silent.address().expect("it is bound")].map(|address| address.port());
    let output = Command::new("python3")
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/python"))
        .args(["-B", "test_ecs_remote.py", &ports[0].to_string(), &ports[1].to_string()])
        .output()
        .expect("`python3` runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stderr).contains("Ran 6 tests"), "all tests run");
}

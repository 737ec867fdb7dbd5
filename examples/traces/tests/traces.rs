//! The trace that the example `traces` writes: it is JSON, and has a bar for each turn of a system.

use std::process::Command;

use serde_json::Value;

#[test]
fn a_trace_is_json_and_names_each_system_of_each_tick() {
    let file = std::env::temp_dir().join(format!("traces-{}.json", std::process::id()));
    let output = Command::new(env!("CARGO_BIN_EXE_traces"))
        .args(["--ticks", "7", "--into"])
        .arg(&file)
        .output()
        .expect("the example was built with this test");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&file).expect("the example has written the file");
    std::fs::remove_file(&file).expect("the file is removed");
    let events: Vec<Value> = serde_json::from_str(&text).expect("the trace is JSON");
    let count = |name: &str, phase: &str| {
        events.iter().filter(|event| event["name"] == name && event["ph"] == phase).count()
    };
    for name in ["tick", "change_weather", "blow", "warm", "drift", "settle"] {
        assert_eq!((count(name, "B"), count(name, "E")), (7, 7), "begins and ends of `{name}`");
    }
    let drift = events.iter().find(|event| event["name"] == "drift").expect("it was counted");
    let fields = &drift["args"];
    assert!(fields["schedule"].as_str().is_some_and(|name| name.contains("tick")), "{drift}");
    assert!(fields["world"].as_str().is_some_and(|name| name.contains("Sky")), "{drift}");
}

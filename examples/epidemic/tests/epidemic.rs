//! The example `epidemic` as a process: the same hash for each number of workers and processes, and
//! after `kill -9`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs the example, and returns its output.
fn run(arguments: &[&str]) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_epidemic")).args(arguments).output().expect("the example starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// The hash in the last line.
fn hash(output: &str) -> &str {
    let last = output.lines().last().unwrap_or_default();
    let hash = last.strip_prefix("hash ").unwrap_or_else(|| panic!("{output}"));
    assert!(hash.len() == 16 && u64::from_str_radix(hash, 16).is_ok(), "{hash}");
    hash
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ecs-epidemic-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
fn the_hash_is_the_same_for_each_number_of_workers_processes_and_threads() {
    let common = ["--agents", "4000", "--ticks", "30", "--quiet"];
    let with = |more: &[&str]| hash(&run(&[&common, more].concat())).to_owned();
    let expected = with(&[]);
    for more in [
        &["--workers", "2"][..],
        &["--workers", "4", "--threads", "2"],
        &["--processes", "2"],
        &["--processes", "2", "--workers", "2", "--stats"],
        &["--processes", "4", "--workers", "2"],
    ] {
        assert_eq!(with(more), expected, "{more:?}");
    }
    assert_eq!(with(&["--arrays"]), expected);
    assert_ne!(with(&["--seed", "2"]), expected);
}

#[test]
fn the_processes_of_a_file_of_hosts_give_the_same_hash() {
    // two ports that were free a moment ago
    let ports = [(); 2].map(|()| std::net::TcpListener::bind("127.0.0.1:0").unwrap());
    let lines = ports.each_ref().map(|port| format!("{}\n", port.local_addr().unwrap()));
    drop(ports);
    let file = folder("hosts");
    let key = folder("key");
    fs::write(&file, format!("# two processes\n{}", lines.concat())).unwrap();
    fs::write(&key, "open sesame\n").unwrap();
    let common = ["--agents", "3000", "--ticks", "10", "--quiet"];
    let hosts = ["--hosts", file.to_str().unwrap(), "--key", key.to_str().unwrap()];
    // one is started as by Kubernetes, and the other as by Slurm
    let start = |name: &str, value: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_epidemic"));
        command
            .args(common)
            .args(hosts)
            .env_remove("SLURM_PROCID")
            .env("HOSTNAME", "laptop")
            .env(name, value);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the example starts")
    };
    for output in [start("HOSTNAME", "worker-0"), start("SLURM_PROCID", "1")]
        .map(|process| process.wait_with_output().unwrap())
        .into_iter()
        .rev()
    {
        let (text, error) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{text}{error}");
        if !text.is_empty() {
            assert_eq!(hash(&text), hash(&run(&common)));
        }
    }
    let error = start("HOSTNAME", "laptop").wait_with_output().unwrap().stderr;
    let error = String::from_utf8_lossy(&error);
    assert!(error.contains("HOSTNAME, `laptop`, does not end with one"), "{error}");
    fs::remove_file(file).unwrap();
    fs::remove_file(key).unwrap();
}

#[test]
fn a_picture_is_written() {
    let file = folder("picture");
    run(&["--agents", "2000", "--ticks", "5", "--processes", "2", "--picture", file.to_str().unwrap()]);
    assert!(fs::read(&file).unwrap().starts_with(b"\x89PNG"));
    fs::remove_file(file).unwrap();
}

/// One line, before the run begins and not after it.
#[test]
fn options_that_cannot_be_are_errors_at_once() {
    let folder = folder("errors");
    let checkpoints = folder.to_str().unwrap();
    run(&["--agents", "500", "--ticks", "10", "--quiet", "--checkpoint", checkpoints]);
    let none = folder.join("no-folder").join("picture");
    for (arguments, expected) in [
        (&["--picture", none.to_str().unwrap()][..], "no-folder"),
        (&["--process", "1"], "--process N needs --hosts FILE"),
        (
            &["--ticks", "9", "--agents", "500", "--checkpoint", checkpoints],
            "of tick 10, after the last tick 9",
        ),
        (
            &["--join", "garbage", "--process", "1", "--processes", "2"],
            "`garbage` is no address of process 0",
        ),
    ] {
        let begin = Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_epidemic"))
            .args(["--ticks", "100000"])
            .args(arguments)
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.contains(expected), "{arguments:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(begin.elapsed() < Duration::from_secs(15));
    }
    fs::remove_dir_all(folder).unwrap();
}

/// Begins a run of two processes with checkpoints, kills one of the processes after the first
/// checkpoint, and resumes.
#[cfg(unix)]
fn killed(victim: usize) {
    let folder = folder(&format!("killed-{victim}"));
    let common = [
        "--agents",
        "5000",
        "--quiet",
        "--every",
        "5",
        "--timeout",
        "30",
        "--processes",
        "2",
        "--checkpoint",
    ];
    let common = [&common[..], &[folder.to_str().unwrap()]].concat();
    let mut first = Command::new(env!("CARGO_BIN_EXE_epidemic"))
        .args(&common)
        .args(["--ticks", "1000000"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the example starts");
    let mut lines = BufReader::new(first.stderr.take().unwrap()).lines().map(Result::unwrap);
    let other =
        lines.find_map(|line| line.strip_prefix("process 1 has the id ")?.parse::<u32>().ok()).unwrap();
    let begin = Instant::now();
    while !fs::read_dir(&folder).is_ok_and(|mut entries| {
        entries.any(|entry| entry.is_ok_and(|entry| entry.path().join("manifest").exists()))
    }) {
        assert!(begin.elapsed() < Duration::from_secs(60), "there is no checkpoint");
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = if victim == 0 { first.id() } else { other };
    assert!(Command::new("kill").args(["-9", &id.to_string()]).status().unwrap().success());
    // both end: the one that was killed, and the one that has lost it
    let error: String = lines.collect::<Vec<_>>().join("\n");
    assert!(!first.wait().unwrap().success());
    assert!(begin.elapsed() < Duration::from_secs(90));
    assert!(error.contains(&format!("the connection to process {victim} at ")), "{error}");
    let tick = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        let whole = entries.filter(|entry| entry.path().join("manifest").exists());
        let names = whole.map(|entry| entry.file_name().into_string().unwrap());
        names.filter_map(|name| name.strip_prefix("tick-")?.parse::<u64>().ok()).max().unwrap()
    };
    let (at, last) = (tick(&folder), (tick(&folder) + 7).to_string());
    let resumed = run(&[&common[..], &["--ticks", &last]].concat());
    assert!(resumed.contains(&format!("resumed after tick {at}\n")), "{resumed}");
    let whole = run(&["--agents", "5000", "--quiet", "--ticks", &last]);
    assert_eq!(hash(&resumed), hash(&whole));
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_run_resumes_after_kill_9_of_a_process() {
    killed(1);
}

#[cfg(unix)]
#[test]
fn a_run_resumes_after_kill_9_of_the_first_process() {
    killed(0);
}

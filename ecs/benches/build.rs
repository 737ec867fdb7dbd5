//! Passes the build settings to the program, which cannot read them at run time.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let rustc = Command::new(variable("RUSTC")).arg("-V").output();
    let rustc = rustc.ok().and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    println!("cargo::rustc-env=BENCH_RUSTC={}", rustc.trim());
    println!("cargo::rustc-env=BENCH_OPT_LEVEL={}", variable("OPT_LEVEL"));
    // `PROFILE` names the profile that one is made of, and the path of the output has its own name
    let output = std::path::PathBuf::from(variable("OUT_DIR"));
    let profile = output.ancestors().nth(3).and_then(|folder| folder.file_name()?.to_str());
    println!("cargo::rustc-env=BENCH_PROFILE={}", profile.unwrap_or_default());
    // flags with a path are left out: they show private paths and do not affect speed
    let flags = variable("CARGO_ENCODED_RUSTFLAGS");
    let flags: Vec<_> = flags.split('\x1f').filter(|flag| !flag.contains(['/', '\\'])).collect();
    println!("cargo::rustc-env=BENCH_RUSTFLAGS={}", flags.join(" ").trim());
}

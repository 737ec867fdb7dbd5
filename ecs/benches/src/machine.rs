//! On what the figures were measured, as far as it can be read, and nothing that tells whose
//! machine it is: no name of a host, no path.

use std::fs;

use serde::{Deserialize, Serialize};

const MANIFEST: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));

/// A machine, and how the program was built for it. What could not be read is empty.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Machine {
    /// The model, as it names itself.
    pub(crate) processor: String,
    pub(crate) cores: usize,
    /// Whether it runs under a hypervisor, whose other guests may be felt.
    pub(crate) is_virtual: bool,
    /// In mebibytes.
    pub(crate) memory: Option<u64>,
    /// Of the first core, from the nearest on.
    pub(crate) caches: Vec<String>,
    pub(crate) system: String,
    pub(crate) rustc: String,
    /// Of cargo, with its settings.
    pub(crate) profile: String,
    /// The allocator's settings in the environment.
    pub(crate) allocator: Vec<String>,
}

impl Machine {
    /// This one.
    pub(crate) fn read() -> Self {
        let processor = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        Self {
            processor: field(&processor, "model name").unwrap_or_default().to_owned(),
            cores: std::thread::available_parallelism().map_or(1, Into::into),
            is_virtual: field(&processor, "flags")
                .is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor")),
            memory: field(&memory, "MemTotal").and_then(kibibytes).map(|size| size / 1024),
            caches: caches(),
            system: system(),
            rustc: env!("BENCH_RUSTC").to_owned(),
            profile: profile(),
            allocator: allocator(
                std::env::vars_os()
                    .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
            ),
        }
    }
}

impl Machine {
    /// The processor, its cores and caches.
    pub(crate) fn title(&self) -> String {
        let kind = if self.is_virtual { ", a virtual machine" } else { "" };
        format!("{} ({} cores{kind}; {})", self.processor, self.cores, self.caches.join(", "))
    }
}

/// The value of the first line `name : value`.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim())
    })
}

/// Of `1024 kB`, or `1024K`.
fn kibibytes(text: &str) -> Option<u64> {
    text.trim_end_matches("kB").trim_end_matches('K').trim().parse().ok()
}

fn caches() -> Vec<String> {
    let read = |index: usize, name: &str| {
        let path = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{name}");
        fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
    };
    let cache = |index| {
        let kind = match read(index, "type")?.as_str() {
            "Data" => " data",
            "Instruction" => " instructions",
            _ => "",
        };
        let size = match kibibytes(&read(index, "size")?)? {
            size if size >= 1024 => format!("{} MiB", size / 1024),
            size => format!("{size} KiB"),
        };
        Some(format!("L{}{kind} {size}", read(index, "level")?))
    };
    (0..8).map_while(cache).collect()
}

/// The distribution and the kernel. Of the kernel only the number: what follows is often of the
/// owner's making.
fn system() -> String {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name =
        release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME=")).map(|name| name.trim_matches('"'));
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let kernel: String = kernel.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let kernel = (!kernel.is_empty()).then(|| format!("Linux {kernel}"));
    let parts = [
        Some(name.unwrap_or(std::env::consts::OS).to_owned()),
        kernel,
        Some(std::env::consts::ARCH.to_owned()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The build settings from cargo, and the workspace's changes of the release profile.
fn profile() -> String {
    let name = env!("BENCH_PROFILE");
    let mut parts = vec![name.to_owned(), concat!("opt-level = ", env!("BENCH_OPT_LEVEL")).to_owned()];
    let section = MANIFEST.lines().skip_while(|line| *line != format!("[profile.{name}]")).skip(1);
    parts.extend(
        section
            .take_while(|line| !line.starts_with('['))
            .filter(|line| line.contains('='))
            .map(str::to_owned),
    );
    if !env!("BENCH_RUSTFLAGS").is_empty() {
        parts.push(concat!("flags ", env!("BENCH_RUSTFLAGS")).to_owned());
    }
    parts.join(", ")
}

/// The settings of the C library's allocator, sorted; of a path only that there is one.
fn allocator(variables: impl Iterator<Item = (String, String)>) -> Vec<String> {
    let ours = |name: &str| name.starts_with("MALLOC_") || name == "GLIBC_TUNABLES";
    let shown = |value: String| if value.contains(['/', '\\']) { "(a path)".to_owned() } else { value };
    let mut settings: Vec<_> = variables
        .filter(|(name, _)| ours(name))
        .map(|(name, value)| format!("{name}={}", shown(value)))
        .collect();
    settings.sort();
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_is_found_by_its_name() {
        let text = "processor\t: 0\nmodel name\t: Fast: 3\nmodel\t\t: 7\nMemTotal:  2048 kB\n";
        assert_eq!(field(text, "model name"), Some("Fast: 3"));
        assert_eq!(field(text, "MemTotal").and_then(kibibytes), Some(2048));
        assert_eq!(field(text, "flags"), None);
    }

    #[test]
    fn settings_of_the_allocator_tell_no_paths() {
        let variables = [("HOME", "/home/me"), ("MALLOC_TRACE", "/home/me/trace"), ("MALLOC_ARENA_MAX", "1")];
        let variables = variables.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(allocator(variables), ["MALLOC_ARENA_MAX=1", "MALLOC_TRACE=(a path)"]);
    }

    #[test]
    fn profile_has_what_the_workspace_sets() {
        assert!(profile().contains("opt-level = "));
        if env!("BENCH_PROFILE") == "release" {
            assert!(profile().contains("lto = \"thin\""));
        }
    }
}

//! Releases hold what the documentation says.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The pages for users, as they are packaged.
fn pages() -> Vec<PathBuf> {
    let docs = fs::read_dir(root().join("docs")).expect("docs").map(|entry| entry.expect("an entry").path());
    let pages = docs.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.chain(["README.md", "README.zh-CN.md"].map(|name| root().join(name))).collect()
}

#[test]
fn documentation_pictures_are_packaged() {
    let docs = root().join("docs").canonicalize().expect("docs");
    let mut count = 0;
    for page in pages() {
        let content = fs::read_to_string(&page).expect("a page");
        let links = content.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| link.ends_with(".png") || link.ends_with(".svg")) {
            let picture = page.parent().expect("a folder").join(link);
            assert!(picture.is_file(), "{} shows {link}", page.display());
            assert_eq!(picture.canonicalize().expect("a file").parent(), Some(&*docs), "{link}");
            count += 1;
        }
    }
    assert!(count > 6, "{count}");
}

#[test]
fn manifests_of_package_managers_name_this_version() {
    let version = env!("CARGO_PKG_VERSION");
    let mut count = 0;
    for folder in ["scoop", "winget", "homebrew", "aur"] {
        for entry in fs::read_dir(root().join("packaging").join(folder)).expect("manifests") {
            let path = entry.expect("an entry").path();
            let manifest = fs::read_to_string(&path).expect("a manifest");
            assert!(manifest.contains(version), "{}", path.display());
            // Each archive is one that the release workflow makes.
            let names = manifest.split("ADDRESS/chuhe-").skip(1).filter_map(|rest| rest.split(['"', '\n']).next());
            for name in names {
                let target = name.trim_start_matches(version).trim_start_matches("$pkgver").trim_start_matches('-');
                let target = target.trim_end_matches(".zip").trim_end_matches(".tar.gz");
                assert!(text(".github/workflows/release.yml").contains(target), "{}: {target}", path.display());
                count += 1;
            }
        }
    }
    assert_eq!(count, 10);
}

#[test]
fn icon_of_the_program_is_drawn_by_its_own_code() {
    let icon = fs::read(root().join("packaging/chuhe.ico")).expect("the icon");
    assert!(icon == xiangqi_draw::icon(), "cargo run -p xiangqi-draw --example icon > packaging/chuhe.ico");
}

#[test]
fn introduction_for_windows_fits_its_encodings() {
    let introduction = text("packaging/windows/使用说明.txt");
    assert!(introduction.contains("SmartScreen") && introduction.contains("防火墙") && !introduction.contains('\r'));
    let package = text(".ci/package");
    assert!(package.contains("\\xEF\\xBB\\xBF") && package.contains("使用说明.txt"), "a BOM, for Notepad");
    assert!(
        package.contains("import sys, time, zipfile") && package.contains("-mcu=on"),
        "its name is marked as UTF-8"
    );
}

#[test]
fn documentation_names_the_minimum_rust_version() {
    let manifest = text("Cargo.toml");
    let named = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'));
    let named = named.expect("a version");
    let number: u32 = named.strip_prefix("1.").expect("a Rust 1").parse().expect("a number");
    // File locks are the newest feature of the standard library in use.
    assert!(number >= 89, "{named}");
    assert!(text("README.md").contains(&format!("Rust {named}")), "README.md names it, too");
    assert!(text("README.zh-CN.md").contains(&format!("Rust {named}")), "and its twin");
}

#[test]
fn slurm_recipe_signals_the_arena() {
    // Without `B:` Slurm signals only the steps of a job, never the batch script, which here is the arena.
    let page = text("docs/clusters.md");
    let recipe = page.split("```").find(|block| block.contains("#SBATCH")).expect("a recipe");
    assert!(recipe.contains("#SBATCH --signal=B:TERM@") && recipe.contains("\nexec ./chuhe arena "), "{recipe}");
}

#[test]
fn documented_list_of_json_commands_is_complete() {
    let mut program = chuhe::cli::commands::english_command();
    program.build();
    let mut names = Vec::new();
    collect(&program, "", &mut names);
    assert!(names.len() > 6, "{names:?}");
    for page in ["docs/commands.md", "docs/commands.zh-CN.md"] {
        let content = text(page);
        let mut paragraphs = content.split("\n\n");
        let list = paragraphs.find(|text| text.contains("`--json`") && text.contains("`bench`")).expect("a list");
        for name in &names {
            assert!(list.contains(&format!("`{name}`")), "{page} does not say that {name} has --json");
        }
    }
}

/// The names of all commands that have the option `--json`.
fn collect(command: &clap::Command, before: &str, found: &mut Vec<String>) {
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        let name = format!("{before} {}", inner.get_name()).trim_start().to_string();
        if inner.get_arguments().any(|argument| argument.get_long() == Some("json")) {
            found.push(name.clone());
        }
        collect(inner, &name, found);
    }
}

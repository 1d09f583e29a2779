//! The HTML page of `--report`.

use super::program::{complaint, report, two_engines};
use crate::common::Folder;

const WORDS: [&str; 8] = ["--self", "a.toml", "b.toml", "--nodes", "50", "--max-moves", "30", "--event"];

fn folder() -> Folder {
    two_engines("name = \"<b>a</b></script>\"\nhash_mb = 1\n", "hash_mb = 1\nnodes = 20\n")
}

#[test]
fn report_page_holds_the_table_the_charts_and_every_game() {
    let folder = folder();
    let words = [&WORDS[..], &["An \"event\" & more", "--pgn", "m.pgn"]].concat();
    report(&folder, &[&words[..], &["--games", "4", "--report", "out.html"]].concat());
    let page = folder.text("out.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("<title>An &quot;event&quot; &amp; more</title>"));
    assert!(page.contains("<td>&lt;b&gt;a&lt;/b&gt;&lt;/script&gt;</td><td>4</td>"), "the table");
    assert_eq!(page.matches("</script>").count(), 1, "no name ends the script");
    assert_eq!(page.matches("<figure>").count(), 5);
    assert_eq!(page.matches("\n{\"n\":\"").count(), 4, "four games");
    assert!(page.contains("<g id=\"piece-K\">") && page.contains("8 random moves, balance 20, seed 1"));
    for foreign in ["http://", "https://", "src=", "@import"] {
        let own = if foreign == "http://" { page.matches("http://www.w3.org/2000/svg").count() } else { 0 };
        assert_eq!(page.matches(foreign).count(), own, "{foreign}: all of it is in the page");
    }
    // Resuming and merging rewrite the page with the games of the record.
    report(&folder, &[&words[..], &["--games", "6", "--resume", "--report", "out.html"]].concat());
    let page = folder.text("out.html");
    assert_eq!(page.matches("\n{\"n\":\"").count(), 6);
    report(&folder, &["--merge", "m.pgn", "--report", "merged.html"]);
    assert_eq!(folder.text("merged.html"), page);
    assert_eq!(
        folder.names(),
        ["a.toml", "b.toml", "m.pgn", "merged.html", "out.html"],
        "nothing half written is left"
    );
}

#[test]
fn report_page_does_not_overwrite_other_files() {
    let folder = folder();
    folder.write("mine.html", "<html>my own page</html>");
    let words = [&WORDS[..], &["e", "--games", "2", "--report"]].concat();
    let told = complaint(&folder, &[&words[..], &["mine.html"]].concat());
    assert_eq!(told, "chuhe: mine.html exists; use --force to overwrite it, or another name\n");
    assert_eq!(folder.text("mine.html"), "<html>my own page</html>");
    let told = complaint(&folder, &[&words[..], &["no/folder/out.html"]].concat());
    assert!(told.starts_with("chuhe: no/folder/out.html: "), "{told}");
}

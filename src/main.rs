//! The `chuhe` program: arguments in, exit code out.

fn main() -> std::process::ExitCode {
    // A bug ends the program wherever it shows, as `panic = "abort"` would; but with that, tests could not share what a
    // build has compiled.
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        report(info);
        std::process::abort();
    }));
    chuhe::cli::command::run()
}

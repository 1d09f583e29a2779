//! The `chuhe` program: arguments in, exit code out.

fn main() -> std::process::ExitCode {
    chuhe::cli::command::run()
}

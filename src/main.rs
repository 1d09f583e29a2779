//! The `chuhe` program: arguments in, exit code out.

fn main() -> std::process::ExitCode {
    chuhe::tools::command::run()
}

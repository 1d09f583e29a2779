//! The `chuhe` program: arguments in, exit code out.

mod out_of_memory;

#[global_allocator]
static ALLOCATOR: out_of_memory::Allocator = out_of_memory::Allocator;

fn main() -> std::process::ExitCode {
    // A panic in any thread ends the program. `panic = "abort"` would do the same, but tests could not share its build.
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        report(info);
        std::process::abort();
    }));
    chuhe::cli::commands::run()
}

//! Any bytes parse to a command or an error; the words of `go` become limits without overflow, and an accepted position
//! is valid.
#![no_main]

use chuhe::protocol::{HostCommand, parse};
use xiangqi::{Color, Position};
use xiangqi_record::RankBase;
use libfuzzer_sys::fuzz_target;
use std::time::Duration;

fuzz_target!(|line: &[u8]| match parse(line) {
    Ok(Some(HostCommand::Go(go))) => {
        for unit in [Duration::from_millis(1), Duration::from_secs(1)] {
            let limits = go.limits(Color::Red, unit);
            assert!(limits.clock.is_none_or(|clock| clock.time > Duration::ZERO));
        }
    }
    Ok(Some(HostCommand::Position(setup))) => {
        if let Ok(mut position) = setup.start_position(false) {
            for ranks in RankBase::ALL {
                let _ = setup.play_moves(&mut position, ranks);
            }
            assert!(position.is_consistent());
            assert!(Position::from_fen(&position.fen()).is_ok(), "{}", position.fen());
        }
    }
    Ok(_) => {}
    Err(error) => assert!(!error.to_string().is_empty()),
});

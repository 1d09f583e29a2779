//! The constants of the search in one table: name, default, range, and a sentence.
//!
//! In a normal build each is a constant that the compiler sees through. Under the feature `tune` they can be
//! set from outside (`set`), for tuners and for ablation matches.

/// One row of the table, for tuners and for listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    pub name: &'static str,
    /// The value that matches have chosen.
    pub default: i32,
    pub min: i32,
    pub max: i32,
    pub doc: &'static str,
}

macro_rules! params {
    ($($name:ident = $default:literal, $min:literal ..= $max:literal, $doc:literal;)*) => {
        /// Every constant of the search.
        pub static ALL: &[Param] = &[
            $(Param { name: stringify!($name), default: $default, min: $min, max: $max, doc: $doc },)*
        ];

        $(
            #[doc = $doc]
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub const fn $name() -> i32 { $default }

            #[doc = $doc]
            #[cfg(feature = "tune")]
            #[inline(always)]
            pub fn $name() -> i32 {
                values::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        mod values {
            use std::sync::atomic::AtomicI32;
            $(pub static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        /// Sets a constant by name; false if there is none of that name or the value is out of its range.
        /// For tuning builds; call it between searches only.
        #[cfg(feature = "tune")]
        pub fn set(name: &str, value: i32) -> bool {
            match name {
                $(stringify!($name) if ($min..=$max).contains(&value) => {
                    values::$name.store(value, std::sync::atomic::Ordering::Relaxed);
                    true
                })*
                _ => false,
            }
        }
    };
}

params! {
    abdada_depth = 6, 1..=12, "Shallowest node at which moves are put off.";
    tt_natural_limit_distance = 16, 0..=250, "So near the natural limit, in plies, the table cuts nothing off: it does not know how long a game has lasted.";

    aspiration_delta = 16, 4..=100, "First half width of the aspiration window.";
    aspiration_growth = 50, 10..=200, "Growth of the window after a failure, in percent.";

    alpha_raise_reduction = 1, 0..=2, "So many plies less deep it is looked once alpha was raised.";
    alpha_raise_min_depth = 3, 1..=10, "Shallowest node at which that is done.";
    alpha_raise_max_depth = 13, 0..=30, "Deepest node at which that is done.";
    prior_bonus = 80, 0..=300, "Gain of the quiet move before a node that failed low, in percent of a bonus.";
    prior_malus = 80, 0..=300, "Loss of an early quiet move that the answer refutes, in percent of a bonus.";
    prior_malus_number = 4, 1..=30, "So many moves from the first in the order are early.";
    history_extra_depth_margin = 60, 0..=1000, "A score this much above beta teaches as much as one a ply deeper.";
    post_lmr_history = 60, 0..=300, "What a second look at a reduced move teaches, in percent of a bonus.";
    eval_history = 100, 0..=400, "Gain of a quiet move from the static evaluations around it, in 16ths.";

    rfp_depth = 10, 2..=16, "Deepest node for reverse futility.";
    rfp_margin = 80, 20..=200, "Reverse futility margin per ply.";
    rfp_square = 5, 0..=20, "Reverse futility margin per depth squared.";
    rfp_improving = 60, 0..=200, "Reverse futility margin taken off when improving.";
    rfp_return_divisor = 3, 1..=9, "Reverse futility answers with this part of the surplus over beta: a third.";

    mate_window = 2000, 400..=30000, "Where a mate is looked for, static evaluations prune nothing in windows beyond this.";
    razor_depth = 4, 1..=8, "Deepest node for razoring.";
    razor_base = 220, 50..=600, "Razoring margin at depth zero.";
    razor_margin = 180, 50..=500, "Razoring margin per ply.";

    null_depth = 3, 1..=12, "Shallowest node for the null move.";
    null_base = 4, 1..=6, "Smallest null-move reduction.";
    null_depth_divisor = 3, 2..=8, "Depth per further ply of null-move reduction.";
    null_eval_divisor = 190, 50..=500, "Surplus over beta per further ply of null-move reduction.";
    null_eval_max = 3, 1..=8, "Most that the surplus adds to the null-move reduction.";
    null_static_base = 60, -100..=400, "Surplus of the static evaluation that the null move wants at depth zero.";
    null_static_slope = 20, 0..=60, "That surplus falls by this per ply of depth.";
    null_verify_depth = 15, 4..=30, "From this depth on a null-move cutoff is verified.";

    probcut_beta_margin = 180, 50..=500, "Surplus over beta that probcut demands.";
    probcut_improving = 40, 0..=200, "Taken off that surplus when improving.";
    probcut_depth = 5, 3..=10, "Shallowest node for probcut.";
    probcut_reduction = 4, 2..=8, "So much less deep probcut searches.";

    lmp_base = 4, 1..=20, "Quiet moves always searched.";
    lmp_slope = 100, 20..=300, "Quiet moves searched per depth squared, in percent.";

    futility_depth = 9, 2..=14, "Deepest reduced depth for futility pruning.";
    futility_base = 110, 0..=400, "Futility margin at depth zero.";
    futility_margin = 95, 20..=300, "Futility margin per ply.";

    futility_history = 128, 16..=512, "History worth a point of the futility margin.";

    history_prune_depth = 5, 1..=10, "Deepest reduced depth for history pruning.";
    history_prune_margin = 3600, 500..=10000, "History below minus this, per ply, is pruned.";

    see_quiet_depth = 16, 2..=20, "Deepest reduced depth for exchange pruning of quiet moves.";
    see_quiet_margin = 20, 5..=200, "Exchange loss allowed to a quiet move, per reduced depth squared.";
    see_capture_depth = 12, 2..=20, "Deepest node for exchange pruning of captures.";
    see_capture_margin = 135, 20..=500, "Exchange loss allowed to a capture, per depth.";

    lmr_depth = 2, 1..=99, "Shallowest node for late move reductions; at the root one deeper.";
    lmr_base = 60, 0..=200, "Late move reduction: constant, in hundredths of a ply.";
    lmr_divisor = 230, 120..=400, "Late move reduction: divisor of log depth times log number, in hundredths.";
    lmr_history = 8500, 2000..=20000, "History worth a ply of reduction.";
    lmr_cut_node = 180, 0..=350, "More reduction at a node expected to cut.";
    lmr_no_tt_move = 100, 0..=250, "More still if the table knows no move of it.";
    lmr_not_improving = 60, 0..=250, "More reduction when not improving.";
    lmr_tt_capture = 80, 0..=250, "More reduction of quiet moves when the table move captures.";
    lmr_child_cutoffs = 60, 0..=250, "More reduction when children cut often.";
    lmr_min_child_cutoffs = 3, 0..=20, "More cutoffs of children than this are often.";
    lmr_pv = 100, 0..=300, "Less reduction at what was on a principal variation.";
    lmr_pv_tt_above_alpha = 60, 0..=250, "Less still if the table's score betters alpha.";
    lmr_check = 70, 0..=300, "Less reduction of checks.";
    lmr_in_check = 60, 0..=300, "Less reduction of answers to a check.";
    lmr_capture = 80, 0..=300, "Less reduction of captures.";
    lmr_root = -100, -200..=100, "More reduction at the root.";
    lmr_deeper_margin = 60, 0..=200, "A reduced move this much better than the best is searched a ply deeper.";
    lmr_shallower_margin = 8, 0..=60, "A reduced move hardly better than the best is searched a ply less deep.";

    iir_depth = 6, 2..=99, "Shallowest node for internal iterative reduction.";

    max_extension_ratio = 2, 0..=9, "No extension beyond so many times the depth of the iteration.";
    check_extension_depth = 8, 0..=20, "Deepest node at which checks that lose nothing are extended.";
    single_reply_extension = 1, 0..=1, "Whether the only answer to a check is extended on a principal variation.";

    singular_depth = 5, 4..=12, "Shallowest node for singular extension.";
    singular_pv = 1, 0..=3, "So much deeper at what was on a principal variation.";
    singular_tt_depth = 3, 0..=8, "The table's depth may fall short of the node's by this.";
    singular_margin = 8, 4..=40, "Singular margin per depth, in eighths.";
    double_extension_margin = 13, 0..=60, "Further failure that doubles the singular extension.";
    double_extension_pv = 140, 0..=1000, "So much further still on a principal variation.";
    triple_extension_margin = 95, 0..=1000, "Further failure that triples it.";
    triple_extension_pv = 370, 0..=1000, "So much further still on a principal variation.";
    singular_above_beta = 3, 0..=4, "Less deep where the table's score reaches beta but the move is not alone.";
    singular_cut_node = 2, 0..=4, "Less deep at nodes expected to cut where the move is not alone.";

    qs_check_plies = 3, 0..=6, "Plies of quiescence at which quiet checks are tried.";
    qs_evasions = 3, 1..=20, "Answers to a check tried in quiescence.";
    good_capture_margin = 30, 0..=9000, "Loss in the exchange up to which a capture counts as an even trade.";
    qs_futility = 140, 0..=500, "Surplus that a capture in quiescence may bring beyond its victim.";

    order_forward = 32, 0..=200, "Gain in the order of quiet moves of a move forward, and loss of one backward.";
    order_piece_squares = 40, 0..=200, "Weight of what the piece gains on its new square in the order of quiet moves.";
    order_escapes = 3000, 0..=20000, "Gain in that order of rooks, cannons and horses that are attacked.";
    order_checks = 6000, 0..=20000, "Gain in that order of moves that give check.";

    history_bonus = 150, 20..=400, "History gain per depth.";
    history_bonus_max = 1700, 400..=4000, "Largest history gain.";
    history_malus = 140, 20..=400, "History loss per depth.";
    history_malus_max = 1300, 400..=4000, "Largest history loss.";
    history_decay = 75, 0..=100, "History kept from move to move of a game, in percent.";

    time_moves = 40, 15..=80, "Moves that a clock without moves to go is shared among at the first move of a game.";
    time_moves_slope = 62, 0..=100, "So many of them fewer for each move made, in percent of a move.";
    time_moves_min = 6, 4..=40, "But never fewer than this where increments feed the clock.";
    time_moves_min_no_increment = 28, 5..=80, "And never fewer than this where there are none.";
    time_overhead = 50, 0..=100, "Share of the overhead that is expected to get lost on each move to come, in percent.";
    time_ponder = 120, 100..=200, "Share of a move where the opponent's time is thought on too, in percent.";
    time_hard = 400, 150..=1000, "An iteration is broken off at so much of the share, in percent.";
    time_hard_max = 35, 5..=70, "And at this part of the clock, in percent.";
    time_panic = 900, 150..=2000, "In trouble it is broken off at so much of the share, in percent.";
    time_panic_max = 70, 5..=90, "And at this part of the clock, in percent.";
    time_panic_drop = 30, 5..=400, "A score this much below that of the iteration before is trouble.";
    time_stable_base = 80, 40..=150, "Part of its share that a move takes which nothing has contested of late, in percent.";
    time_best_move_change = 50, 0..=300, "What each change of the best move adds to that.";
    time_best_move_change_max = 220, 100..=500, "The most that changes make of it.";
    time_drop_game = 250, 20..=2000, "A fall of the score by this since the last move of the game doubles the time.";
    time_drop_search = 160, 20..=2000, "A fall of the score by this in the last iterations doubles the time.";
    time_drop_min = 85, 30..=100, "The least that a rising score leaves of the time, in percent.";
    time_drop_max = 190, 100..=400, "The most that a falling score makes of it, in percent.";
    time_node_share = 165, 100..=250, "The time is multiplied by this percentage less the best move's part of all nodes.";
    time_no_rival_node_share = 93, 50..=100, "A move that takes this part of all nodes has no rival, in percent.";
    time_no_rival = 55, 10..=100, "What a move without rival takes of its time, in percent.";

    correction_weight = 65, 0..=200, "How much of the learned correction is applied, in percent.";
}

/// Sets constants from the variable `CHUHE_TUNE`, as `probcut_depth=6,lmr_base=80`: so that a tuner can start
/// engines that differ in nothing else. Answers the first part that means nothing.
#[cfg(feature = "tune")]
pub fn set_from_environment() -> Result<(), String> {
    let Ok(text) = std::env::var("CHUHE_TUNE") else { return Ok(()) };
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let known = part.split_once('=').and_then(|(name, value)| Some(set(name, value.parse().ok()?)));
        if known != Some(true) {
            return Err(format!("CHUHE_TUNE: '{part}' sets no search constant"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn defaults_lie_within_their_ranges() {
        for param in ALL {
            assert!((param.min..=param.max).contains(&param.default), "{}", param.name);
        }
    }
}

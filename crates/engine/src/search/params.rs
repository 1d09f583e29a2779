//! The constants of the search in one table: name, default, range and a sentence.
//!
//! In a normal build each is a compile-time constant. With the feature `tune` they can be set from outside (`set`), for
//! tuners and ablation matches.
//!
//! Not here, but named where they are used:
//! * steps of one ply, conversions of units (percent, hundredths of a ply, eighths, as the sentence says) and
//!   lookup tables;
//! * sizes and ranges of tables and buffers, and limits of types and of the maximum depth;
//! * intervals of limit checks and reports, and the constants of `search_clock` for stalls and the idle throttle, which
//!   depend on the machine;
//! * `skill` and `options`: strength, style and overhead, which the user chooses;
//! * `mate`: the mate solver, which is not part of a game.

/// A search constant, for tuners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    pub name: &'static str,
    /// The value in use, chosen by matches.
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

        /// Sets a constant by name, between searches only; false if there is no such constant or the value is out of
        /// range.
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
    abdada_depth = 6, 1..=12, "Minimum depth for deferring moves (ABDADA).";
    depth_skip_min_depth = 6, 1..=30, "Minimum iteration from which threads with odd ids skip a depth.";
    vote_score_offset = 14, 1..=100, "Added to the score in the weight of a thread vote, so that the lowest counts.";
    tt_natural_limit_distance = 16, 0..=250, "No table cutoffs within this many plies of the natural limit.";
    tt_age_weight = 8, 0..=32, "Replacement: depth that an entry loses per generation of age.";
    tt_keep_depth = 4, 0..=20, "Replacement: a bound shallower by more than this does not replace its position.";

    aspiration_depth = 5, 1..=20, "Minimum iteration for an aspiration window.";
    aspiration_delta = 16, 4..=100, "Initial half width of the aspiration window.";
    aspiration_growth = 50, 10..=200, "Growth of the aspiration window after a failure, in percent.";
    aspiration_growth_base = 2, 0..=50, "Growth of the window after a failure, added to that.";
    aspiration_max_delta = 600, 50..=3000, "Half width beyond which the window is opened fully.";
    aspiration_max_reduction = 3, 0..=6, "Maximum depth reduction after repeated fail-highs.";

    alpha_raise_reduction = 1, 0..=2, "Depth reduction of the remaining moves after alpha was raised.";
    alpha_raise_min_depth = 3, 1..=10, "Minimum depth for that reduction.";
    alpha_raise_max_depth = 13, 0..=30, "Maximum depth for that reduction.";
    prior_bonus = 80, 0..=300, "Bonus of the quiet move before a fail-low node, in percent of the history bonus.";
    prior_malus = 80, 0..=300, "Malus of an early quiet move before a fail-high node, in percent of the bonus.";
    prior_malus_number = 4, 1..=30, "Maximum move number of that move.";
    history_extra_depth_margin = 60, 0..=1000, "Margin above beta from which the history bonus counts one ply more.";
    post_lmr_history = 60, 0..=300, "Bonus or malus of a move re-searched after LMR, in percent of the history bonus.";
    eval_history = 100, 0..=400, "Butterfly bonus from the change of the static evaluation, in 16ths.";
    eval_history_max = 1200, 100..=4000, "Maximum of that bonus.";

    rfp_depth = 10, 2..=16, "Maximum depth for reverse futility pruning.";
    rfp_margin = 80, 20..=200, "Reverse futility margin per ply.";
    rfp_square = 5, 0..=20, "Reverse futility margin per depth squared.";
    rfp_improving = 60, 0..=200, "Reduction of the reverse futility margin when improving.";
    rfp_return_divisor = 3, 1..=9, "Reverse futility returns beta plus the surplus divided by this.";

    mate_window = 2000, 400..=30000, "Under `go mate`, no pruning by static evaluation in windows beyond this score.";
    razor_depth = 4, 1..=8, "Maximum depth for razoring.";
    razor_base = 220, 50..=600, "Razoring margin at depth 0.";
    razor_margin = 180, 50..=500, "Razoring margin per ply.";

    null_depth = 3, 1..=12, "Minimum depth for null move pruning.";
    null_base = 4, 1..=6, "Base of the null move reduction.";
    null_depth_divisor = 3, 2..=8, "Null move reduction grows by depth divided by this.";
    null_eval_divisor = 190, 50..=500, "Null move reduction grows by the surplus over beta divided by this.";
    null_eval_max = 3, 1..=8, "Maximum of the reduction by the surplus over beta.";
    null_static_base = 60, -100..=400, "Margin of the static evaluation over beta for null move pruning at depth 0.";
    null_static_slope = 20, 0..=60, "Reduction of that margin per ply of depth.";
    null_verify_depth = 15, 4..=30, "Minimum depth for verifying null move cutoffs.";
    null_verify_majors = 2, 0..=6, "With at most this many rooks, cannons and horses a null move cutoff is verified.";
    null_verify_plies = 75, 0..=100, "Plies without null moves in the verification, in percent of its depth.";

    probcut_beta_margin = 180, 50..=500, "Margin above beta for ProbCut.";
    probcut_improving = 40, 0..=200, "Reduction of that margin when improving.";
    probcut_depth = 5, 3..=10, "Minimum depth for ProbCut.";
    probcut_reduction = 4, 2..=8, "Depth reduction of the ProbCut search.";

    lmp_base = 4, 1..=20, "Quiet moves searched before late move pruning at depth 0.";
    lmp_slope = 100, 20..=300, "Further quiet moves per depth squared, in percent.";
    lmp_not_improving_divisor = 2, 1..=4, "Divisor of the number of quiet moves when not improving.";

    futility_depth = 9, 2..=14, "Maximum reduced depth for futility pruning.";
    futility_base = 110, 0..=400, "Futility margin at depth 0.";
    futility_margin = 95, 20..=300, "Futility margin per ply.";

    futility_history = 128, 16..=512, "Futility margin grows by history divided by this.";

    history_prune_depth = 5, 1..=10, "Maximum reduced depth for history pruning.";
    history_prune_margin = 3600, 500..=10000, "History pruning threshold per ply, negated.";

    see_quiet_depth = 16, 2..=20, "Maximum reduced depth for SEE pruning of quiet moves.";
    see_quiet_margin = 20, 5..=200, "SEE loss allowed to a quiet move, per reduced depth squared.";
    see_capture_depth = 12, 2..=20, "Maximum depth for SEE pruning of captures.";
    see_capture_margin = 135, 20..=500, "SEE loss allowed to a capture, per ply.";

    lmr_depth = 2, 1..=99, "Minimum depth for LMR; at the root one more.";
    lmr_full_moves = 1, 1..=5, "Moves searched at full depth first; one more at the root and at PV nodes.";
    lmr_base = 60, 0..=200, "LMR: constant, in hundredths of a ply.";
    lmr_divisor = 230, 120..=400, "LMR: divisor of (100 ln depth)(100 ln move number), in hundredths of a ply.";
    lmr_history = 8500, 2000..=20000, "LMR: one ply less per this much history.";
    lmr_cut_node = 180, 0..=350, "LMR: more at cut nodes, in hundredths of a ply.";
    lmr_no_tt_move = 100, 0..=250, "LMR: more at cut nodes without a table move.";
    lmr_not_improving = 60, 0..=250, "LMR: more when not improving.";
    lmr_tt_capture = 80, 0..=250, "LMR: more for quiet moves when the table move is a capture.";
    lmr_child_cutoffs = 60, 0..=250, "LMR: more when many child nodes cut off.";
    lmr_min_child_cutoffs = 3, 0..=20, "LMR: child nodes cut off often above this number.";
    lmr_pv = 100, 0..=300, "LMR: less at present and former PV nodes.";
    lmr_pv_tt_above_alpha = 60, 0..=250, "LMR: less at those when the table score exceeds alpha.";
    lmr_check = 70, 0..=300, "LMR: less for moves that give check.";
    lmr_in_check = 60, 0..=300, "LMR: less for evasions.";
    lmr_capture = 80, 0..=300, "LMR: less for captures.";
    lmr_root = -100, -200..=100, "LMR: more at the root.";
    lmr_deeper_margin = 60, 0..=200, "Margin over the best score from which the re-search is a ply deeper.";
    lmr_shallower_margin = 8, 0..=60, "Margin over the best score below which the re-search is a ply less deep.";

    iir_depth = 6, 2..=99, "Minimum depth for internal iterative reduction.";
    iir_reduction = 1, 0..=3, "Depth reduction of internal iterative reduction.";

    max_extension_ratio = 2, 0..=9, "No extensions at plies beyond the iteration depth times this.";
    check_extension_depth = 8, 0..=20, "Maximum depth for extending checks that lose no material.";
    single_reply_extension = 1, 0..=1, "Whether the only evasion is extended at PV nodes.";

    singular_depth = 5, 4..=12, "Minimum depth for singular extension.";
    singular_pv = 1, 0..=3, "Addition to that depth at present and former PV nodes.";
    singular_tt_depth = 3, 0..=8, "Maximum shortfall of the depth of the table entry.";
    singular_depth_divisor = 2, 1..=4, "Divisor of the depth of the singular search.";
    singular_margin = 8, 4..=40, "Singular margin per ply, in eighths.";
    double_extension_margin = 13, 0..=60, "Margin below singular beta for a double extension.";
    double_extension_pv = 140, 0..=1000, "Addition to that margin at PV nodes.";
    triple_extension_margin = 95, 0..=1000, "Margin below singular beta for a triple extension.";
    triple_extension_pv = 370, 0..=1000, "Addition to that margin at PV nodes.";
    singular_above_beta = 3, 0..=4, "Reduction if the move is not singular and the table score reaches beta.";
    singular_cut_node = 2, 0..=4, "Reduction if the move is not singular at a cut node.";

    qs_check_plies = 3, 0..=6, "Plies of quiescence search with quiet checks.";
    qs_evasions = 3, 1..=20, "Evasions searched in quiescence search.";
    good_capture_margin = 30, 0..=9000, "SEE loss up to which a capture is a good capture.";
    qs_futility = 140, 0..=500, "Futility margin of captures in quiescence search.";

    order_victim = 8, 1..=32, "Order of captures: weight of the victim, and of the loss if it is protected.";
    order_attacker_divisor = 16, 1..=64, "Order of captures: divisor of the value of the attacker.";
    order_capture_history_divisor = 16, 1..=128, "Order of captures: divisor of capture history.";
    order_evasion_attacker_divisor = 8, 1..=64, "Order of evasions: divisor of the value of the attacker in captures.";
    order_forward = 32, 0..=200, "Order of quiet moves: bonus forwards, malus backwards.";
    order_piece_squares = 40, 0..=200, "Order of quiet moves: weight of the gain in piece-square value.";
    order_escapes = 3000, 0..=20000, "Order of quiet moves: bonus of attacked rooks, cannons and horses.";
    order_checks = 6000, 0..=20000, "Order of quiet moves: bonus of checks.";

    history_bonus = 150, 20..=400, "History bonus per ply.";
    history_bonus_max = 1700, 400..=4000, "Maximum history bonus.";
    history_malus = 140, 20..=400, "History malus per ply.";
    history_malus_max = 1300, 400..=4000, "Maximum history malus.";
    history_decay = 75, 0..=100, "Butterfly history kept from search to search, in percent.";

    time_moves = 40, 15..=80, "Expected moves to go at the first move of a game.";
    time_moves_slope = 62, 0..=100, "Decrease of the expected moves to go per move made, in percent.";
    time_moves_min = 6, 4..=40, "Minimum of the expected moves to go with increment.";
    time_moves_min_no_increment = 28, 5..=80, "Minimum of the expected moves to go without increment.";
    time_overhead = 50, 0..=100, "Share of the overhead that is expected to be lost on each future move, in percent.";
    time_reserve_divisor = 50, 10..=200, "Part of the clock kept in reserve, as a divisor.";
    time_reserve_max_divisor = 2, 1..=10, "Maximum of reserve and overhead as a part of the clock, as a divisor.";
    time_full_increment = 1, 1..=10, "Increment, in percent of the clock, at which the minimum with increment applies.";
    time_left_min = 25, 5..=100, "Minimum time to share among the expected moves, in percent of the time left.";
    time_balance_exponent = 25, 0..=100, "Exponent of the ratio of both clocks in the soft limit, in percent.";
    time_balance_min = 85, 50..=100, "Minimum factor by the ratio of both clocks, in percent.";
    time_balance_max = 115, 100..=200, "Maximum factor by the ratio of both clocks, in percent.";
    time_move_reserve_divisor = 20, 5..=100, "Maximum of the default overhead as a part of a fixed time, as a divisor.";
    time_move_overhead_divisor = 4, 2..=20, "Maximum of a larger overhead as a part of a fixed time, as a divisor.";
    time_min_nodes = 20000, 1000..=100000, "Nodes before the clock may stop a search without a finished iteration.";
    time_single_move_depth = 4, 1..=20, "Depth after which a single legal move is played at once.";
    time_mate_depth_ratio = 2, 1..=5, "A mate is searched out, and played at once, when the depth is this many times its plies.";
    tablebase_draw_depth = 20, 1..=120, "Depth after which an unlimited search ends at a root that the tablebases call drawn.";
    time_ponder = 120, 100..=200, "Soft limit when pondering is on, in percent.";
    time_hard = 400, 150..=1000, "Hard limit in percent of the soft limit.";
    time_hard_max = 35, 5..=70, "Maximum of the soft and hard limit, in percent of the clock.";
    time_panic = 900, 150..=2000, "Panic limit in percent of the soft limit.";
    time_panic_max = 70, 5..=90, "Maximum of the panic limit, in percent of the clock.";
    time_panic_drop = 30, 5..=400, "Drop of the score since the previous iteration that sets panic.";
    time_stable_base = 80, 40..=150, "Soft limit without changes of the best move, in percent.";
    time_best_move_change = 50, 0..=300, "Addition per change of the best move, in percent.";
    time_best_move_change_max = 220, 100..=500, "Maximum with changes of the best move, in percent.";
    time_best_move_change_decay = 50, 0..=100, "Changes kept from iteration to iteration, in percent.";
    time_drop_iterations = 3, 1..=10, "Iterations that the drop of the score in the last iterations spans.";
    time_drop_min_depth = 4, 1..=20, "Minimum depth for measuring drops of the score.";
    time_drop_game = 250, 20..=2000, "Drop of the score since the previous move of the game that doubles the time.";
    time_drop_search = 160, 20..=2000, "Drop of the score in the last iterations that doubles the time.";
    time_drop_min = 85, 30..=100, "Minimum factor of rising scores, in percent.";
    time_drop_max = 190, 100..=400, "Maximum factor of falling scores, in percent.";
    time_node_share = 165, 100..=250, "Time factor is this less the node share of the best move, in percent.";
    time_node_share_min = 50, 10..=100, "Minimum factor by the node share, in percent.";
    time_node_share_max = 140, 100..=250, "Maximum factor by the node share, in percent.";
    time_no_rival_node_share = 93, 50..=100, "Node share from which the best move has no rival, in percent.";
    time_no_rival_iterations = 6, 0..=20, "Iterations without change from which the best move has no rival.";
    time_no_rival = 55, 10..=100, "Time factor of a best move without rival, in percent.";

    correction_weight = 65, 0..=200, "Weight of correction history, in percent.";
    correction_divisor = 256, 32..=2048, "Divisor of error times depth in updates of correction history.";
    correction_bonus_max = 2048, 256..=8192, "Maximum update of correction history.";
}

/// Sets constants from the environment variable `CHUHE_TUNE`, as in `probcut_depth=6,lmr_base=80`. Fails at the first
/// part that names no constant or has a value out of range.
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

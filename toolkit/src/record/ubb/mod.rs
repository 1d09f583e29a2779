//! DhtmlXQ text ("UBB"), in which forums and web pages keep games: `[DhtmlXQ_key]value[/DhtmlXQ_key]`.

mod read;
mod write;

pub use read::read;
pub use write::write;

/// What every mark begins with.
const MARK: &str = "[DhtmlXQ";

/// The keys that are tags, and the tags. Of two keys for one tag the first is the one to write.
const TAGS: [(&str, &str); 27] = [
    ("title", "Title"),
    ("event", "Event"),
    ("date", "Date"),
    ("place", "Site"),
    ("round", "Round"),
    ("table", "Table"),
    ("group", "Group"),
    ("class", "Class"),
    ("redname", "Red"),
    ("redteam", "RedTeam"),
    ("redrating", "RedElo"),
    ("redtime", "RedTime"),
    ("blackname", "Black"),
    ("blackteam", "BlackTeam"),
    ("blackrating", "BlackElo"),
    ("blacktime", "BlackTime"),
    ("red", "Red"),
    ("black", "Black"),
    ("timerule", "TimeRule"),
    ("open", "Opening"),
    ("type", "Type"),
    ("gametype", "GameType"),
    ("endtype", "Termination"),
    ("remark", "Annotator"),
    ("author", "Author"),
    ("owner", "Owner"),
    ("refer", "Source"),
];

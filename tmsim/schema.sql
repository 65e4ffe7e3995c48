-- The store of tmsim: one SQLite file. This text documents it and creates it (tmsim/embed.cmake).
--
-- Times end in _ns: whole nanoseconds of virtual time, NULL: no limit. Hashes are lower-case hex.
-- Durations of the machine that played are in `timing` alone; every other table depends on the inputs
-- and the order of the commands, never on speed, concurrency, paths or finishing order.

PRAGMA application_id = 0x5A454954; -- "ZEIT"
PRAGMA user_version = 3;

-- An engine that plays for the policies.
CREATE TABLE engine (
  id       INTEGER PRIMARY KEY,
  hash     TEXT NOT NULL UNIQUE, -- XXH3-128 of `identity`
  name     TEXT NOT NULL,        -- as it calls itself; "" if it does not
  identity TEXT NOT NULL         -- canonical JSON: name, version, options, bench signature
) STRICT;

-- A rate profile: how many nodes per second the modelled player searches.
CREATE TABLE profile (
  id   INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,     -- XXH3-128 of its file
  name TEXT NOT NULL,
  json TEXT NOT NULL             -- the file itself
) STRICT;

-- A policy with its parameter values. The same label with another hash is a newer version of it.
CREATE TABLE policy (
  id      INTEGER PRIMARY KEY,
  hash    TEXT NOT NULL UNIQUE,  -- XXH3-128 of the text, the parameter values and `tc`
  label   TEXT NOT NULL,         -- name, and the parameters that differ from the file: "pool:moves=30"
  version INTEGER NOT NULL,      -- 1, 2, … within the label, in the order of first use
  name    TEXT NOT NULL,         -- as in the file
  title   TEXT NOT NULL,
  source  TEXT NOT NULL,         -- where its formula was read
  unit    TEXT NOT NULL,         -- of its times: s, ms, cs, node
  params  TEXT NOT NULL,         -- canonical JSON: every parameter's value, in that unit where it is a time
  text    TEXT NOT NULL,         -- the Lua file
  tc      TEXT,                  -- the control that it has in any run, canonical; NULL: that of the run
  UNIQUE (label, version)
) STRICT;

-- Everything but the policies that can change a result. Runs are never pooled.
CREATE TABLE run (
  id               INTEGER PRIMARY KEY,
  key              TEXT NOT NULL UNIQUE, -- XXH3-128 of `identity`
  identity         TEXT NOT NULL,        -- canonical JSON of all that follows but `baseline`
  program          TEXT NOT NULL,        -- version of tmsim
  tc               TEXT NOT NULL,        -- time control, canonical
  engine           INTEGER NOT NULL REFERENCES engine (id),
  profile          INTEGER NOT NULL REFERENCES profile (id),
  book_name        TEXT NOT NULL,
  book_hash        TEXT NOT NULL,
  book_order       TEXT NOT NULL,        -- random, sequential
  overhead         TEXT NOT NULL,        -- the model's canonical text: "const:50ms"; "real clock": there is no model
  overhead_ns      INTEGER,              -- of the constant model, per own move
  quantum_ns       INTEGER NOT NULL,     -- what a policy sees of the clock is a multiple of it; 0: exact
  margin_ns        INTEGER NOT NULL,     -- tolerance before the flag falls
  poll             INTEGER NOT NULL,     -- nodes between two looks at the wall; 0: every node
  first_inc        INTEGER NOT NULL CHECK (first_inc IN (0, 1)), -- the first move has base + increment
  nps_scale        REAL NOT NULL,        -- factor on the profile's rate
  seed             TEXT NOT NULL,        -- unsigned 64-bit number, decimal
  adjudication     TEXT NOT NULL,        -- "none"
  max_plies        INTEGER NOT NULL,     -- a longer game is a draw; 0: no bound
  starved_floor_ns INTEGER NOT NULL,     -- a move is starved below max(this, 1.5 * increment)
  baseline         INTEGER REFERENCES policy (id) -- of the last command, NULL: round robin; only for display
) STRICT;

-- Two policies that meet in a run. Player 0 has White in leg 0.
CREATE TABLE pairing (
  id     INTEGER PRIMARY KEY,
  run    INTEGER NOT NULL REFERENCES run (id),
  first  INTEGER NOT NULL REFERENCES policy (id), -- player 0
  second INTEGER NOT NULL REFERENCES policy (id), -- player 1
  UNIQUE (run, first, second)
) STRICT;

CREATE TABLE opening (
  id  INTEGER PRIMARY KEY,
  fen TEXT NOT NULL UNIQUE               -- the position where the book ends
) STRICT;

CREATE TABLE game (
  id             INTEGER PRIMARY KEY,
  pairing        INTEGER NOT NULL REFERENCES pairing (id),
  pair           INTEGER NOT NULL CHECK (pair >= 0),       -- number of the pair within its pairing
  leg            INTEGER NOT NULL CHECK (leg IN (0, 1)),   -- the colours are swapped in leg 1
  opening        INTEGER NOT NULL REFERENCES opening (id),
  white          INTEGER NOT NULL CHECK (white IN (0, 1)), -- the player that has White
  ending         TEXT NOT NULL,          -- checkmate, flag, policy_fault, …
  white_points   INTEGER CHECK (white_points BETWEEN 0 AND 2), -- half points; NULL: no score
  loser_side     INTEGER CHECK (loser_side IN (0, 1)),     -- 0 White, 1 Black; NULL: none
  fault          TEXT,                   -- message and inputs of a policy fault
  plies          INTEGER NOT NULL,       -- rows in `move`
  clock_white_ns INTEGER NOT NULL,       -- left at the end, negative after a flag
  clock_black_ns INTEGER NOT NULL,
  UNIQUE (pairing, pair, leg)
) STRICT;

CREATE TABLE move (
  game            INTEGER NOT NULL REFERENCES game (id),
  ply             INTEGER NOT NULL,      -- plies since the book's end, from 0
  player          INTEGER NOT NULL CHECK (player IN (0, 1)), -- of the pairing
  move            TEXT NOT NULL,         -- UCI
  clock_before_ns INTEGER NOT NULL,
  soft_raw_ns     INTEGER,               -- the policy's answer
  hard_raw_ns     INTEGER,
  soft_floored_ns INTEGER,               -- after its floor
  hard_floored_ns INTEGER,
  soft_ns         INTEGER,               -- effective: min(soft, hard) after the floor
  rate            INTEGER NOT NULL,      -- nodes per second of the modelled player in this move
  cap             INTEGER NOT NULL,      -- nodes at the wall
  nodes_asked     INTEGER NOT NULL,      -- nodes
  nodes_used      INTEGER NOT NULL,      -- nodes
  nodes_charged   INTEGER NOT NULL,      -- nodes
  spend_ns        INTEGER NOT NULL,      -- charged for thinking; what exceeds nodes_charged / rate was a stall that was seen
  overhead_ns     INTEGER NOT NULL,      -- charged on top of it, unseen; on a real clock the runner's lag in this move
  clock_after_ns  INTEGER NOT NULL,      -- after charge and increment, negative: the flag fell
  depth           INTEGER NOT NULL,      -- plies, of the last finished iteration
  score           INTEGER NOT NULL,      -- centipawns for the mover; mate in n plies is ±(32000 - n)
  bound           INTEGER NOT NULL,      -- 0 exact, 1 lower, 2 upper
  reason          TEXT NOT NULL,         -- why the search stopped: soft, hard, exhausted, …
  blind           INTEGER NOT NULL,      -- 1: raw hard at or below the floor, or not positive
  fallback        INTEGER NOT NULL,      -- 1: no iteration had finished
  starved         INTEGER NOT NULL,      -- 1: spent less than the run's bound
  flagged         INTEGER NOT NULL,      -- 1: the flag fell
  signature       INTEGER NOT NULL,      -- branches of the policy: 64 bits, two's complement
  trace           BLOB,                  -- compact event stream up to the stop; NULL: not kept
  PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;

-- Durations of the machine that played; the only table that two equal commands fill differently.
CREATE TABLE timing (
  game    INTEGER PRIMARY KEY REFERENCES game (id),
  wall_ns INTEGER NOT NULL,
  cpu_ns  INTEGER NOT NULL
) STRICT;

-- Something wrong with a policy, and a command that shows it.
CREATE TABLE pathology (
  id          INTEGER PRIMARY KEY,
  run         INTEGER REFERENCES run (id), -- NULL: found without games
  policy      INTEGER NOT NULL REFERENCES policy (id),
  kind        TEXT NOT NULL,             -- negative_cap, blind_run, …
  severity    TEXT NOT NULL,             -- severe, warning, note
  found_by    TEXT NOT NULL,             -- solve, vmatch, hammer, real
  tc          TEXT NOT NULL,             -- time control, canonical
  clock_lo_ns INTEGER,                   -- the interval of clocks where it holds; NULL: open
  clock_hi_ns INTEGER,
  ply         INTEGER,                   -- plies since the book's end; NULL: not tied to one
  witness     TEXT NOT NULL,             -- a command that reproduces it
  sentence    TEXT NOT NULL
) STRICT;

-- A check that can refuse a result.
CREATE TABLE gate (
  id      INTEGER PRIMARY KEY,
  run     INTEGER NOT NULL REFERENCES run (id),
  name    TEXT NOT NULL,
  passed  INTEGER NOT NULL CHECK (passed IN (0, 1)),
  detail  TEXT NOT NULL,                 -- what was found and what was expected
  value   REAL NOT NULL DEFAULT 0,       -- the number that was checked, as the detail counts it
  place   INTEGER NOT NULL DEFAULT 0,    -- in the order of the checks, from 0
  UNIQUE (run, name)
) STRICT;

-- A surrogate ranking held against a result on a real clock.
CREATE TABLE calibration (
  id       INTEGER PRIMARY KEY,
  hash     TEXT NOT NULL UNIQUE,         -- XXH3-128 of `json`
  name     TEXT NOT NULL,
  source   TEXT NOT NULL,                -- who played it, and where it is published
  json     TEXT NOT NULL                 -- policies, time controls, Elo with intervals
) STRICT;

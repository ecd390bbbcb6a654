-- A seal stands for everything that a read of its day takes: also for the lines that came since the seal before, as they are kept,
-- and for the prices, rates, reports, facts of securities and terms of accounts. Seals without these digests are older and
-- stand for entries and balances alone.
alter table clearing.day_seal_portion
  add column lines bigint,
  add column lines_digest bytea,
  add constraint day_seal_portion_lines check (num_nulls(lines, lines_digest) in (0, 2));
alter table clearing.day_seal
  add column facts bigint,
  add column facts_digest bytea,
  add constraint day_seal_facts check (num_nulls(facts, facts_digest) in (0, 2));

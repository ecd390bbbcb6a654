-- no transaction
-- Matches of all accounts and of a firm, the newest first, and those decided in a range of days.
drop index concurrently if exists clearing.screening_match_newest;
create index concurrently screening_match_newest on clearing.screening_match (created_at, match_id);
drop index concurrently if exists clearing.screening_match_firm;
create index concurrently screening_match_firm on clearing.screening_match (firm_id, created_at, match_id);
drop index concurrently if exists clearing.screening_match_decided_at;
create index concurrently screening_match_decided_at on clearing.screening_match (decided_at) where decided_at is not null;
-- Restrictions with a code and of a firm, the newest first, and those that ended in a range of days.
drop index concurrently if exists clearing.restriction_code;
create index concurrently restriction_code on clearing.restriction (code, placed_at, restriction_id);
drop index concurrently if exists clearing.restriction_firm;
create index concurrently restriction_firm on clearing.restriction (firm_id, placed_at, restriction_id);
drop index concurrently if exists clearing.restriction_ended;
create index concurrently restriction_ended on clearing.restriction (ended_at) where ended_at is not null;

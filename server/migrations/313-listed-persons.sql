-- Persons who were confirmed as listed. Their accounts at all firms are blocked, one firm after another, and their later
-- applications are reviewed. The table names no firm and no account. Its indexes and facts are under keys of the clearing firm.
create table clearing.listed_person (
  match_id uuid not null,
  -- 1 for the person on record; 2 for the person of the change that waited for the match, if known facts differ.
  part smallint not null,
  list_name text not null,
  list_version text not null,
  entry_id text not null,
  entry_version text not null,
  matched_name text not null,
  -- Of a person, tax id and birth date; of an entity, the tax id. Null without them.
  person_index bytea,
  -- Name and birth date of a person. Null without a birth date.
  name_index bytea,
  facts bytea not null,
  confirmed_at timestamptz not null,
  trace_id text not null,
  -- The last firm whose accounts were searched; null before the first one.
  after_firm uuid,
  -- Accounts and applications that were blocked besides that of the decision.
  accounts integer not null default 0,
  ended_at timestamptz,
  primary key (match_id, part)
);
create index listed_person_person on clearing.listed_person (person_index) where person_index is not null;
create index listed_person_name on clearing.listed_person (name_index) where name_index is not null;
create index listed_person_running on clearing.listed_person (confirmed_at) where ended_at is null;
alter table clearing.listed_person enable row level security;
alter table clearing.listed_person force row level security;
create policy all_rows on clearing.listed_person to clearing_operations using (true);
-- An application of the person at any firm is reviewed.
create policy known_rows on clearing.listed_person for select to clearing_app using (true);
grant select, insert, update on clearing.listed_person to clearing_operations;
grant select (list_name, entry_id, person_index, name_index, confirmed_at) on clearing.listed_person to clearing_app;
-- While a firm is frozen here or arrives, its accounts could be left out in both cells.
create trigger refuse_while_moving before insert on clearing.listed_person
  for each row execute function clearing.refuse_close_while_moving();

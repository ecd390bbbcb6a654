-- Screening does not end at opening: a change of an open account waits while a match of it is open, and a list that is loaded is
-- compared with the names of all open accounts.

-- A match of a change that waits has the change's id behind the customer id (`100…@0198…`): the person whom the change would make is
-- another than the one on record.
alter table clearing.screening_match
  -- Where the name or address stands in the record.
  add column field text not null default '',
  add column change_id uuid,
  -- The restriction that was placed when the match was found.
  add column restriction_id uuid,
  -- The change by which a second person is asked to clear the match.
  add column clearance_change_id uuid,
  -- Nothing is left to decide: the change was refused or taken back, or the record says something else now.
  add column dropped_at timestamptz;

-- A change takes effect when everything that it waits for is there: a second person, its matches, or both.
alter table clearing.change_request
  add column approval_needed boolean not null default true,
  add column approved_by text,
  add column approved_at timestamptz,
  add column approval_reason text,
  -- Customer ids of the persons who come with it, in their order: they are the same when it takes effect.
  add column customer_ids text[],
  add constraint approver_is_not_maker check (approved_by is null or lower(approved_by) <> lower(requested_by)) not valid;

-- What a list gained, on its way through the names of all open accounts: in portions, each with its place in one transaction.
create table clearing.rescreening (
  rescreening_id uuid primary key,
  list_name text not null,
  list_version text not null,
  -- Ids of the entries that are new or changed.
  gained text[] not null,
  -- The last account that was looked at.
  after_account text not null default '',
  accounts integer not null default 0,
  matches integer not null default 0,
  restricted integer not null default 0,
  started_by text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  trace_id text not null
);
create index rescreening_newest on clearing.rescreening (started_at);
alter table clearing.rescreening enable row level security;
alter table clearing.rescreening force row level security;
create policy all_rows on clearing.rescreening to clearing_operations using (true);
grant select, insert, update on clearing.rescreening to clearing_operations;

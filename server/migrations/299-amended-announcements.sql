-- Amendments of announced corporate actions. The announcement has the terms that count now, and each amendment those
-- that it replaced.
alter table clearing.announcement
  add column version integer not null default 1,
  add column amended_at timestamptz,
  drop constraint announcement_state_check,
  add constraint announcement_state_check
    check (state in ('Announced', 'Booked', 'Amending', 'Cancelling', 'Cancelled')) not valid,
  drop constraint announcement_check,
  add constraint announcement_check
    check ((cancelled_by is null) = (state in ('Announced', 'Booked', 'Amending'))) not valid;

create table clearing.announcement_amendment (
  -- The id of the line that amended the announcement.
  external_id text primary key,
  amends text not null references clearing.announcement (external_id),
  -- The version of the terms that it made; the announcement itself has version 1.
  version integer not null check (version > 1),
  replaced jsonb not null,
  terms jsonb not null,
  amended_at timestamptz not null,
  load_id uuid not null references clearing.load (load_id),
  unique (amends, version)
);
grant select, insert on clearing.announcement_amendment to clearing_operations;
grant select on clearing.announcement_amendment to clearing_app;

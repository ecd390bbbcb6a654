-- Each restore of the database to an earlier moment begins a line of the event log. A cursor names the line in which it was written,
-- so that the positions of a lost line are not taken for positions of this one.
create table clearing.event_line (
  number integer generated always as identity primary key,
  -- 0 for the first line: its cursors name no line.
  mark integer not null unique check (mark >= 0),
  -- The first transaction that the line does not share with the line before.
  parted_at xid8 not null,
  -- The database cluster and its time line in which the line began; null until the first start that knows it.
  cluster text,
  begun_at timestamptz not null default clock_timestamp()
);
insert into clearing.event_line (mark, parted_at) values (0, '0');
grant select, insert, update on clearing.event_line to clearing_operations;
grant select on clearing.event_line to clearing_app;

-- The oldest transaction that was open when the snapshot was saved; null for a snapshot of a release before this one.
alter table clearing.sandbox_snapshot add column oldest_open xid8;

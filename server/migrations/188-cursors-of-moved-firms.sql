-- Where the event log of a firm was in the cells before this one, so that cursors of those cells go on working. A firm that came to
-- this cell by its third move has the moves 0, 1 and 2: how many moves it had made when it wrote the cursors.
create table clearing.event_log_before (
  firm_id uuid not null references clearing.firm,
  moves integer not null check (moves between 0 and 200),
  -- The last event that the cell had removed for its age. A cursor before it is too old.
  removed_transaction xid8 not null,
  removed_position bigint not null,
  -- A place of this cell before the first event that was moved.
  transaction_id xid8 not null,
  position bigint not null,
  primary key (firm_id, moves)
);
create table clearing.event_place_before (
  firm_id uuid not null,
  moves integer not null,
  transaction_id xid8 not null,
  position bigint not null,
  event_id uuid not null references clearing.event on delete cascade,
  primary key (firm_id, moves, transaction_id, position)
);
create index event_place_before_event on clearing.event_place_before (event_id);

alter table clearing.event_log_before enable row level security;
alter table clearing.event_log_before force row level security;
alter table clearing.event_place_before enable row level security;
alter table clearing.event_place_before force row level security;
create policy firm_rows on clearing.event_log_before to clearing_app using (firm_id = clearing.current_firm());
create policy firm_rows on clearing.event_place_before to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.event_log_before to clearing_operations using (true);
create policy all_rows on clearing.event_place_before to clearing_operations using (true);
create policy moving_rows on clearing.event_log_before to current_user using (firm_id in
  (select firm_id from clearing.moving_firm where state in ('Arriving', 'Moved')));
create policy moving_rows on clearing.event_place_before to current_user using (firm_id in
  (select firm_id from clearing.moving_firm where state in ('Arriving', 'Moved')));
grant select on clearing.event_log_before, clearing.event_place_before to clearing_app, clearing_operations;

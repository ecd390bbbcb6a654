-- Lines that changed the units of a security or moved a position to another security. A price from before the day is of the units before it.
create table clearing.unit_change (
  firm_id uuid not null,
  -- The line.
  external_id text not null,
  -- The security given, and the security received: the same for a split.
  sec_no bigint not null,
  to_sec_no bigint not null,
  effective_on date not null,
  -- Units received for units held, after a stock dividend as well.
  received numeric not null check (received > 0),
  held numeric not null check (held > 0),
  -- The line stated the ratio. Otherwise the ratio is that of the position before and after the line.
  is_stated boolean not null,
  is_merger boolean not null,
  entered_on date not null,
  -- The business date on which the line was cancelled.
  cancelled_on date,
  primary key (firm_id, external_id)
);
create index unit_change_received on clearing.unit_change (to_sec_no, effective_on);
grant select, insert, update on clearing.unit_change to clearing_operations;
-- The changes count for the prices of all firms. A firm does not see whose line reported them.
grant select (sec_no, to_sec_no, effective_on, received, held, is_stated, is_merger, entered_on, cancelled_on)
  on clearing.unit_change to clearing_app;
create trigger note_insert after insert on clearing.unit_change referencing new table as written
  for each statement execute function clearing.note_market_change();
create trigger note_update after update on clearing.unit_change referencing new table as written
  for each statement execute function clearing.note_market_change();

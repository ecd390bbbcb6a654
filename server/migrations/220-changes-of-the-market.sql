-- Transactions that changed securities, prices, exchange rates or positions held away. The summary of an account that was rendered before is
-- current if no such transaction has committed since. Rows are only inserted, so writers do not wait for each other.
create table clearing.market_change (
  xid xid8 primary key default pg_current_xact_id(),
  at timestamptz not null default clock_timestamp()
);
grant select on clearing.market_change to clearing_app;
grant select, insert, delete on clearing.market_change to clearing_operations;

create function clearing.note_market_change() returns trigger language plpgsql as $$
begin
  if exists (select from written) then
    insert into clearing.market_change default values on conflict do nothing;
  end if;
  return null;
end $$;
grant execute on function clearing.note_market_change() to clearing_operations;

create trigger note_insert after insert on clearing.security referencing new table as written
  for each statement execute function clearing.note_market_change();
create trigger note_update after update on clearing.security referencing new table as written
  for each statement execute function clearing.note_market_change();
create trigger note_insert after insert on clearing.price referencing new table as written
  for each statement execute function clearing.note_market_change();
create trigger note_update after update on clearing.price referencing new table as written
  for each statement execute function clearing.note_market_change();
create trigger note_insert after insert on clearing.fx_rate referencing new table as written
  for each statement execute function clearing.note_market_change();
create trigger note_update after update on clearing.fx_rate referencing new table as written
  for each statement execute function clearing.note_market_change();
create trigger note_insert after insert on clearing.held_away referencing new table as written
  for each statement execute function clearing.note_market_change();

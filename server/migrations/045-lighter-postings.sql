-- What a load costs the database beside its rows: owners are looked up once an account and not once a row, an event whose
-- writer has the account's row in hand is not completed again, and an account's row finds room on its page when its events
-- are counted.

create or replace function clearing.check_owners() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct account_number, firm_id from written) as owned
    left join clearing.account_books as books using (account_number, firm_id)
    where books.account_number is null
  ) then
    raise foreign_key_violation using
      message = format('a row of %I names an account and a firm that do not belong together', tg_table_name),
      table = tg_table_name;
  end if;
  return null;
end $$;

-- Whoever gives the entity number has read it, the rep code and the order of events from the row that it locked.
create or replace function clearing.complete_event() returns trigger language plpgsql as $$
begin
  if new.account_number <> '' and new.entity_number = '' then
    select entity_number, rep_code, greatest(event_order, pg_current_xact_id())
      into strict new.entity_number, new.rep_code, new.transaction_id
      from clearing.account where account_number = new.account_number;
  end if;
  return new;
end $$;

alter table clearing.account set (fillfactor = 80);

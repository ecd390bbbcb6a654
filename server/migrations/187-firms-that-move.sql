-- Firms that are being moved to another cell, or were. The service refuses their calls, and the owner may write their rows.
create table clearing.moving_firm (
  firm_id uuid primary key,
  -- Frozen and Moved in the cell that the firm leaves; Arriving in the cell that it comes to.
  state text not null check (state in ('Arriving', 'Frozen', 'Moved')),
  other_cell text not null,
  changed_at timestamptz not null default clock_timestamp()
);
create constraint trigger changed after insert or update or delete on clearing.moving_firm
  deferrable initially deferred for each row execute function clearing.note_identity_change();
grant select on clearing.moving_firm to clearing_app, clearing_operations;

-- Of triggers that exist while a firm is frozen, for the rows of that firm. To a caller the database is busy: send the request again.
create function clearing.refuse_frozen() returns trigger language plpgsql as $$
begin
  raise lock_not_available using message = 'the firm is being moved to another cell', table = tg_table_name;
end $$;

-- A day is not closed while a firm is frozen here or arrives: its accounts would be closed in two cells or in none.
create function clearing.refuse_close_while_moving() returns trigger language plpgsql as $$
begin
  if exists (select from clearing.moving_firm where state <> 'Moved') then
    raise lock_not_available using message = 'a firm is being moved to another cell', table = tg_table_name;
  end if;
  return new;
end $$;
grant execute on function clearing.refuse_close_while_moving() to clearing_operations;
create trigger refuse_while_moving before insert on clearing.business_day_close
  for each row execute function clearing.refuse_close_while_moving();

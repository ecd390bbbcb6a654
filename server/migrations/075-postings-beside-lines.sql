-- What a line posts when it is entered stands beside the line, in its row: one row and one place in the indexes instead of
-- two, and no line without its posting. Entries of their own are those that come later: of cancels, late lines and settlement.
-- Postings that are entries already stay where they are.

-- Whether legs, sorted by asset, sum to zero per asset. Unsorted legs may be refused, never wrongly taken.
create function clearing.balances_by_leg(asset text[], amount numeric[]) returns boolean
  language plpgsql immutable strict parallel safe
as $$
declare
  total numeric := 0;
begin
  for leg in 1 .. cardinality(asset) loop
    if leg > 1 and asset[leg] <> asset[leg - 1] then
      if total <> 0 then return false; end if;
      total := 0;
    end if;
    total := total + amount[leg];
  end loop;
  return total = 0;
end $$;

grant execute on function clearing.balances_by_leg(text[], numeric[]) to clearing_app, clearing_operations;

-- The legs that most lines have are summed in the expression of the check itself, in a tenth of a loop's time: those of cash,
-- and of shares against cash with none, one or two charges.
create or replace function clearing.balances(asset text[], amount numeric[]) returns boolean
  language sql immutable parallel safe
  return case
    when cardinality(asset) = 2 then asset[1] = asset[2] and amount[1] + amount[2] = 0
    when cardinality(asset) not between 4 and 6 or asset[1] <> asset[2] or asset[2] = asset[3] or asset[3] <> asset[4]
      then clearing.balances_by_leg(asset, amount)
    when cardinality(asset) = 4 then amount[1] + amount[2] = 0 and amount[3] + amount[4] = 0
    when cardinality(asset) = 5 and asset[4] = asset[5]
      then amount[1] + amount[2] = 0 and amount[3] + amount[4] + amount[5] = 0
    when cardinality(asset) = 6 and asset[4] = asset[5] and asset[5] = asset[6]
      then amount[1] + amount[2] = 0 and amount[3] + amount[4] + amount[5] + amount[6] = 0
    else clearing.balances_by_leg(asset, amount)
  end;

alter table clearing.activity
  -- Null together where the line posts nothing.
  add column entry_no bigint,
  add column ledger clearing.ledger[],
  add column asset text[],
  add column amount numeric[],
  add constraint activity_entry_no_check check (entry_no > 0 and num_nulls(entry_no, ledger, asset, amount) in (0, 4)),
  add constraint activity_legs check (cardinality(ledger) >= 2 and cardinality(ledger) = cardinality(asset)
    and cardinality(ledger) = cardinality(amount)),
  add constraint activity_amounts check (entry_no is null or 1e20 > all (amount) and -1e20 < all (amount)
    and array_position(asset, null) is null and array_position(amount, null) is null),
  add constraint activity_balances check (clearing.balances(asset, amount));
-- The postings of a business date, whatever days their lines are of.
create index activity_entered on clearing.activity (entered_on, account_number);

-- All postings: those beside their lines and the entries that came later.
create view clearing.journal with (security_invoker = true) as
  select account_number, firm_id, entered_on as entry_date, entry_no, sequence as of_line, sequence as caused_by, 'P'::"char" as kind,
    acct_type, ledger, asset, amount
  from clearing.activity where entry_no is not null
  union all
  select account_number, firm_id, entry_date, entry_no, of_line, caused_by, kind, acct_type, ledger, asset, amount
  from clearing.entry;
grant select on clearing.journal to clearing_app, clearing_operations;

-- The texts of its values, whatever table they come from.
drop function clearing.entry_digest(clearing.entry);

-- Whoever counts an account's event in the row that it locked has its place in the order of events from there.
drop trigger order_events on clearing.account;
create trigger order_events before update of event_sequence on clearing.account for each row
  when (new.event_order is distinct from greatest(old.event_order, pg_current_xact_id()))
  execute function clearing.order_account_events();
drop trigger complete on clearing.event;
create trigger complete before insert on clearing.event for each row
  when (new.account_number <> '' and new.entity_number = '') execute function clearing.complete_event();

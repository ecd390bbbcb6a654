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

-- Rows of a firm that arrives or has left, and of no other, may be written and removed by the owner, whom row-level security holds too.
do $$
declare
  one text;
begin
  foreach one in array array[
    'firm', 'firm_key', 'entity', 'rep_code', 'credential', 'credential_secret', 'account', 'account_change', 'account_review',
    'account_version', 'party', 'note', 'restriction', 'onboarding', 'onboarding_transition', 'document', 'screening_match',
    'change_request', 'renewal', 'call_extension', 'cash_ledger', 'held_away', 'pending_line', 'account_books',
    'account_terms_version', 'activity', 'activity_key', 'entry', 'correction', 'closing', 'wash', 'holding', 'security_link',
    'cash_balance', 'unsettled', 'books_break', 'settled_break', 'margin_ledger', 'margin_call', 'margin_call_day', 'day_accrual',
    'fund_accrual', 'event', 'webhook', 'webhook_secret', 'webhook_delivery', 'idempotency', 'request', 'access_record', 'audit',
    'audit_head'
  ] loop
    execute format(
      'create policy moving_rows on clearing.%I to current_user using (firm_id in
         (select firm_id from clearing.moving_firm where state in (''Arriving'', ''Moved'')))', one);
  end loop;
end $$;
create policy moving_rows on clearing.books_proof to current_user using (account_number in
  (select account_number from clearing.account join clearing.moving_firm using (firm_id) where state in ('Arriving', 'Moved')));

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

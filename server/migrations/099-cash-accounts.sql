-- Cash accounts under Regulation T: what each close found unpaid, and sales before payment.

-- A row for each account that a close looked at: the latest is how the account stands.
create table clearing.cash_ledger (
  account_number text not null,
  close_date date not null,
  firm_id uuid not null,
  -- Purchases that are not paid in full, and sales before payment, as the rules answer them.
  unpaid jsonb not null,
  violations jsonb not null,
  -- The next close on which it is looked at without a new line; null: only with one.
  look_on date,
  -- Of the freeze in force: the day of its cause, its last day, and the restriction that was placed.
  frozen_from date,
  frozen_until date,
  restriction_id uuid,
  primary key (account_number, close_date),
  check ((frozen_from is null) = (frozen_until is null)),
  foreign key (firm_id, account_number) references clearing.account (firm_id, account_number)
);

alter table clearing.cash_ledger enable row level security;
alter table clearing.cash_ledger force row level security;
create policy firm_rows on clearing.cash_ledger to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.cash_ledger to clearing_operations using (true);
grant select on clearing.cash_ledger to clearing_app;
grant select, insert on clearing.cash_ledger to clearing_operations;

alter table clearing.margin_call drop constraint margin_call_kind_check;
alter table clearing.margin_call add constraint margin_call_kind_check check (kind in ('Fed', 'Maintenance', 'Cash')) not valid;

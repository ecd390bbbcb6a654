-- The business day: how far a close has come, what each close accrued and called for, and the seals.

-- Lines of the account that the last seal covers.
alter table clearing.account_books add column sealed_lines bigint not null default 0;

-- One row a close. The date moves when it is made; from then on new lines belong to the next day, and what the day came to
-- is fixed. `step` and `portion` say what is to be done next, and move on in the transactions that do it.
create table clearing.business_day_close (
  close_date date primary key,
  next_date date not null check (next_date > close_date),
  -- Prices until then count.
  marked_at timestamptz not null,
  -- The last account number of each portion of accounts, in order.
  portions text[] not null,
  step text not null,
  portion integer not null default 0,
  accounts bigint not null,
  positions bigint not null default 0,
  calls_issued bigint not null default 0,
  calls_met bigint not null default 0,
  -- [{step, durationMs}] of what is done or begun.
  durations jsonb not null default '{}',
  trace_id text not null,
  started_at timestamptz not null,
  closed_at timestamptz,
  check ((step = 'Closed') = (closed_at is not null))
);
-- At most one close is at work.
create unique index business_day_closing on clearing.business_day_close ((true)) where closed_at is null;

-- Accounts that got lines since the last seal, and how many lines each had when the day ended.
create table clearing.day_account (
  close_date date not null references clearing.business_day_close,
  account_number text not null references clearing.account_books,
  line_count bigint not null,
  primary key (close_date, account_number)
);

-- What a close accrued: margin interest for the nights until the next business day, its sum not yet charged, and the
-- interest that bonds have accrued. US dollars.
create table clearing.day_accrual (
  account_number text not null,
  close_date date not null,
  firm_id uuid not null,
  margin_interest clearing.money not null,
  margin_accrued clearing.money not null check (margin_accrued >= 0),
  bond_interest clearing.money not null,
  primary key (account_number, close_date),
  foreign key (firm_id, account_number) references clearing.account_books (firm_id, account_number)
);

create table clearing.margin_call (
  account_number text not null,
  kind text not null check (kind in ('Fed', 'Maintenance')),
  issued_on date not null,
  firm_id uuid not null,
  due_by date not null,
  -- As issued, and what the last close found still to be met.
  amount clearing.money not null check (amount > 0),
  outstanding clearing.money not null check (outstanding >= 0),
  -- The last close that looked at it, and its age then in business days.
  aged_on date not null,
  age_days integer not null,
  met_on date,
  primary key (account_number, kind, issued_on),
  foreign key (firm_id, account_number) references clearing.account_books (firm_id, account_number),
  check ((met_on is null) = (outstanding > 0))
);
create index margin_call_open on clearing.margin_call (account_number) where met_on is null;

-- Seals.

-- Ed25519; private halves only wrapped under the master key.
create table clearing.seal_key (
  key_id text primary key,
  public_key bytea not null,
  wrapped bytea not null,
  master_key_id text not null,
  created_at timestamptz not null
);

-- Positions and cash as sealed: a row for each that a close found other than the close before. An asset is a currency's
-- letters or a security's number.
create table clearing.sealed_balance (
  account_number text not null,
  asset text collate "C" not null,
  acct_type smallint not null check (acct_type in (1, 2, 3)),
  close_date date not null,
  quantity numeric not null check (abs(quantity) < 1e20),
  cost numeric not null check (abs(cost) < 1e20),
  primary key (account_number, asset, acct_type, close_date)
);
create index sealed_balance_day on clearing.sealed_balance (close_date, account_number);

create table clearing.day_seal_portion (
  close_date date not null references clearing.business_day_close,
  portion integer not null,
  entries bigint not null,
  entries_digest bytea not null,
  balances bigint not null,
  balances_digest bytea not null,
  primary key (close_date, portion)
);

create table clearing.day_seal (
  close_date date primary key references clearing.business_day_close,
  -- Of the seal before it; empty for the first.
  previous_digest bytea not null,
  entries bigint not null,
  balances bigint not null,
  digest bytea not null check (length(digest) = 32),
  key_id text not null references clearing.seal_key,
  signature bytea not null check (length(signature) = 64)
);

-- Stable like concat_ws, so that their texts are put into the statements that call them.
create function clearing.entry_digest(entry clearing.entry) returns bytea
  language sql stable parallel safe
  return sha256(convert_to(concat_ws('|', entry.account_number, entry.firm_id, entry.entry_date, entry.entry_no, entry.of_line,
    entry.caused_by, entry.kind, entry.acct_type, entry.ledger, entry.asset, entry.amount), 'UTF8'));

create function clearing.balance_digest(balance clearing.sealed_balance) returns bytea
  language sql stable parallel safe
  return sha256(convert_to(concat_ws('|', balance.account_number, balance.asset, balance.acct_type, balance.close_date,
    trim_scale(balance.quantity), trim_scale(balance.cost)), 'UTF8'));

do $$
declare
  owned text;
begin
  foreach owned in array array['day_accrual', 'margin_call'] loop
    execute format('alter table clearing.%I enable row level security', owned);
    execute format('alter table clearing.%I force row level security', owned);
    execute format('create policy firm_rows on clearing.%I to clearing_app using (firm_id = clearing.current_firm())', owned);
    execute format('create policy all_rows on clearing.%I to clearing_operations using (true)', owned);
    execute format('grant select on clearing.%I to clearing_app', owned);
  end loop;
end $$;

grant insert, select on clearing.day_account, clearing.day_accrual, clearing.sealed_balance, clearing.day_seal_portion,
  clearing.day_seal to clearing_operations;
grant select, insert, update on clearing.business_day_close, clearing.margin_call, clearing.seal_key to clearing_operations;
grant execute on function clearing.entry_digest(clearing.entry), clearing.balance_digest(clearing.sealed_balance)
  to clearing_operations;

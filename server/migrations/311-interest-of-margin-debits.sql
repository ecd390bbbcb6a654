-- The interest of margin accounts by the close after which its nights begin, as the quarterly disclosure of 17 CFR 240.10b-16(a)(2)
-- itemizes it. A close computes the nights of earlier closes again if later lines changed their debit. US dollars.
create table clearing.margin_interest (
  account_number text not null,
  -- The close that computed the interest.
  close_date date not null,
  -- The close after which the nights begin.
  of_date date not null check (of_date <= close_date),
  firm_id uuid not null,
  -- What was owed in these nights.
  debit numeric not null,
  -- What the nights were computed on before; null if the nights are computed for the first time.
  debit_before numeric check ((debit_before is null) = (of_date = close_date)),
  -- Percent a year, for each night.
  rates numeric[] not null check (cardinality(rates) > 0),
  -- The difference if the nights are computed again.
  interest numeric not null check (interest <> 0),
  primary key (account_number, close_date, of_date),
  foreign key (firm_id, account_number) references clearing.account_books (firm_id, account_number),
  constraint margin_interest_figures check (
    debit >= 0 and debit_before >= 0 and greatest(debit, debit_before, abs(interest)) < 'Infinity'
    and greatest(scale(debit), scale(debit_before), scale(interest)) <= 4)
);
alter table clearing.margin_interest enable row level security;
alter table clearing.margin_interest force row level security;
create policy firm_rows on clearing.margin_interest to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.margin_interest to clearing_operations using (true);
create policy moving_rows on clearing.margin_interest to clearing_owner using (firm_id in (
  select firm_id from clearing.moving_firm where state in ('Arriving', 'Moved')));
grant select on clearing.margin_interest to clearing_app;
grant select, insert on clearing.margin_interest to clearing_operations;

-- Accrued interest becomes negative if the interest of charged nights becomes less.
alter table clearing.day_accrual
  drop constraint day_accrual_figures,
  add constraint day_accrual_figures check (
    greatest(abs(margin_interest), abs(margin_accrued), abs(bond_interest)) < 'Infinity'
    and greatest(scale(margin_interest), scale(margin_accrued), scale(bond_interest)) <= 4
  ) not valid;

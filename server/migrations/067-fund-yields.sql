-- What a money-market fund yields a year, told beside its prices, and what accounts earned of it in the nights after each
-- close. What is pending is the sum of those since the fund paid last.
alter table clearing.price add column yield numeric
  check (yield >= 0 and yield < 1000 and scale(yield) <= 10);
create index price_yield on clearing.price (sec_no, priced_at) include (yield) where yield is not null;

create table clearing.fund_accrual (
  account_number text not null,
  sec_no bigint not null references clearing.security,
  close_date date not null,
  firm_id uuid not null,
  -- US dollars.
  interest clearing.money not null,
  primary key (account_number, sec_no, close_date),
  foreign key (firm_id, account_number) references clearing.account_books (firm_id, account_number)
);
alter table clearing.fund_accrual enable row level security;
alter table clearing.fund_accrual force row level security;
create policy firm_rows on clearing.fund_accrual to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.fund_accrual to clearing_operations using (true);
grant select on clearing.fund_accrual to clearing_app;
grant insert, select on clearing.fund_accrual to clearing_operations;

-- What an account holds with other custodians, as it was reported: of each security, account type and custodian the latest
-- report counts, and one of a quantity of zero ends it. No entry of the books, since nothing of it is in their keeping.
create table clearing.held_away (
  account_number text not null,
  sec_no bigint not null references clearing.security,
  acct_type smallint not null check (acct_type in (1, 2, 3)),
  custodian text not null,
  as_of date not null,
  firm_id uuid not null,
  quantity clearing.units not null check (quantity >= 0),
  -- In the currency of the security; null when it is not known.
  cost clearing.money check (cost >= 0),
  open_date date,
  load_id uuid not null,
  primary key (account_number, sec_no, acct_type, custodian, as_of),
  foreign key (firm_id, account_number) references clearing.account (firm_id, account_number)
);
alter table clearing.held_away enable row level security;
alter table clearing.held_away force row level security;
create policy firm_rows on clearing.held_away to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.held_away to clearing_operations using (true);
grant select on clearing.held_away to clearing_app;
grant insert, select on clearing.held_away to clearing_operations;

-- Calls as each close left them, so that a closed day is answered as it was. Of closes before this table nothing is kept but the calls themselves.
create table clearing.margin_call_day (
  account_number text not null,
  kind text not null,
  issued_on date not null,
  -- The close that left it so.
  aged_on date not null,
  firm_id uuid not null,
  due_by date not null,
  amount numeric not null,
  outstanding numeric not null,
  age_days integer not null,
  met_on date,
  primary key (account_number, kind, issued_on, aged_on),
  foreign key (firm_id, account_number) references clearing.account_books (firm_id, account_number)
);
alter table clearing.margin_call_day enable row level security;
alter table clearing.margin_call_day force row level security;
create policy firm_rows on clearing.margin_call_day to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.margin_call_day to clearing_operations using (true);
grant select on clearing.margin_call_day to clearing_app;
grant select, insert on clearing.margin_call_day to clearing_operations;

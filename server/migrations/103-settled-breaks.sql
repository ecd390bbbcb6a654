-- What an account holds without entitlement and a person has settled: it is not raised again until the account no longer holds it.
create table clearing.settled_break (
  account_number text not null,
  break_id uuid not null,
  firm_id uuid not null,
  settled_by text not null,
  settled_at timestamptz not null,
  primary key (account_number, break_id),
  foreign key (account_number, break_id) references clearing.books_break (account_number, break_id),
  foreign key (firm_id, account_number) references clearing.account_books (firm_id, account_number)
);
alter table clearing.settled_break enable row level security;
alter table clearing.settled_break force row level security;
create policy all_rows on clearing.settled_break to clearing_operations using (true);
grant select, insert, delete on clearing.settled_break to clearing_operations;

-- When the books of an account, and the seal of a day, were last proved without a break: the nightly proof takes what changed since, and the
-- rest in turn.
create table clearing.books_proof (
  account_number text primary key,
  -- Lines and entries that were proved.
  line_count bigint not null,
  entry_count bigint not null,
  proved_at timestamptz not null
);
create table clearing.seal_proof (
  close_date date primary key,
  proved_at timestamptz not null
);
alter table clearing.books_proof enable row level security;
alter table clearing.books_proof force row level security;
create policy all_rows on clearing.books_proof to clearing_operations using (true);
grant select, insert, update on clearing.books_proof, clearing.seal_proof to clearing_operations;

-- Lines of activity whose trade date is after the business date: they wait here and are posted on their day. Nobody but operations
-- sees them.
create table clearing.pending_line (
  firm_id uuid not null references clearing.firm,
  external_id text not null,
  account_number text not null,
  trade_date date not null,
  -- The load that brought it, and its number there: the order in which lines are posted.
  load_id uuid not null references clearing.load,
  line bigint not null,
  -- The line as it came, as JSON.
  content text not null,
  primary key (firm_id, external_id),
  foreign key (firm_id, account_number) references clearing.account (firm_id, account_number)
);
create index pending_line_order on clearing.pending_line (load_id, line);
create index pending_line_due on clearing.pending_line (trade_date);
alter table clearing.pending_line enable row level security;
alter table clearing.pending_line force row level security;
create policy all_rows on clearing.pending_line to clearing_operations using (true);
grant select, insert, delete on clearing.pending_line to clearing_operations;

-- Of the lines accepted, those that wait for their day. The default is not written into rows.
alter table clearing.load add column pending bigint not null default 0;

-- Each corporate action that a line told of some holder: the closes find who holds the security and got none. Nobody but
-- operations sees whose line it was.
create table clearing.corporate_action (
  sec_no bigint not null references clearing.security,
  trans_type text not null,
  -- The trade date of the line, of a return of capital its record date.
  effective_date date not null,
  firm_id uuid not null references clearing.firm,
  -- The line that told it first.
  external_id text not null,
  entered_on date not null,
  primary key (sec_no, trans_type, effective_date)
);
create index corporate_action_entered on clearing.corporate_action (entered_on);
create index corporate_action_line on clearing.corporate_action (external_id);
alter table clearing.corporate_action enable row level security;
alter table clearing.corporate_action force row level security;
create policy all_rows on clearing.corporate_action to clearing_operations using (true);
grant select, insert, delete on clearing.corporate_action to clearing_operations;

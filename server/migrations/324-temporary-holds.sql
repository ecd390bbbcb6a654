-- Temporary holds under FINRA Rule 2165: the days of a restriction ProtectedAdult, and the recorded steps.
create table clearing.temporary_hold (
  account_number text not null,
  restriction_id uuid not null,
  firm_id uuid not null,
  -- Code list holdGround; empty for a restriction that was placed before this table.
  ground text not null,
  placed_on date not null,
  -- The last day of the hold, which the close of that day ends.
  expires_on date not null,
  notify_by date not null,
  notified_at timestamptz,
  -- [{step, expiresOn, reason, by, at}], in the order of recording.
  steps jsonb not null,
  ended_at timestamptz,
  -- The inbox shows the hold from this time: from the placement until a notice is recorded, then shortly before the end.
  waits_from timestamptz not null,
  -- What the inbox shows it for: the notice or the end.
  due_on date not null,
  primary key (account_number, restriction_id),
  foreign key (firm_id, account_number) references clearing.account (firm_id, account_number)
);
create index temporary_hold_in_force on clearing.temporary_hold (expires_on) where ended_at is null;
create index temporary_hold_waiting on clearing.temporary_hold (waits_from, restriction_id)
  where ended_at is null or notified_at is null;
create index temporary_hold_waiting_account on clearing.temporary_hold (account_number, waits_from, restriction_id)
  where ended_at is null or notified_at is null;
create index temporary_hold_waiting_firm on clearing.temporary_hold (firm_id, waits_from, restriction_id)
  where ended_at is null or notified_at is null;
alter table clearing.temporary_hold enable row level security;
alter table clearing.temporary_hold force row level security;
create policy firm_rows on clearing.temporary_hold to clearing_app using (firm_id = clearing.current_firm());
create policy all_rows on clearing.temporary_hold to clearing_operations using (true);
grant select, insert, update on clearing.temporary_hold to clearing_app, clearing_operations;
create policy moving_rows on clearing.temporary_hold to clearing_owner using (firm_id in (
  select firm_id from clearing.moving_firm where state in ('Arriving', 'Moved')));

-- What is open when a business day is to be closed, and who accepted it.

-- Who looked at what a load refused or left undone. What was there before counts as looked at.
alter table clearing.load
  add column looked_at timestamptz,
  add column looked_by text not null default 'service';
alter table clearing.load alter column looked_by set default '';
create index load_to_look_at on clearing.load (started_at) where looked_by = '' and (rejected > 0 or state <> 'Complete');

alter table clearing.business_day_close
  -- The checklist when the close began; null of closes before there was one.
  add column checklist jsonb,
  -- {reason, by, approvedBy}: who accepted what was open; null where nothing was.
  add column accepted jsonb;

-- What a second person approved for a day that is still open.
create table clearing.close_acceptance (
  close_date date primary key,
  reason text not null,
  accepted_by text not null,
  approved_by text not null,
  approved_at timestamptz not null,
  check (lower(accepted_by) <> lower(approved_by))
);
grant select, insert, update on clearing.close_acceptance to clearing_operations;

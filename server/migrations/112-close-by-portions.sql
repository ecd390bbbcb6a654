-- The portions of each step of a close. Several connections and processes take them at once; a step ends when all are done.
create table clearing.business_day_portion (
  close_date date not null references clearing.business_day_close,
  step text not null,
  portion integer not null,
  positions bigint not null default 0,
  calls_issued bigint not null default 0,
  calls_met bigint not null default 0,
  duration_ms bigint not null default 0,
  done_at timestamptz,
  primary key (close_date, step, portion)
);
create index business_day_portion_open on clearing.business_day_portion (close_date, step, portion) where done_at is null;
grant select, insert, update on clearing.business_day_portion to clearing_operations;

-- A process of the previous release works on the row of the close alone, and cannot end a step whose portions others are working on.
create function clearing.keep_step_of_close() returns trigger language plpgsql as $$
begin
  if exists (
    select from clearing.business_day_portion
    where close_date = old.close_date and step = old.step and done_at is null
  ) then
    raise exception 'step % of the close of % has portions that are not done', old.step, old.close_date;
  end if;
  return new;
end $$;
create trigger keep_step before update on clearing.business_day_close
  for each row when (old.step <> new.step) execute function clearing.keep_step_of_close();

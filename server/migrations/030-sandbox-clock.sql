-- The sandbox's clock. In production it has no row: the service's time is the wall's.

-- One row. Time runs beside the wall's by an offset, or stands still at an instant.
create table clearing.sandbox_clock (
  one boolean primary key default true check (one),
  offset_ms bigint not null default 0,
  frozen_at timestamptz,
  -- What was asked for last, so that it is not done twice: {by, to, from, closedDays, ended}.
  advance jsonb
);

grant select on clearing.sandbox_clock to clearing_app, clearing_operations;

/*
  The wall's time at which the service's will be `instant`: when a job is due. The clock is held until the transaction ends,
  so that whoever moves it sees the jobs that were queued by it. Of a clock that stands still: never.
*/
create function clearing.wall_time_of(instant timestamptz) returns timestamptz
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  clock clearing.sandbox_clock;
begin
  if instant is null then return null; end if;
  select * into clock from clearing.sandbox_clock for share;
  if not found then return instant; end if;
  if clock.frozen_at is null then return instant - clock.offset_ms * interval '1 ms'; end if;
  return case when instant <= clock.frozen_at then clock_timestamp() else 'infinity' end;
end $$;

grant execute on function clearing.wall_time_of(timestamptz) to clearing_app, clearing_operations;

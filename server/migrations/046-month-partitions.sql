-- Loads that need the partition of one month at the same moment: who waited looks with a new snapshot. The name cache that
-- to_regclass asks may still say that there is none.
create or replace function clearing.make_month_partition(parent text, day date) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  month date := date_trunc('month', day)::date;
  child text := parent || to_char(month, '_YYYY_MM');
begin
  if parent not in ('activity', 'entry') then
    raise invalid_parameter_value using message = format('%s is not partitioned by month', parent);
  end if;
  if to_regclass('clearing.' || child) is not null then return; end if;
  perform pg_advisory_xact_lock(hashtext('clearing.' || parent));
  if exists (select from pg_class where relnamespace = 'clearing'::regnamespace and relname = child) then return; end if;
  execute format('create table clearing.%I (like clearing.%I including all)', child, parent);
  execute format('alter table clearing.%I attach partition clearing.%I for values from (%L) to (%L)',
    parent, child, month, (month + interval '1 month')::date);
end $$;

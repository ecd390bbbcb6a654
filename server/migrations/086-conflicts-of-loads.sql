-- A line whose id (or key) is kept with other contents is no duplicate: it is counted apart. The column has a default that is not
-- written into rows, and the check is for what is to come, so no row is looked at.
alter table clearing.load
  add column conflicts bigint not null default 0,
  drop constraint load_check,
  add constraint load_adds_up check (received = accepted + duplicates + conflicts + rejected) not valid;

-- History that moves in with an account may be of any day since 1900. What is from before 1970 shares one partition.
create or replace function clearing.make_month_partition(parent text, day date) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  early constant date := '1970-01-01';
  first text := case when day < early then 'minvalue' else quote_literal(date_trunc('month', day)::date) end;
  past date := case when day < early then early else (date_trunc('month', day) + interval '1 month')::date end;
  child text := parent || case when day < early then '_before_1970' else to_char(day, '_YYYY_MM') end;
begin
  if parent not in ('activity', 'entry') then
    raise invalid_parameter_value using message = format('%s is not partitioned by month', parent);
  end if;
  if to_regclass('clearing.' || child) is not null then return; end if;
  perform pg_advisory_xact_lock(hashtext('clearing.' || parent));
  if exists (select from pg_class where relnamespace = 'clearing'::regnamespace and relname = child) then return; end if;
  execute format('create table clearing.%I (like clearing.%I including all)', child, parent);
  execute format('alter table clearing.%I attach partition clearing.%I for values from (%s) to (%L)', parent, child, first, past);
end $$;

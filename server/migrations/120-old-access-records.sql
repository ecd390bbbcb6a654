-- Records of who read personal numbers may be removed when they are older than three years, by a function of the owner: the roles of the
-- service may not delete them. The policy keeps younger ones from the function too.
create policy old_rows on clearing.access_record to current_user using (at < clock_timestamp() - interval '3 years');

create function clearing.remove_access_records(before timestamptz, most integer) returns bigint
  language sql volatile security definer set search_path = pg_catalog, pg_temp
as $$
  with removed as (
    delete from clearing.access_record
    where ctid = any (array(
        select ctid from clearing.access_record
        where at < least(before, clock_timestamp() - interval '3 years') order by at limit most))
      and at < least(before, clock_timestamp() - interval '3 years')
    returning 1
  )
  select count(*) from removed
$$;
revoke all on function clearing.remove_access_records(timestamptz, integer) from public;
grant execute on function clearing.remove_access_records(timestamptz, integer) to clearing_operations;

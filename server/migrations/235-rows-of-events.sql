-- The table of rows gets a name of its own. Processes of the release before continue to use the name `event`.
alter table clearing.event rename to event_row;

-- Every event as a row. `row_id` and `row_position` are columns of the stored row: conditions on them use its indexes.
create view clearing.logged_event with (security_invoker = true) as
select
  case when place.k = 0 then stored.event_id else overlay(stored.event_id::text placing to_hex(place.k) from 36)::uuid end as event_id,
  stored.firm_id,
  stored.account_number,
  stored.sequence + place.k as sequence,
  coalesce(place.next ->> 'type', stored.type) as type,
  stored.at,
  stored.trace_id,
  coalesce(place.next -> 'content', stored.content) as content,
  stored.position + place.k as position,
  stored.transaction_id,
  stored.entity_number,
  stored.rep_code,
  stored.written_at,
  stored.event_id as row_id,
  stored.position as row_position
from clearing.event_row as stored
  cross join lateral (
    select next, (number - 1)::integer as k
    from unnest(array_prepend(null::jsonb, stored.more)) with ordinality as one (next, number)
  ) as place;
grant select on clearing.logged_event to clearing_app, clearing_operations;

-- The row of an event whose row has several.
create function clearing.event_row_id(event_id uuid) returns uuid language sql immutable parallel safe
  return overlay(event_id::text placing '0' from 36)::uuid;
revoke execute on function clearing.event_row_id(uuid) from public;
grant execute on function clearing.event_row_id(uuid) to clearing_app, clearing_operations;

-- For the release before: the columns that the table had. Its conditions use the indexes of the table for the first events of rows, and
-- `event_with_more` for the further ones, of which there are few while it still serves. The next release drops this view.
create view clearing.event with (security_invoker = true) as
select event_id, firm_id, account_number, sequence, type, at, trace_id, content, position, transaction_id, entity_number, rep_code, written_at
from clearing.event_row
union all
select overlay(stored.event_id::text placing to_hex(k::integer) from 36)::uuid, stored.firm_id, stored.account_number, stored.sequence + k,
  next ->> 'type', stored.at, stored.trace_id, next -> 'content', stored.position + k, stored.transaction_id, stored.entity_number,
  stored.rep_code, stored.written_at
from clearing.event_row as stored cross join lateral unnest(stored.more) with ordinality as one (next, k)
where stored.more is not null;
grant select, insert on clearing.event to clearing_app;
grant select, insert, delete on clearing.event to clearing_operations;

-- The release before writes single events.
create function clearing.insert_event() returns trigger language plpgsql as $$
begin
  insert into clearing.event_row (event_id, firm_id, account_number, sequence, type, at, trace_id, content,
    transaction_id, entity_number, rep_code, written_at)
  values (new.event_id, new.firm_id, coalesce(new.account_number, ''), new.sequence, new.type, new.at, new.trace_id, new.content,
    coalesce(new.transaction_id, pg_current_xact_id()), coalesce(new.entity_number, ''), coalesce(new.rep_code, ''),
    coalesce(new.written_at, clock_timestamp()));
  return new;
end $$;
create trigger insert_event instead of insert on clearing.event for each row execute function clearing.insert_event();

-- The release before removes nothing: it could remove a part of a row.
create function clearing.keep_event() returns trigger language plpgsql as $$
begin
  return null;
end $$;
create trigger keep_event instead of delete on clearing.event for each row execute function clearing.keep_event();
grant execute on function clearing.insert_event(), clearing.keep_event() to clearing_app, clearing_operations;

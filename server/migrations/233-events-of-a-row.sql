-- A row of the event log holds up to 16 events of one account that one transaction writes: the first in its columns, the others in `more`. The
-- k-th event of a row, from 0, has the row's position + k and the row's sequence + k. If a row has several events, the id of the first ends
-- with the hexadecimal digit 0 and that of the k-th with the digit k, so an event is found by the primary key of its row.
alter table clearing.event
  add column more jsonb[],
  add constraint event_more check (more is null or (cardinality(more) between 1 and 15 and event_id::text like '%0')) not valid,
  alter column position set increment by 16;

-- A holding is one row, its lots with it: they are read together, and what a line changes is written once. The view `lot` shows
-- them as rows.

alter table clearing.holding add column lots json;

-- The owner sees no rows of them otherwise.
alter table clearing.holding no force row level security;
alter table clearing.lot no force row level security;

-- In the order of relief within each account type. What is not there: `by` is the id, `order` what opened it, `start` the day
-- it was opened, `known` and `replaces` are true, `wash` is 0, `via` and `fx` are unknown.
update clearing.holding set lots = kept.lots
from (
  select account_number, sec_no, json_agg(json_strip_nulls(json_build_object(
    'id', lot_id, 'type', acct_type, 'by', nullif(opened_by, lot_id), 'via', via, 'order', nullif(order_id, opened_by),
    'quantity', trim_scale(quantity)::text, 'cost', trim_scale(cost)::text, 'known', nullif(cost_known, true),
    'opened', open_date, 'start', nullif(holding_start, open_date), 'entry', entry, 'replaces', nullif(can_replace, true),
    'wash', nullif(trim_scale(wash_added), 0)::text, 'fx', trim_scale(fx_rate)::text
  )) order by acct_type, open_date, entry, place) as lots
  from clearing.lot group by account_number, sec_no
) as kept
where kept.account_number = holding.account_number and kept.sec_no = holding.sec_no;

-- Lots without a holding would be lost.
do $$
begin
  if (select count(*) from clearing.lot) <> (select coalesce(sum(json_array_length(lots)), 0) from clearing.holding) then
    raise 'there are lots that no holding took';
  end if;
end $$;
drop table clearing.lot;
alter table clearing.holding force row level security;

create view clearing.lot with (security_invoker = true) as
  select holding.account_number, holding.sec_no, lot.id as lot_id, holding.firm_id, lot.type as acct_type,
    coalesce(lot.by, lot.id) as opened_by, lot.via, coalesce(lot."order", lot.by, lot.id) as order_id, lot.quantity, lot.cost,
    coalesce(lot.known, true) as cost_known, lot.opened as open_date, coalesce(lot.start, lot.opened) as holding_start, lot.entry,
    lot.place, coalesce(lot.replaces, true) as can_replace, coalesce(lot.wash, 0) as wash_added, lot.fx as fx_rate
  from clearing.holding cross join lateral rows from (json_to_recordset(holding.lots) as (
    id text, type smallint, by text, via text, "order" text, quantity numeric, cost numeric, known boolean, opened date, start date,
    entry bigint, replaces boolean, wash numeric, fx numeric
  )) with ordinality as lot (id, type, by, via, "order", quantity, cost, known, opened, start, entry, replaces, wash, fx, place);
grant select on clearing.lot to clearing_app, clearing_operations;

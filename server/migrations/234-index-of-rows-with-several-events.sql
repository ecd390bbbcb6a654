-- no transaction
-- For the release before, which finds the further events of rows in no other index. The next release drops it.
drop index concurrently if exists clearing.event_with_more;
create index concurrently event_with_more on clearing.event (firm_id, transaction_id) where more is not null;

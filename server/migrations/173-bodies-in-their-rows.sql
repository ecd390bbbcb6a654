-- The two bodies of a call are compressed and stay in their row, where they are one record of the log and no further entry of an
-- index. One of them was stored apart, and the other was not compressed. Columns of the usual storage would be moved apart first, and so
-- none is left. Rows that are there stay as they are.
alter table clearing.request
  alter column request_body set storage main,
  alter column answer_body set storage main,
  alter column trace_id set storage main,
  alter column client_id set storage main,
  alter column operation set storage main,
  alter column address set storage main,
  alter column error_codes set storage main,
  alter column idempotency_key set storage main;
-- A stored response of a few kB stays in its row, and the hashes beside it as well: they were moved apart to make room for it.
alter table clearing.idempotency set (toast_tuple_target = 8160);

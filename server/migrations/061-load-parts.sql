-- A batch of a load may be written by two transactions at once, each with accounts of its own. How far each part has come is
-- a row of its own, locked while the part is written; the load's own row is locked at the end alone.
create table clearing.load_part (
  load_id uuid not null references clearing.load,
  part smallint not null,
  received bigint not null default 0,
  primary key (load_id, part)
);
grant select, insert, update on clearing.load_part to clearing_operations;

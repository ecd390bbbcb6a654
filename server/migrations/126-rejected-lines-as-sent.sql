-- Rejected lines of loads as they were sent, so that a person can correct one and send it again. A table of its own: releases before this one write load_reject.
create table clearing.load_reject_line (
  load_id uuid not null references clearing.load (load_id),
  line bigint not null,
  -- A JSON object. Numbers are texts of their digits.
  sent text not null,
  primary key (load_id, line)
);
grant select, insert on clearing.load_reject_line to clearing_operations;

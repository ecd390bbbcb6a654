-- How many items waited in each queue at the end of a day, as it was last counted on that day: what today's counts are compared with.
create table clearing.queue_day (
  counted_on date not null,
  queue text not null,
  count bigint not null check (count >= 0),
  primary key (counted_on, queue)
);
grant select, insert, update, delete on clearing.queue_day to clearing_operations;

-- What became of applications, by day in US Eastern time and by firm. Days are counted once, some time after their end; until then
-- they are counted when they are asked for.
create table clearing.opening_day (
  -- 0001-01-01: all days that are no longer kept one by one.
  day date not null,
  firm_id uuid not null,
  submitted bigint not null,
  opened bigint not null,
  rejected bigint not null,
  failed bigint not null,
  primary key (day, firm_id)
);
-- The last day that was counted.
create table clearing.opening_counted (
  one boolean primary key default true check (one),
  through date not null
);
insert into clearing.opening_counted (through) values ('0001-01-01');
grant select, insert, update, delete on clearing.opening_day to clearing_operations;
grant select, update on clearing.opening_counted to clearing_operations;

-- The ids come from the service, and nothing is looked up by them.
alter table clearing.onboarding drop constraint onboarding_correlation_id_key;
-- The request, which never changes, is stored apart from the state from the beginning. With a state that grew, each row was
-- moved there at its second version, and written twice.
alter table clearing.onboarding set (toast_tuple_target = 1200);

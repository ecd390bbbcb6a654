-- What a location (a depository, a custodian bank, a clearing house) holds for the clearing firm at the end of a business day, as it
-- reported it. A location that reports a day reports all of it: what it does not name, it does not hold.
create table clearing.location_position (
  as_of date not null,
  location text not null check (length(location) between 1 and 60),
  sec_no bigint not null references clearing.security,
  -- Negative where the clearing firm owes it: written options at a clearing house.
  quantity clearing.units not null,
  load_id uuid not null,
  entered_on date not null,
  primary key (as_of, location, sec_no)
);
grant select, insert on clearing.location_position to clearing_operations;

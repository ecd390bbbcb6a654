-- Whence a load came: the name of a feed or of a file. Empty where it was not said.
alter table clearing.load add column source text not null default '';

-- Who loaded a file of a watch list and whence it came, and how many accounts a comparison with a list has before it. Empty for
-- files of earlier releases.
alter table clearing.watch_list_part add column loaded_by text not null default '';
alter table clearing.watch_list_part add column source text not null default '';
alter table clearing.rescreening add column accounts_in_all integer;

-- no transaction
-- Persons are looked for by their names in plain letters. Rows that are not filled yet have an index of their own.
drop index concurrently if exists clearing.party_name_plain;
create index concurrently party_name_plain on clearing.party (firm_id, name_plain collate "C", account_number)
  include (account_name, account_created_at) where name_plain is not null;
drop index concurrently if exists clearing.party_last_first_plain;
create index concurrently party_last_first_plain on clearing.party (firm_id, last_first_plain collate "C", account_number)
  include (account_name, account_created_at) where last_first_plain is not null;
drop index concurrently if exists clearing.party_plain_unfilled;
create index concurrently party_plain_unfilled on clearing.party (account_number)
  where name_plain is null and octet_length(name) <> length(name);

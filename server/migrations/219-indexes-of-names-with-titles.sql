-- no transaction
-- The indexes of names take the title and the time of the account along. Rows that are not filled yet have an index of their own.
drop index concurrently if exists clearing.party_name_titled;
create index concurrently party_name_titled on clearing.party (firm_id, name collate "C", account_number) include (account_name, account_created_at);
drop index concurrently if exists clearing.party_last_first_titled;
create index concurrently party_last_first_titled on clearing.party (firm_id, last_first collate "C", account_number) include (account_name, account_created_at);
drop index concurrently if exists clearing.party_unfilled;
create index concurrently party_unfilled on clearing.party (account_number) where account_name is null;
drop index concurrently if exists clearing.party_name;
drop index concurrently if exists clearing.party_last_first;

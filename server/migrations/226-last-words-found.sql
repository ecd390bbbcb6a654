-- no transaction
-- Persons are looked for by the last word of their last name. Rows that are not filled yet have an index of their own; a name of two words
-- has a last name of one word.
drop index concurrently if exists clearing.party_last_word_first;
create index concurrently party_last_word_first on clearing.party (firm_id, last_word_first collate "C", account_number)
  include (account_name, account_created_at) where last_word_first <> '';
drop index concurrently if exists clearing.party_last_word_unfilled;
create index concurrently party_last_word_unfilled on clearing.party (account_number)
  where last_word_first is null and last_first like '% % %';

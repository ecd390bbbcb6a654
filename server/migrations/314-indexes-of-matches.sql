-- no transaction
-- Matches of an entry, by firm: the accounts of a person who was confirmed as the entry.
drop index concurrently if exists clearing.screening_match_entry;
create index concurrently screening_match_entry on clearing.screening_match (list_name, entry_id, firm_id) where dropped_at is null;
-- Confirmations whose person is not yet in clearing.listed_person.
drop index concurrently if exists clearing.screening_match_confirmed;
create index concurrently screening_match_confirmed on clearing.screening_match (match_id) where decision = 'Confirmed';
-- Clearances in the order in which they end.
drop index concurrently if exists clearing.screening_match_expires;
create index concurrently screening_match_expires on clearing.screening_match (expires_at, match_id) where decision = 'Cleared' and dropped_at is null;

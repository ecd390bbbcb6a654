-- no transaction
-- Announcements whose lines are being reversed after an amendment are examined too.
drop index concurrently if exists clearing.announcement_with_work;
create index concurrently announcement_with_work on clearing.announcement (ex_date, external_id) where state in ('Announced', 'Amending', 'Cancelling');
drop index concurrently if exists clearing.announcement_open;

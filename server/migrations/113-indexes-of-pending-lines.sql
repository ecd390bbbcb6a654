-- no transaction
-- The lists of pending lines of a firm and of an account.

drop index concurrently if exists clearing.pending_line_of_firm;
create index concurrently pending_line_of_firm on clearing.pending_line (firm_id, trade_date, account_number, external_id);
drop index concurrently if exists clearing.pending_line_of_account;
create index concurrently pending_line_of_account on clearing.pending_line (account_number, trade_date, external_id);

-- Firms read their own pending lines, of all accounts or of one.
create policy firm_rows on clearing.pending_line for select to clearing_app using (firm_id = clearing.current_firm());
grant select on clearing.pending_line to clearing_app;
create index pending_line_of_firm on clearing.pending_line (firm_id, trade_date, account_number, external_id);
create index pending_line_of_account on clearing.pending_line (account_number, trade_date, external_id);

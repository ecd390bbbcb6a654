-- Firms read their own pending lines, of all accounts or of one.
create policy firm_rows on clearing.pending_line for select to clearing_app using (firm_id = clearing.current_firm());
grant select on clearing.pending_line to clearing_app;

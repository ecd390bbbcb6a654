-- Spin-offs count for the prices of all firms: a price from before one contains what has left. A firm does not see whose line reported it.
grant select (sec_no, trans_type, effective_date, entered_on) on clearing.corporate_action to clearing_app;
create policy market_rows on clearing.corporate_action for select to clearing_app using (true);
create trigger note_insert after insert on clearing.corporate_action referencing new table as written
  for each statement execute function clearing.note_market_change();
create trigger note_delete after delete on clearing.corporate_action referencing old table as written
  for each statement execute function clearing.note_market_change();

-- no transaction
-- Open breaks of rebills whose original may be in another account of the firm.
drop index concurrently if exists clearing.books_break_rebill;
create index concurrently books_break_rebill on clearing.books_break (firm_id)
  where resolved_at is null and kind in ('UnknownOriginal', 'RebillWithoutCancel');

-- Shares of an action without a choice are booked on the ex-date. An earlier release stored the pay date for them.
update clearing.announcement set book_on = ex_date
where state in ('Announced', 'Amending') and deadline is null and book_on > ex_date
  and type in ('StockDividend', 'Split', 'Spinoff', 'Merger', 'NameChange')
  and not jsonb_path_exists(options, '$[*].cashPerShare');

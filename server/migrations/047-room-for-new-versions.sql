-- A batch of a load changes the rows of most of a firm's accounts in one transaction, and what they were stays until it
-- ends. Pages with room for as many versions again keep the new one beside the old, and no index has to be told: of the
-- updates of a load every second one found no room. New pages are filled so; those that are there, once they are rewritten.
alter table clearing.account set (fillfactor = 50);
alter table clearing.account_books set (fillfactor = 50);
alter table clearing.cash_balance set (fillfactor = 50);
alter table clearing.holding set (fillfactor = 50);

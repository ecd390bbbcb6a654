-- A break is a row of its account, as everything else in the books: its key begins with the account's number, so that the
-- table can be spread by accounts and a batch's breaks lie together.
alter table clearing.books_break drop constraint books_break_pkey;
alter table clearing.books_break add primary key (account_number, break_id);

-- The terms of a security that converts into stock: the symbol of the stock, and the shares for one share of the security or for
-- 1,000 of face value of a bond. A table of its own: the release before writes whole rows of `security`, and knows their columns.
create table clearing.conversion_terms (
  sec_no bigint primary key references clearing.security,
  converts_to text not null check (length(converts_to) between 1 and 10),
  conversion_ratio numeric not null check (conversion_ratio > 0 and conversion_ratio < 1e18 and scale(conversion_ratio) <= 10)
);
grant select, insert, update, delete on clearing.conversion_terms to clearing_operations;
grant select on clearing.conversion_terms to clearing_app;

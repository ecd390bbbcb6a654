-- The security that `underlying` of an option or `convertsTo` of a convertible named, once an identifier of that security has
-- changed or the line named it otherwise. Without a row, the security that has the identifier counts.
create table clearing.named_underlying (
  sec_no bigint primary key,
  -- The identifier. A row counts only while the security has it.
  name text not null,
  underlying_no bigint not null
);
grant select, insert, update, delete on clearing.named_underlying to clearing_operations;
grant select on clearing.named_underlying to clearing_app;
-- An ISIN has 12 characters.
alter table clearing.conversion_terms drop constraint conversion_terms_converts_to_check;
alter table clearing.conversion_terms
  add constraint conversion_terms_converts_to_check check (length(converts_to) between 1 and 12) not valid;

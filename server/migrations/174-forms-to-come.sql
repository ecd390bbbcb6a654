-- What the next release writes, and this one reads already (decision 130).
-- Both bodies of a call, compressed together; the two columns of text are empty then.
alter table clearing.request add column bodies bytea;
alter table clearing.request alter column bodies set storage main;
-- The record of an account in the row of its version from the beginning. When another version follows, the end of this one is entered.
grant update (status, valid_from, valid_to, superseded_on) on clearing.account_version to clearing_app, clearing_operations;

-- An application has no masked request of its own any more: the first version of its account says it. The record of an account may be in
-- the row of its version, where this release reads it and the next one writes it (decisions 130 and 142). Rows that are there stay as they are.
alter table clearing.account drop constraint account_check;
alter table clearing.onboarding alter column request drop not null;

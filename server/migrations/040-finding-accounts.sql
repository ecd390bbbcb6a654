-- Finding accounts again: in the order of a time, of the title or of the number, and by the names of their persons. Each index begins
-- with the firm and ends with the account number, so that a page begins where the page before it ended.

create index account_created on clearing.account (firm_id, created_at, account_number);
create index account_updated on clearing.account (firm_id, updated_at, account_number);
create index account_opened on clearing.account (firm_id, opened_at, account_number) where opened_at is not null;
create index account_title on clearing.account (firm_id, account_name collate "C", account_number);
create index account_rep_code on clearing.account (firm_id, rep_code, created_at, account_number);
create index account_registration on clearing.account (firm_id, registration_type, created_at, account_number);

-- A person is looked for by how the name begins, first name first or last name first.
alter table clearing.party add column last_first text not null default '';

-- The policies speak of the service's roles, so the owner would see no rows.
alter table clearing.party no force row level security;
alter table clearing.account no force row level security;
update clearing.party set last_first = concat_ws(' ', nullif(person ->> 'lastName', ''), nullif(person ->> 'firstName', ''),
    nullif(person ->> 'middleName', ''), nullif(person ->> 'suffix', ''))
  from clearing.account,
    jsonb_array_elements(
      jsonb_build_array(account.record -> 'primaryOwner') || (account.record -> 'associatedParties') || (account.record -> 'beneficiaries')
    ) as person
  where account.account_number = party.account_number and person ->> 'customerId' = party.customer_id;
alter table clearing.party force row level security;
alter table clearing.account force row level security;

create index party_name on clearing.party (firm_id, name collate "C", account_number);
create index party_last_first on clearing.party (firm_id, last_first collate "C", account_number);

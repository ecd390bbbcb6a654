-- Why a change of a record was requested, and by whom if another person approved it. Null for changes of earlier releases.
alter table clearing.account_change add column reason text;
alter table clearing.account_change add column requested_by text;

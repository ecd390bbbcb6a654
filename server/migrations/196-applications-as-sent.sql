-- The application as it was sent, sealed, beside the change that it made. Changes of the release before have none.
alter table clearing.account_change add column sent bytea;

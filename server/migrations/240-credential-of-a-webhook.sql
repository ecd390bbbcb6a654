-- The credential that created the webhook or last changed its address. Null for webhooks of earlier builds.
alter table clearing.webhook add column address_set_by text;

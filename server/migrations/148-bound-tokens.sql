-- Whether each token of a credential must be bound to a key or a certificate of the client.
alter table clearing.credential add column bound_tokens boolean not null default false;

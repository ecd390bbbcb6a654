-- Networks from which a credential may be used; none: from anywhere.
alter table clearing.credential add column address_ranges text[] not null default '{}';

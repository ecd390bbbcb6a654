-- Why a person of the staff asked for unmasked personal numbers. Empty for credentials of programs, and for readings before this column.
alter table clearing.access_record add column reason text not null default '';

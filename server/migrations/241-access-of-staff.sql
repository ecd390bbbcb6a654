-- The person or credential that last gave a member of the staff access (created, role, password, second factor, enabled), and when.
alter table clearing.staff add column access_given_by text, add column access_given_at timestamptz;

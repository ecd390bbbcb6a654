-- The day on which a tax form was signed, as the reviewer read it on the form: its validity counts from this day. Null if the reviewer did not state it.
alter table clearing.document add column signed_on date;

-- People see where they are signed in.

alter table clearing.staff_session
  add column address text not null default '' check (length(address) <= 45),
  add column browser text not null default '' check (length(browser) <= 200);

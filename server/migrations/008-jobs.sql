-- Which workers of the job queue live: a worker that has not been seen for a while is dead, and its jobs are given to others.

create table clearing.worker_lease (
  worker_id text primary key,
  seen_at timestamptz not null
);

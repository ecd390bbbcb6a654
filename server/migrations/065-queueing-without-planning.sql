-- Queueing a job looks for one of the same key, and the queue's own function has that planned anew at each call: longer than all the
-- rest of it takes. One plan does for every job.
alter function clearing.queue_job(text, json, text, timestamptz, text, integer) set plan_cache_mode = force_generic_plan;

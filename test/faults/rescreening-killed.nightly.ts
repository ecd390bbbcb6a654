/** The comparison of names with a new list is killed twenty times: see rescreening-killed.test.ts. */
process.env.KILL_ROUNDS ??= '20'
await import('./rescreening-killed.test.ts')

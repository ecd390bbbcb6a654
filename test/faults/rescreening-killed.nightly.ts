/** The service is killed twenty times while it compares names with a new list: see rescreening-killed.test.ts. */
process.env.KILL_ROUNDS ??= '20'
await import('./rescreening-killed.test.ts')

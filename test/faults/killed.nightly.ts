/** The service is killed a hundred times under load: see killed.test.ts. */
process.env.KILL_ROUNDS ??= '100'
await import('./killed.test.ts')

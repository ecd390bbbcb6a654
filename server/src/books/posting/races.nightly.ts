/** A thousand rounds of concurrent sales: see races.test.ts. */
process.env.RACE_ROUNDS ??= '1000'
await import('./races.test.ts')

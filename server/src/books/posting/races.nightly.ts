/** A thousand rounds of sales at once: see races.test.ts. */
process.env.RACE_ROUNDS ??= '1000'
await import('./races.test.ts')

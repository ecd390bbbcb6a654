/** The first start of the sandbox is killed ten times before it ends: see demonstration.test.ts. */
process.env.KILLS ??= '10'
await import('./demonstration.test.ts')

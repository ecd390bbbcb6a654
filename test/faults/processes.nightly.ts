/** A process beside another is killed ten times under load: see processes.test.ts. */
process.env.KILLS ??= '10'
await import('./processes.test.ts')

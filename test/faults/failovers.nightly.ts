/** Twenty primaries are killed in sequence under load, and their standbys promoted: see failover.test.ts. */
process.env.FAILOVERS ??= '20'
await import('./failover.test.ts')

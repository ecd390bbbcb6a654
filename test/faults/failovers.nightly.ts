/**
 * Twenty primaries are killed one after the other under load, and their standbys promoted: see failover.test.ts.
 */
process.env.FAILOVERS ??= '20'
await import('./failover.test.ts')

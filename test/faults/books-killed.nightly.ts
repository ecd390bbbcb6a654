/** A load of two hundred thousand lines is killed: see books-killed.test.ts. */
process.env.KILL_LINES ??= '200000'
await import('./books-killed.test.ts')

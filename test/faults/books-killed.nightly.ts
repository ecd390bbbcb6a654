/** The test of books-killed.test.ts with a load of two hundred thousand lines. */
process.env.KILL_LINES ??= '200000'
await import('./books-killed.test.ts')

/** The start of the service is interrupted twenty times: see stopped.test.ts. */
process.env.STOPS ??= '20'
await import('./stopped.test.ts')

/** Loaded before the service: causes an uncaught rejection on SIGUSR2. */
process.on('SIGUSR2', () => {
  void Promise.reject(new Error('made by the test'))
})

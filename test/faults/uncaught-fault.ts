/** Loaded before the service: makes an uncaught rejection at SIGUSR2. */
process.on('SIGUSR2', () => {
  void Promise.reject(new Error('made by the test'))
})

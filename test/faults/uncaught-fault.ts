/** Loaded before the service: a rejection that nobody catches, at SIGUSR2. */
process.on('SIGUSR2', () => {
  void Promise.reject(new Error('made by the test'))
})

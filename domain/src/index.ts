/** The rules of the Clearing Account Service: pure functions without a clock, randomness, input or output. */
export * from './account/index.ts'
export * from './onboarding/index.ts'

/** The rules of the Clearing Account Service: pure functions, no clock, no chance, no input or output. */
export * from './account/index.ts'
export * from './onboarding/index.ts'

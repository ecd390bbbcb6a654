/** OpenAPI and what follows from it, as pure functions of the contract. */
export { type CodeSample, renderCodeSamples } from './code-samples.ts'
export { contractVersion, type OpenApiSettings, renderOpenApi } from './document.ts'
export { renderPostmanCollection } from './postman.ts'

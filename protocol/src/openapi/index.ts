/** OpenAPI and its derivatives, as pure functions of the contract. */
export { renderArazzo } from './arazzo.ts'
export { renderAsyncApi } from './asyncapi.ts'
export { type CodeSample, renderCodeSamples } from './code-samples.ts'
export { describeCallers } from './describe-callers.ts'
export { describeYours } from './describe-yours.ts'
export { contractVersion, type OpenApiSettings, renderOpenApi } from './document.ts'
export { renderOpenApi30 } from './openapi-30.ts'
export { renderPostmanCollection } from './postman.ts'

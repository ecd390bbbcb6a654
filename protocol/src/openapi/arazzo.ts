/**
 * The Arazzo 1.0 document: the main flows of a client firm as workflows over the operations of the contract, for tools
 * that run or show them. The inputs have the values of the sandbox as defaults.
 */
import { pathOf } from '../operation.ts'
import { newAccountExample } from '../operations/examples.ts'
import { type OperationName, operations } from '../operations/index.ts'
import { contractVersion } from './document.ts'
import { compact, type JsonObject } from './schema-json.ts'

const source = 'clearing'
const tokenStep = 'token'

const credentialInputs = {
  clientId: { type: 'string', default: 'alpha' },
  clientSecret: { type: 'string', format: 'password', default: 'alpha-sandbox-secret' },
}

interface Step {
  readonly id: string
  readonly operation: OperationName
  readonly request: JsonObject
  readonly criteria?: readonly string[]
  readonly outputs?: Readonly<Record<string, string>>
  /** The call is repeated twice a second until the criteria hold. */
  readonly again?: boolean
}

interface Workflow {
  readonly id: string
  readonly summary: string
  readonly inputs?: JsonObject
  readonly steps: readonly Step[]
  readonly outputs?: Readonly<Record<string, string>>
}

const repeatsMax = 240
const repeatSeconds = 0.5

const workflows: readonly Workflow[] = [
  {
    id: 'open-account',
    summary: 'Open an account, follow its onboarding to the end, and read it.',
    inputs: {
      lastName: { type: 'string', default: newAccountExample.primaryOwner.lastName },
      taxIdNumber: { type: 'string', default: newAccountExample.primaryOwner.taxIdNumber },
    },
    steps: [
      {
        id: 'submit',
        operation: 'new-account',
        request: {
          ...newAccountExample,
          primaryOwner: {
            ...newAccountExample.primaryOwner,
            lastName: '$inputs.lastName',
            taxIdNumber: '$inputs.taxIdNumber',
          },
        },
        outputs: { accountNumber: '$response.body#/data/message/accountNumber' },
      },
      {
        id: 'follow',
        operation: 'onboarding-result',
        request: { accountNumber: '$steps.submit.outputs.accountNumber' },
        criteria: ["$response.body#/data/currentState == 'CreationComplete'"],
        again: true,
      },
      {
        id: 'read',
        operation: 'get-account',
        request: { accountNumber: '$steps.submit.outputs.accountNumber' },
        criteria: ["$response.body#/data/accountStatus == 'Open'"],
      },
    ],
    outputs: { accountNumber: '$steps.submit.outputs.accountNumber' },
  },
  {
    id: 'find-documents',
    summary:
      'Find the documents of an account. A scenario of the sandbox opens an account whose requested document was added and approved.',
    steps: [
      {
        id: 'play',
        operation: 'run-scenario',
        request: { name: 'address-document' },
        outputs: { accountNumber: '$response.body#/data/accountNumber' },
      },
      {
        id: 'find',
        operation: 'get-document-details',
        request: { accountNumber: '$steps.play.outputs.accountNumber' },
        criteria: ["$response.body#/data/documents/0/reference == 'UTIL'"],
        outputs: { documentId: '$response.body#/data/documents/0/documentId' },
      },
    ],
    outputs: { documentId: '$steps.find.outputs.documentId' },
  },
  {
    id: 'read-events',
    summary: 'Read the events of an account, page by page.',
    inputs: { accountNumber: { type: 'string', default: '30100001' } },
    steps: [
      {
        id: 'first',
        operation: 'list-events',
        request: { accountNumber: '$inputs.accountNumber', size: 2 },
        outputs: { next: '$response.body#/data/next' },
      },
      {
        id: 'further',
        operation: 'list-events',
        request: { accountNumber: '$inputs.accountNumber', after: '$steps.first.outputs.next' },
      },
    ],
  },
]

/** Renders the document. Its source is `openapi.json` beside it. */
export function renderArazzo(): JsonObject {
  return {
    arazzo: '1.0.1',
    info: {
      title: 'Clearing Account Service',
      version: contractVersion,
      description: 'The main flows of a client firm. The inputs have the values of the sandbox as defaults.',
    },
    sourceDescriptions: [{ name: source, url: './openapi.json', type: 'openapi' }],
    workflows: workflows.map(({ id, summary, inputs = {}, steps, outputs }) =>
      compact({
        workflowId: id,
        summary,
        inputs: { type: 'object', properties: { ...credentialInputs, ...inputs } },
        steps: [renderTokenStep(), ...steps.map(renderStep)],
        outputs,
      }),
    ),
  }
}

function operationOf(path: string): JsonObject {
  const pointer = path.replaceAll('~', '~0').replaceAll('/', '~1')
  return { operationPath: `{$sourceDescriptions.${source}.url}#/paths/${pointer}/post` }
}

const isSuccess = { condition: '$statusCode == 200' }

function renderTokenStep(): JsonObject {
  return {
    stepId: tokenStep,
    description: 'Get an access token.',
    ...operationOf('/identity/connect/token'),
    requestBody: {
      contentType: 'application/x-www-form-urlencoded',
      payload: {
        grant_type: 'client_credentials',
        client_id: '$inputs.clientId',
        client_secret: '$inputs.clientSecret',
      },
    },
    successCriteria: [isSuccess],
    outputs: { accessToken: '$response.body#/access_token' },
  }
}

function renderStep({
  id,
  operation: name,
  request,
  criteria = [],
  outputs,
  again = false,
}: Step): JsonObject {
  const { summary, audience } = operations[name]
  const retry = { name: 'wait', type: 'retry', retryAfter: repeatSeconds, retryLimit: repeatsMax }
  return compact({
    stepId: id,
    description: `${summary}.`,
    ...operationOf(pathOf(name, audience)),
    parameters: [
      { name: 'Authorization', in: 'header', value: `Bearer {$steps.${tokenStep}.outputs.accessToken}` },
    ],
    requestBody: { contentType: 'application/json', payload: request },
    successCriteria: [isSuccess, ...criteria.map((condition) => ({ condition }))],
    onFailure: again ? [retry] : undefined,
    outputs,
  })
}

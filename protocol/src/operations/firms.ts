/** Client firms and their credentials; for the clearing firm's operations. */
import Type from 'typebox'
import { block, code, codes, entityNumber, list, optional, repCode, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { credentialShape, firmShape, issuedCredentialShape } from '../shapes/firm.ts'
import { exampleIds } from './examples.ts'

const strict = { additionalProperties: false }
const firmId = () => words(36, { description: 'The firm, a UUID.' })
const clientId = () => words(64, { description: 'The credential.' })

const operations = { audience: 'operations', scope: 'operations', body: 'json', origin: 'extension' } as const

/** Settings of a firm; each has a default (docs/guides/firms.md). */
const firmSettingsRequest = block({
  duplicateApplications: optional(code('duplicatePolicy')),
  documentCatalogueClosed: optional(Type.Boolean()),
  requestsPerSecond: optional(Type.Integer({ minimum: 1, maximum: limits.rateRequestsPerSecondMax })),
  changesNeedingApproval: optional(
    codes('approvalSubject', {
      description: 'What takes effect only when a second person of operations approves it, whoever asks.',
    }),
  ),
})

export const createFirm = defineOperation({
  ...operations,
  summary: 'Create a client firm',
  description: 'A firm with its entity numbers and rep codes; its keys are made with it.',
  writes: true,
  request: block({
    name: words(60),
    entityNumbers: list(entityNumber()),
    repCodes: list(repCode()),
    settings: optional(firmSettingsRequest),
  }),
  data: firmShape,
  examples: [
    { title: 'A firm', request: { name: 'Gamma Advisers', entityNumbers: ['303'], repCodes: ['GA01'] } },
  ],
})

export const updateFirm = defineOperation({
  ...operations,
  summary: 'Change a client firm',
  description:
    'Adds entity numbers and rep codes, changes settings, disables or enables the firm. A disabled firm’s tokens stop working within five seconds.',
  writes: true,
  request: block({
    firmId: firmId(),
    name: optional(words(60)),
    addEntityNumbers: optional(list(entityNumber())),
    addRepCodes: optional(list(repCode())),
    settings: optional(firmSettingsRequest),
    disabled: optional(Type.Boolean()),
  }),
  data: firmShape,
  examples: [
    {
      title: 'Another rep code, and two persons for names',
      request: {
        firmId: exampleIds.firm,
        addRepCodes: ['GA02'],
        settings: { changesNeedingApproval: ['Names'] },
      },
      yours: { firmId: 'list-firms' },
    },
  ],
})

export const createCredential = defineOperation({
  ...operations,
  summary: 'Create a credential of a firm',
  description:
    'Answers the client id and, this once, the secret. Without `scopes` it is granted all that a firm may have.',
  writes: true,
  request: block({
    firmId: firmId(),
    clientId: optional(clientId()),
    name: words(60),
    scopes: optional(list(code('scope'))),
  }),
  data: issuedCredentialShape,
  examples: [
    {
      title: 'One that reads',
      request: {
        firmId: exampleIds.firm,
        name: 'Nightly reports',
        scopes: ['accounts:read', 'positions:read', 'activity:read'],
      },
      yours: { firmId: 'list-firms' },
    },
  ],
})

export const rotateCredential = defineOperation({
  ...operations,
  summary: 'Give a credential a new secret',
  description:
    'The old secret goes on working for `overlapHours` (24 by default, 0 ends it at once), so that it can be replaced without an outage.',
  writes: true,
  request: block({
    clientId: clientId(),
    overlapHours: optional(Type.Integer({ minimum: 0, maximum: limits.secretOverlapHoursMax })),
  }),
  data: issuedCredentialShape,
  examples: [{ title: 'With a day for both', request: { clientId: 'beta', overlapHours: 24 } }],
})

/** A public key as RFC 7517 writes it; a member of a private half is refused as unknown. */
const publicKeyRequest = block({
  kty: words(10, { examples: ['EC'] }),
  kid: words(100, { description: 'The name that the client’s assertions give in their header.' }),
  alg: optional(words(10)),
  use: optional(words(10)),
  crv: optional(words(20)),
  x: optional(words(200)),
  y: optional(words(200)),
  n: optional(words(1_500)),
  e: optional(words(20)),
})

export const replaceClientKeys = defineOperation({
  ...operations,
  summary: 'Give a credential public keys',
  description:
    'From then on the client signs its token requests (`private_key_jwt`, RFC 7523: ES256, PS256 or EdDSA) with one of the private halves, and its secrets ' +
    'are refused. The keys given replace those before; to change them without an outage send old and new together. No keys: its secrets count again. ' +
    'Tokens that were given live on.',
  writes: true,
  request: block({ clientId: clientId(), keys: optional(list(publicKeyRequest)) }),
  data: Type.Object(
    {
      ...credentialShape.properties,
      keyIds: Type.Array(Type.String(), { description: 'The `kid` of each public key.' }),
    },
    strict,
  ),
  examples: [
    {
      title: 'One key',
      request: {
        clientId: 'gamma-reports',
        keys: [
          {
            kty: 'EC',
            kid: '2026-11',
            crv: 'P-256',
            x: 'zUtCY-8582WvX_7MuBiwX2earJsPCsIDmnhPVb2vLGo',
            y: '9JEpQTSBLtavd9Nt4z5h4JBKhafS4oERoA4QssN8JAE',
          },
        ],
      },
      yours: { clientId: 'create-credential' },
    },
  ],
})

export const disableCredential = defineOperation({
  ...operations,
  summary: 'Disable a credential',
  description:
    'Its tokens stop working within five seconds on every instance; `disabled: false` enables it again.',
  writes: true,
  request: block({ clientId: clientId(), disabled: optional(Type.Boolean({ default: true })) }),
  data: credentialShape,
  examples: [
    {
      title: 'At once',
      request: { clientId: 'gamma-reports' },
      yours: { clientId: 'create-credential' },
    },
  ],
})

export const listFirms = defineOperation({
  ...operations,
  summary: 'The client firms',
  description: 'Every firm with its credentials, without secrets.',
  writes: false,
  request: block({}),
  data: Type.Object(
    {
      firms: Type.Array(
        Type.Object({ ...firmShape.properties, credentials: Type.Array(credentialShape) }, strict),
      ),
    },
    strict,
  ),
  examples: [{ title: 'All of them', request: {} }],
})

/** Operations of the clearing firm on client firms and their credentials. */
import Type from 'typebox'
import { listOf } from '../answered-values.ts'
import { accountNumber, block, code, codes, entityNumber, list, optional, repCode, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { credentialShape, firmShape, issuedCredentialShape } from '../shapes/firm.ts'
import { exampleIds } from './examples.ts'

const strict = { additionalProperties: false }
function firmId() {
  return words(36, { description: 'ID of the firm, a UUID.' })
}
function nameOfFirm() {
  return words(60, { description: 'Name of the firm.' })
}
function clientId() {
  return words(64, { description: 'ID of the credential.' })
}

const operations = { audience: 'operations', scope: 'operations', body: 'json', origin: 'extension' } as const

/** They outlive the credential, its secrets and its keys. */
const webhooksSet = Type.Array(
  Type.Object(
    {
      webhookId: Type.String({ format: 'uuid', description: 'ID of the webhook.' }),
      url: Type.String({ format: 'uri', description: 'Address to which events are sent.' }),
      disabled: Type.Boolean({ description: 'Whether no events are sent.' }),
    },
    strict,
  ),
  { description: 'The webhooks that the credential created, or whose address it changed.' },
)

/** The settings of a firm. Each has a default (docs/guides/firms.md). */
const firmSettingsRequest = block(
  {
    duplicateApplications: optional(
      code('duplicatePolicy', {
        description:
          'What happens to a second application with the same registration type and the same tax id and birth date; of an entity, with the same tax id. The default is Flag.',
      }),
    ),
    documentCatalogueClosed: optional(
      Type.Boolean({
        description:
          'Whether documents are rejected whose type and reference are not in the catalogue. The default is false.',
      }),
    ),
    requestsPerSecond: optional(
      Type.Integer({
        description: `Requests per second of each client of the firm, on each machine of the service. The default is ${limits.rateRequestsPerSecond}.`,
        minimum: 1,
        maximum: limits.rateRequestsPerSecondMax,
      }),
    ),
    keysOnly: optional(
      Type.Boolean({
        description:
          'Whether the credentials of the firm must sign their token requests (`private_key_jwt`). Secrets, and the tokens of credentials without keys, are then rejected.',
      }),
    ),
    changesNeedingApproval: optional(
      codes('approvalSubject', {
        description:
          'Subjects of change that take effect only after the approval of a second person of operations, including requests of the firm. `Screening` and `ReviewedFacts` add ' +
          'nothing: a change with new watch-list matches always waits until they are cleared, and one with a fact that account policy has operations review waits until ' +
          'it is approved.',
      }),
    ),
  },
  { description: 'Settings of the firm. An omitted setting keeps its value.' },
)

export const createFirm = defineOperation({
  ...operations,
  summary: 'Create a client firm',
  description: 'Creates a firm with its entity numbers and rep codes, and generates its encryption keys.',
  writes: true,
  request: block({
    name: nameOfFirm(),
    entityNumbers: list(entityNumber(), { description: 'The entity numbers of the firm, at least one.' }),
    repCodes: list(repCode(), { description: 'The codes of its representatives, at least one.' }),
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
    'Adds entity numbers and rep codes, changes settings, disables or enables the firm. The tokens of a disabled firm stop working within five seconds.',
  writes: true,
  request: block({
    firmId: firmId(),
    name: optional(nameOfFirm()),
    addEntityNumbers: optional(list(entityNumber(), { description: 'Entity numbers that the firm gains.' })),
    addRepCodes: optional(list(repCode(), { description: 'Codes of representatives that the firm gains.' })),
    settings: optional(firmSettingsRequest),
    disabled: optional(Type.Boolean({ description: 'True to disable the firm, false to enable it again.' })),
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
    'Returns the client id and the secret, which is shown only once. Without `scopes`, the credential is granted every scope that a firm can have.',
  writes: true,
  request: block({
    firmId: firmId(),
    clientId: optional(
      words(64, {
        description: 'ID of the new credential. By default, the service generates one.',
      }),
    ),
    name: words(60, { description: 'Name of the credential, for people.' }),
    scopes: optional(
      list(code('scope'), {
        description: 'The scopes of the credential. The default is every scope that the firm can have.',
      }),
    ),
  }),
  data: issuedCredentialShape,
  examples: [
    {
      title: 'A read-only credential',
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
  summary: 'Rotate the secret of a credential',
  description:
    'Returns the new secret, which is shown only once. The old secret remains valid for `overlapHours` (24 by default), so that the secret can be replaced without an ' +
    'outage. With 0, the old secret ends at once, with every token that was issued before. Webhooks outlive the secret: the response lists those that the credential ' +
    'created or whose address it changed.',
  writes: true,
  request: block({
    clientId: clientId(),
    overlapHours: optional(
      Type.Integer({
        description: 'For how many hours the old secret remains valid. The default is 24.',
        minimum: 0,
        maximum: limits.secretOverlapHoursMax,
      }),
    ),
  }),
  data: Type.Object({ ...issuedCredentialShape.properties, webhooks: webhooksSet }, strict),
  examples: [{ title: 'With an overlap of one day', request: { clientId: 'beta', overlapHours: 24 } }],
})

/** A public key (RFC 7517). A member of the private key is rejected as unknown. */
const publicKeyRequest = block({
  kty: words(10, { description: 'Type of the key: `EC`, `RSA` or `OKP`.', examples: ['EC'] }),
  kid: words(100, { description: 'The key id that the client names in the header of its assertions.' }),
  alg: optional(words(10, { description: 'Algorithm of the key: `ES256`, `PS256` or `EdDSA`.' })),
  use: optional(words(10, { description: 'Use of the key: `sig`.' })),
  crv: optional(
    words(20, { description: 'Curve of the key: `P-256` of an EC key, `Ed25519` of an OKP key.' }),
  ),
  x: optional(
    words(200, { description: 'X coordinate of an EC key, or the public key of an OKP key; base64url.' }),
  ),
  y: optional(words(200, { description: 'Y coordinate of an EC key, base64url.' })),
  n: optional(words(1_500, { description: 'Modulus of an RSA key, base64url.' })),
  e: optional(words(20, { description: 'Exponent of an RSA key, base64url.' })),
  key_ops: optional(
    list(words(20), { description: 'Uses of the key, as Web Crypto exports them. Ignored.' }),
  ),
  ext: optional(
    Type.Boolean({ description: 'Whether the key can be exported, as Web Crypto states it. Ignored.' }),
  ),
  x5u: optional(words(2_000, { description: 'Address of a certificate. Ignored.' })),
  x5c: optional(list(words(10_000), { description: 'Certificates of the key. Ignored.' })),
  x5t: optional(words(100, { description: 'Digest of a certificate. Ignored.' })),
})

export const replaceClientKeys = defineOperation({
  ...operations,
  summary: 'Replace the public keys of a credential',
  description:
    'Sets the public keys of a credential. From then on the client signs its token requests (`private_key_jwt`, RFC 7523: ES256, PS256 or EdDSA) with one of the ' +
    'private keys, and its secrets are rejected. The request replaces all earlier keys; to change keys without an outage, send the old and the new keys together. An ' +
    'empty list makes the secrets valid again. Tokens that were issued before remain valid, unless `endTokens` ends them on every instance within five seconds. ' +
    'Webhooks outlive the keys: the response lists those that the credential created or whose address it changed.',
  writes: true,
  request: block({
    clientId: clientId(),
    keys: optional(
      list(publicKeyRequest, {
        description: 'The public keys, which replace all earlier ones. The default is none.',
      }),
    ),
    endTokens: optional(
      Type.Boolean({
        description: 'Ends the tokens that were issued before, as after a leak.',
        default: false,
      }),
    ),
  }),
  data: Type.Object(
    {
      ...credentialShape.properties,
      keyIds: Type.Array(Type.String(), { description: 'The `kid` of each public key.' }),
      webhooks: webhooksSet,
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
    'Disables a credential. Its tokens stop working within five seconds on every instance. `disabled: false` enables it again. Webhooks outlive the credential: the ' +
    'response lists those that it created or whose address it changed, and `endWebhooks` disables them in the same act. The firm can enable them again.',
  writes: true,
  request: block({
    clientId: clientId(),
    disabled: optional(
      Type.Boolean({
        description: 'True to disable the credential, false to enable it again.',
        default: true,
      }),
    ),
    endWebhooks: optional(
      Type.Boolean({
        description: 'Disables the webhooks that the credential created, or whose address it changed.',
        default: false,
      }),
    ),
  }),
  data: Type.Object(
    {
      ...credentialShape.properties,
      webhooks: webhooksSet,
    },
    strict,
  ),
  examples: [
    {
      title: 'At once',
      request: { clientId: 'gamma-reports' },
      yours: { clientId: 'create-credential' },
    },
  ],
})

export const updateCredential = defineOperation({
  ...operations,
  summary: 'Change a credential',
  description:
    'Sets the networks from which a credential may request tokens and call, and whether its tokens must be bound to a key of the client. A call from another address ' +
    '(ERR.2029), or with a token that is not bound, is rejected within five seconds on every instance, even with a token that was issued before. An omitted member keeps its value.',
  writes: true,
  request: block({
    clientId: clientId(),
    addressRanges: optional(
      list(
        words(43, {
          description:
            'An IPv4 or IPv6 address, or a network in CIDR notation: `203.0.113.0/24`, `2001:db8::/32`.',
        }),
        {
          description:
            'The networks from which the credential may be used. An empty list allows every address.',
        },
      ),
    ),
    boundTokens: optional(
      Type.Boolean({
        description:
          'Whether every token of the credential must be bound to a key (`cnf`), by a DPoP proof (RFC 9449) with the token request or the TLS certificate of the client (RFC 8705). If false, a token is bound only when the request has a proof.',
      }),
    ),
  }),
  data: credentialShape,
  examples: [
    {
      title: 'From two networks alone',
      request: { clientId: 'gamma-reports', addressRanges: ['203.0.113.0/24', '2001:db8:12::/48'] },
      yours: { clientId: 'create-credential' },
    },
  ],
})

export const listFirms = defineOperation({
  ...operations,
  summary: 'List client firms',
  description: 'Returns every firm with its credentials, without secrets.',
  writes: false,
  request: block({}),
  data: Type.Object(
    {
      firms: Type.Array(
        Type.Object(
          {
            ...firmShape.properties,
            credentials: listOf(credentialShape, 'The credentials of the firm.'),
          },
          strict,
        ),
        { description: 'The firms.' },
      ),
    },
    strict,
  ),
  examples: [{ title: 'All of them', request: {} }],
})

export const listCells = defineOperation({
  ...operations,
  summary: 'List cells, or find the cell of a name',
  description:
    'Returns the cells of the directory with the account numbers that they assign. With an account number, an entity number, a rep code or a client id, returns only the cells that have all of them. ' +
    'An account number selects the cell that assigns it, whether or not the account exists, or the cell to which the firm of the account has moved. An installation without cells returns none.',
  writes: false,
  request: block({
    accountNumber: optional(accountNumber()),
    entityNumber: optional(entityNumber()),
    repCode: optional(repCode()),
    clientId: optional(clientId()),
    moved: optional(Type.Boolean({ description: 'Whether to name the accounts of firms that have moved.' })),
  }),
  data: Type.Object(
    {
      cells: Type.Array(
        Type.Object(
          {
            name: Type.String({
              description:
                'Name of the cell. The router sends a request with the header `Clearing-Cell: {name}` to it.',
            }),
            firstNumber: Type.String({
              description: 'The lowest first two digits of its account numbers.',
            }),
            lastNumber: Type.String({ description: 'The highest first two digits of its account numbers.' }),
            answers: Type.Boolean({ description: 'Whether this cell answers the request.' }),
            movedAccounts: Type.Optional(
              Type.Array(Type.String(), {
                description:
                  'With `moved`: its account numbers that another cell assigned before their firms moved to this cell.',
              }),
            ),
          },
          strict,
        ),
        { description: 'The cells of the directory; empty in an installation without cells.' },
      ),
    },
    strict,
  ),
  examples: [
    { title: 'All of them', request: {} },
    { title: 'The cell of an account', request: { accountNumber: '30100001' } },
  ],
})

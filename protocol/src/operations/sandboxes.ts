/** Operations that create, list and delete isolated sandboxes. */
import Type from 'typebox'
import { block, optional, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'

const strict = { additionalProperties: false }
const control = { audience: 'sandbox', body: 'json', origin: 'extension' } as const
const changing = { ...control, scope: 'accounts:write', writes: true } as const

const sandboxMembers = {
  sandboxId: Type.String({ description: 'The id of the sandbox, a part of its address.' }),
  name: Type.String({ description: 'The name that the caller gave it.' }),
  baseUrl: Type.String({ description: 'The address of the sandbox. Every path of the API is below it.' }),
  createdOn: Type.String({ format: 'date-time', description: 'When it was created.' }),
  expiresOn: Type.String({
    format: 'date-time',
    description: 'When the sandbox is removed if no call arrives until then. Each call moves the time.',
  }),
}

export const createSandbox = defineOperation({
  ...changing,
  summary: 'Create an isolated sandbox',
  description:
    'Creates a sandbox with its own data, clock, prices, snapshots, faults and rate limits, at an address of its own. Nothing that is done in it is seen in another sandbox. ' +
    'It has the firms and credentials of a new sandbox. Every person who knows its address can use it, so treat the address as a secret. ' +
    `A firm has at most ${limits.sandboxesPerFirmMax} sandboxes. A sandbox is removed when it has had no call for \`idleMinutes\`.`,
  request: block({
    name: optional(words(60, { description: 'A name for list-sandboxes, such as the number of a build.' })),
    demonstration: optional(
      Type.Boolean({ description: 'Whether it has the demonstration accounts. The default is false.' }),
    ),
    idleMinutes: optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.sandboxIdleMinutesMax,
        description: `The default is ${limits.sandboxIdleMinutesDefault}.`,
      }),
    ),
  }),
  data: Type.Object(
    {
      ...sandboxMembers,
      credentials: Type.Array(
        Type.Object(
          {
            firm: Type.String({ description: 'Name of the firm of the credential.' }),
            clientId: Type.String({ description: 'The `client_id` of token requests.' }),
            clientSecret: Type.String({ description: 'The `client_secret` of token requests.' }),
            entityNumbers: Type.Array(Type.String(), { description: 'The entity numbers of the firm.' }),
            repCodes: Type.Array(Type.String(), { description: 'The representatives of the firm.' }),
          },
          strict,
        ),
        { description: 'The credentials of the sandbox. They work at its address only.' },
      ),
    },
    strict,
  ),
  examples: [{ title: 'A sandbox for a build', request: { name: 'build 4711', idleMinutes: 30 } }],
})

export const listSandboxes = defineOperation({
  ...control,
  scope: 'accounts:read',
  writes: false,
  summary: 'List isolated sandboxes',
  description: 'Returns the isolated sandboxes that the firm created; for operations, those of all firms.',
  request: block({}),
  data: Type.Object(
    {
      sandboxes: Type.Array(Type.Object(sandboxMembers, strict), { description: 'The isolated sandboxes.' }),
    },
    strict,
  ),
  examples: [{ title: 'All of them', request: {} }],
})

export const deleteSandbox = defineOperation({
  ...changing,
  summary: 'Delete an isolated sandbox',
  description:
    'Deletes a sandbox with everything in it. Running calls of the sandbox are completed first, for a few seconds.',
  request: block({
    sandboxId: Type.String({
      description: 'ID of the sandbox, as list-sandboxes returns it.',
      maxLength: 40,
      examples: ['mzxw6ytboi2dgnbvgy3t'],
    }),
  }),
  data: Type.Object({ sandboxId: Type.String({ description: 'ID of the deleted sandbox.' }) }, strict),
  examples: [
    {
      title: 'The sandbox of a build',
      request: { sandboxId: 'mzxw6ytboi2dgnbvgy3t' },
      yours: { sandboxId: 'create-sandbox' },
    },
  ],
})

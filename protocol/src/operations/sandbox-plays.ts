/** What the sandbox plays and makes: scenarios, trading, prices that move, events. */
import Type from 'typebox'
import { accountNumber, block, code, entityNumber, list, optional, text, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'

const strict = { additionalProperties: false }
const control = { audience: 'sandbox', body: 'json', origin: 'extension' } as const
const changing = { ...control, scope: 'accounts:write', writes: true } as const

const stepShape = Type.Object(
  {
    does: Type.String({
      description: 'submit, add-document, decide-document, decide-match or decide-onboarding.',
    }),
    reference: Type.Optional(Type.String({ description: 'Of the document that is added.' })),
    displayName: Type.Optional(Type.String()),
    decision: Type.Optional(Type.String()),
    reaches: Type.String({ description: 'The state of the onboarding after it.' }),
    followUp: Type.Optional(Type.String({ description: 'The status of the newest follow-up after it.' })),
  },
  strict,
)
const scenarioMembers = {
  name: Type.String(),
  effect: Type.String({ description: 'What happens, in a line.' }),
}

export const listScenarios = defineOperation({
  ...control,
  scope: 'accounts:read',
  writes: false,
  summary: 'List scenarios',
  description:
    'What the sandbox can play: the values of the primary owner that choose each outcome, the steps to its end, and the operations that show what came of it. ' +
    'Open an account with these values yourself, or let run-scenario do it.',
  request: block({}),
  data: Type.Object(
    {
      scenarios: Type.Array(
        Type.Object(
          {
            ...scenarioMembers,
            owner: Type.Record(Type.String(), Type.String(), {
              description: 'Members of primaryOwner; all others are as you like.',
            }),
            steps: Type.Array(stepShape),
            lookAt: Type.Array(Type.String({ description: 'Operations that show what came of it.' })),
          },
          strict,
        ),
      ),
    },
    strict,
  ),
  examples: [{ title: 'All of them', request: {} }],
})

export const runScenario = defineOperation({
  ...changing,
  summary: 'Play a scenario',
  description:
    'Opens an account for a made-up person with the values of the scenario, through the same operations that you have, and follows it to the scenario’s end: adds ' +
    'the documents that are asked for, takes the decisions. Answers what was made and where to look. Operations name the firm by `entityNumber`.',
  request: block({
    name: Type.String({ maxLength: 40, examples: ['address-document'] }),
    entityNumber: optional(entityNumber()),
  }),
  data: Type.Object(
    {
      ...scenarioMembers,
      accountNumber: Type.String(),
      currentState: Type.String({ description: 'Of the onboarding now.' }),
      steps: Type.Array(
        Type.Object(
          {
            does: Type.String(),
            currentState: Type.String({ description: 'What was reached.' }),
            documentId: Type.Optional(Type.String({ description: 'Of the document that was added.' })),
            asExpected: Type.Boolean(),
          },
          strict,
        ),
      ),
      lookAt: Type.Array(
        Type.Object(
          {
            path: Type.String(),
            request: Type.Record(Type.String(), Type.String(), { description: 'What to send there.' }),
          },
          strict,
        ),
      ),
    },
    strict,
  ),
  examples: [{ title: 'A document is asked for', request: { name: 'address-document' } }],
})

export const addTrades = defineOperation({
  ...changing,
  summary: 'Add trades',
  description:
    'Random trading for an account, so that there is something to see: a deposit that pays for it, buys, and sells of what was bought, on market days of the last ' +
    'month, in US stocks that have a price. The same seed on the same business day makes the same trades, and sent again changes nothing.',
  request: block({
    accountNumber: accountNumber(),
    count: optional(
      Type.Integer({ minimum: 1, maximum: limits.sandboxTradesMax, description: '20 when absent.' }),
    ),
    seed: optional(words(40, { description: 'Any text; one by chance when absent.' })),
  }),
  data: Type.Object(
    {
      accountNumber: Type.String(),
      seed: Type.String({ description: 'Makes the same trades again.' }),
      dateFrom: Type.String({ format: 'date', description: 'Of the first trade.' }),
      dateTo: Type.String({ format: 'date', description: 'Of the last trade.' }),
      symbols: Type.Array(Type.String()),
      loadId: Type.String({ description: 'The load that posted them: see get-load.' }),
      received: Type.Integer({ description: 'Lines: the trades and the deposit.' }),
      accepted: Type.Integer(),
      duplicates: Type.Integer(),
      conflicts: Type.Integer(),
      rejected: Type.Integer(),
    },
    strict,
  ),
  examples: [
    { title: 'Twenty trades', request: { accountNumber: '30100008', count: 20, seed: 'an example' } },
  ],
})

export const movePrices = defineOperation({
  ...changing,
  summary: 'Move prices',
  description:
    'Gives securities a new price of this moment, a percentage away from their last one, for every firm: of the symbols that are named, or of all. Money market ' +
    'funds stay. Positions, margin and calls follow.',
  request: block({
    percent: Type.Number({ minimum: -99, maximum: 1_000, examples: [-12.5] }),
    symbols: optional(list(text(20))),
  }),
  data: Type.Object(
    {
      pricedOn: Type.String({ format: 'date-time', description: 'The time of the new prices.' }),
      count: Type.Integer({ description: 'Securities that have a new price.' }),
      prices: Type.Array(
        Type.Object(
          {
            symbol: Type.String(),
            before: Type.String({ description: 'The price before, exact.' }),
            after: Type.String({ description: 'The new price, exact, with four decimals at most.' }),
          },
          strict,
        ),
        { description: 'The first hundred of them.' },
      ),
    },
    strict,
  ),
  examples: [{ title: 'Everything falls', request: { percent: -5 } }],
})

export const emitEvent = defineOperation({
  ...changing,
  summary: 'Emit an event',
  description:
    'Writes an event of any type into the log, so that what pulls, streams or is sent events can be tried. Nothing else happens: its `data` has `emitted: true`, ' +
    'and the note.',
  request: block({
    type: code('eventType'),
    accountNumber: optional(
      accountNumber({ description: 'Required but for events of the firm as a whole.' }),
    ),
    note: optional(words(limits.noteLengthMax)),
  }),
  data: Type.Object(
    {
      type: Type.String(),
      accountNumber: Type.String(),
      time: Type.String({ format: 'date-time', description: 'In the sandbox’s time.' }),
    },
    strict,
  ),
  examples: [{ title: 'A day is closed', request: { type: 'business_day.closed' } }],
})

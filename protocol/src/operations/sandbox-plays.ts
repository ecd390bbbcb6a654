/** Operations of the sandbox that run scenarios, generate trades, move prices and emit events. */
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
      description: '`submit`, `add-document`, `decide-document`, `decide-match` or `decide-onboarding`.',
    }),
    reference: Type.Optional(Type.String({ description: 'Reference of the document that the step adds.' })),
    displayName: Type.Optional(Type.String({ description: 'Name of the document that the step adds.' })),
    decision: Type.Optional(Type.String({ description: 'The decision that the step makes.' })),
    reaches: Type.String({ description: 'The state of the onboarding after the step.' }),
    followUp: Type.Optional(
      Type.String({ description: 'The status of the newest follow-up after the step.' }),
    ),
  },
  strict,
)
const scenarioMembers = {
  name: Type.String({ description: 'Name of the scenario.' }),
  effect: Type.String({ description: 'What happens in the scenario, in one line.' }),
}

export const listScenarios = defineOperation({
  ...control,
  scope: 'accounts:read',
  writes: false,
  summary: 'List scenarios',
  description:
    'Returns the scenarios of the sandbox: the values of the primary owner that select each outcome, the steps to its end, and the operations that show the result. ' +
    'Open an account with these values yourself, or call run-scenario.',
  request: block({}),
  data: Type.Object(
    {
      scenarios: Type.Array(
        Type.Object(
          {
            ...scenarioMembers,
            owner: Type.Record(Type.String(), Type.String(), {
              description: 'Members of primaryOwner that select the scenario. All other members are free.',
            }),
            steps: Type.Array(stepShape, { description: 'The steps, in their order.' }),
            lookAt: Type.Array(Type.String(), { description: 'Operations that show the result.' }),
          },
          strict,
        ),
        { description: 'The scenarios.' },
      ),
    },
    strict,
  ),
  examples: [{ title: 'All of them', request: {} }],
})

export const runScenario = defineOperation({
  ...changing,
  summary: 'Run a scenario',
  description:
    'Opens an account for a fictitious person with the values of the scenario, through the same operations that clients call, and carries out its steps to the end: ' +
    'adds the requested documents and takes the decisions. Returns what was created and which operations show it. Operations of the clearing firm name the firm by ' +
    '`entityNumber`.',
  request: block({
    name: Type.String({
      description: 'Name of the scenario, as list-scenarios returns it.',
      maxLength: 40,
      examples: ['address-document'],
    }),
    entityNumber: optional(
      entityNumber({
        description: 'Entity number of the account. Operations of the clearing firm select the firm by it.',
      }),
    ),
  }),
  data: Type.Object(
    {
      ...scenarioMembers,
      accountNumber: Type.String({ description: 'The account of the scenario.' }),
      currentState: Type.String({ description: 'The current state of the onboarding.' }),
      steps: Type.Array(
        Type.Object(
          {
            does: Type.String({ description: 'What the step does.' }),
            currentState: Type.String({ description: 'The state that the step reached.' }),
            documentId: Type.Optional(
              Type.String({ description: 'ID of the document that the step added.' }),
            ),
            asExpected: Type.Boolean({ description: 'Whether the step had the expected result.' }),
          },
          strict,
        ),
        { description: 'The steps that were carried out, in their order.' },
      ),
      lookAt: Type.Array(
        Type.Object(
          {
            path: Type.String({ description: 'Path of the operation.' }),
            request: Type.Record(Type.String(), Type.String(), { description: 'The request to send.' }),
          },
          strict,
        ),
        { description: 'Operations that show the result.' },
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
    'Generates random trades for an account: a deposit that pays for them, purchases, and sales of purchased shares, on market days of the last month, in US stocks ' +
    'that have a price. The last one is of the open business day. The same seed on the same business day generates the same trades; a repeated request changes nothing.',
  request: block({
    accountNumber: accountNumber(),
    count: optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.sandboxTradesMax,
        description: 'Number of trades. The default is 20.',
      }),
    ),
    seed: optional(words(40, { description: 'Any text. The default is a random seed.' })),
  }),
  data: Type.Object(
    {
      accountNumber: Type.String({ description: 'The account that traded.' }),
      seed: Type.String({ description: 'The seed that generates the same trades again.' }),
      dateFrom: Type.String({ format: 'date', description: 'Date of the first trade.' }),
      dateTo: Type.String({ format: 'date', description: 'Date of the last trade.' }),
      symbols: Type.Array(Type.String(), { description: 'The securities that were traded.' }),
      loadId: Type.String({ description: 'The load that posted the trades: see get-load.' }),
      received: Type.Integer({ description: 'Number of posted lines: the trades and the deposit.' }),
      accepted: Type.Integer({ description: 'Lines that were booked.' }),
      duplicates: Type.Integer({ description: 'Lines that were booked before.' }),
      conflicts: Type.Integer({ description: 'Lines that differ from a booked line of their id.' }),
      rejected: Type.Integer({ description: 'Lines that were rejected.' }),
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
    'Sets a new price as of now for securities, a percentage away from their last price, for all firms: for the named symbols, or for all securities. Prices of ' +
    'money market funds do not change. Positions, margin and margin calls follow.',
  request: block({
    percent: Type.Number({
      description: 'By how many percent the prices change; negative to lower them.',
      minimum: -99,
      maximum: 1_000,
      examples: [-12.5],
    }),
    symbols: optional(
      list(text(20), { description: 'Ticker symbols of the securities. The default is all securities.' }),
    ),
  }),
  data: Type.Object(
    {
      pricedOn: Type.String({ format: 'date-time', description: 'The time of the new prices.' }),
      count: Type.Integer({ description: 'Number of securities with a new price.' }),
      prices: Type.Array(
        Type.Object(
          {
            symbol: Type.String({ description: 'Ticker symbol.' }),
            before: Type.String({ description: 'The previous price, exact.' }),
            after: Type.String({ description: 'The new price, exact, with at most four decimals.' }),
          },
          strict,
        ),
        { description: 'The first hundred securities.' },
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
    'Writes an event of any type into the log, to test clients that pull, stream or receive events. The event has no other effect: its `data` is an example of the ' +
    'type, with `emitted: true` and the note.',
  request: block({
    type: code('eventType', { description: 'Type of the event.' }),
    accountNumber: optional(
      accountNumber({ description: 'Required, except for events of the firm as a whole.' }),
    ),
    note: optional(words(limits.noteLengthMax, { description: 'A note in the data of the event.' })),
  }),
  data: Type.Object(
    {
      type: Type.String({ description: 'Type of the event.' }),
      accountNumber: Type.String({ description: 'Account of the event; empty if it concerns none.' }),
      time: Type.String({
        format: 'date-time',
        description: 'The time of the event by the sandbox’s clock.',
      }),
    },
    strict,
  ),
  examples: [{ title: 'Close of a business day', request: { type: 'business_day.closed' } }],
})

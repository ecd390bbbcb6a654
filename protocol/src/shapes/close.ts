/** Closes of business days, running and finished, with their steps and checklist. */
import Type from 'typebox'
import { day, orNull, textOf, time, wholeOf } from '../answered-values.ts'
import { answeredCode } from '../field.ts'
import { limits } from '../limits.ts'

const strict = { additionalProperties: false }
/** The open items that a close found, and who accepted them. */
export const checklistMembers = {
  checklist: Type.Array(
    Type.Object(
      {
        item: answeredCode('closeItem', { description: 'What was checked.' }),
        severity: orNull(answeredCode('severity'), {
          description: 'How severe an open item is; null for an item that is listed for information.',
        }),
        count: wholeOf('Number of items.'),
        open: Type.Boolean({ description: 'Whether a close must accept the item explicitly.' }),
        detail: Type.String({ description: 'Examples of the open items; can be empty.' }),
        names: Type.Optional(
          Type.Array(Type.String(), {
            description: `Names of all the securities without a current price, the oldest price first, at most ${limits.checkItemNamesMax}. Absent for other items, and in a close.`,
          }),
        ),
        oldestOn: Type.Optional(
          orNull(time(), {
            description: 'Since when the oldest item is open. Null for prices and where nothing is open.',
          }),
        ),
        owners: Type.Optional(
          Type.Array(Type.String(), {
            description: 'Who started the loads or has claimed the work, at most five for each kind.',
          }),
        ),
      },
      strict,
    ),
    {
      description:
        'Every item that a close checks, with breaks once for each severity. Later versions may add items.',
    },
  ),
  acceptedOpen: orNull(
    Type.Object(
      {
        reason: textOf('Why the day was closed despite its open items.'),
        by: textOf('The person or credential that accepted the open items.'),
        approvedBy: textOf('The second person; empty if no approval was needed.'),
      },
      strict,
    ),
    { description: 'Who accepted the open items; null if no one did.' },
  ),
}

/** The steps of a close. */
export const closeStepsShape = Type.Array(
  Type.Object(
    {
      step: answeredCode('closeStep', { description: 'The step.' }),
      state: textOf('`Waiting`, `Running` or `Done`.'),
      durationMs: wholeOf('Work of all connections on the step, in milliseconds.'),
    },
    strict,
  ),
  { description: 'The steps of the close, in their order.' },
)

/** The figures of a close. */
export const closeFigures = {
  accounts: wholeOf('Number of accounts with books.'),
  positions: wholeOf('Number of positions that the close sealed.'),
  callsIssued: wholeOf('Number of margin calls that the close issued.'),
  callsMet: wholeOf('Number of margin calls that the close found met.'),
}

/** A running or finished close of a business day. */
export const closeShape = Type.Object(
  {
    closedDate: day('The business day.'),
    step: Type.String({ description: 'The current step; `Closed` after the last.' }),
    ...closeFigures,
    startedOn: time('When the close began.'),
    closedOn: orNull(time(), {
      description: 'When the close ended; null while it runs.',
    }),
    steps: closeStepsShape,
    ...checklistMembers,
  },
  strict,
)

/** A finished close with the outcomes of applications on its day. */
export const finishedCloseShape = Type.Object(
  {
    closedDate: day('The business day.'),
    startedOn: time('When the close began.'),
    closedOn: time('When the close ended.'),
    tookMs: Type.Integer({ description: 'Milliseconds of work on all steps.' }),
    ...closeFigures,
    acceptedOpen: Type.Boolean({ description: 'Whether a person accepted open items.' }),
    provedOn: orNull(time(), {
      description: 'When the seal of the day was last proved; null before the first proof.',
    }),
    opened: Type.Integer({ description: 'Applications that were opened on the day.' }),
    rejected: Type.Integer({ description: 'Applications that were rejected or failed on the day.' }),
  },
  strict,
)

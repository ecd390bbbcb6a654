/** Operations on the watch lists that names are screened against. */
import Type from 'typebox'
import { block, code, optional, words } from '../field.ts'
import { defineOperation } from '../operation.ts'
import { watchListExample } from './examples.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', origin: 'extension' } as const
const listNameLengthMax = 40

const file = { listName: words(listNameLengthMax), part: optional(code('watchListPart')) }
const lines = {
  received: Type.Integer(),
  accepted: Type.Integer(),
  rejected: Type.Integer(),
  rejects: Type.Array(
    Type.Object(
      { line: Type.Integer(), code: Type.String(), field: Type.String(), reason: Type.String() },
      strict,
    ),
  ),
}

export const listWatchLists = defineOperation({
  ...operations,
  summary: 'List watch lists',
  description:
    'Returns the watch lists in force with the files that make them, and the last comparison of each with the names of all open accounts: its progress and its results.',
  writes: false,
  body: 'json',
  request: block({}),
  data: Type.Object(
    {
      lists: Type.Array(
        Type.Object(
          {
            listName: Type.String(),
            listVersion: Type.String({ description: 'Names the list and a digest of its entries.' }),
            entries: Type.Integer(),
            loadedOn: Type.String({ format: 'date-time' }),
            files: Type.Array(
              Type.Object(
                {
                  part: Type.String({ 'x-code-list': 'watchListPart' }),
                  source: Type.String({
                    description: 'The name of the file or of the feed, as the load gave it.',
                  }),
                  loadedBy: Type.String(),
                  loadedOn: Type.String({ format: 'date-time' }),
                  size: Type.Integer({ description: 'In bytes.' }),
                  digest: Type.String({ description: 'SHA-256 of the file, in hexadecimal digits.' }),
                },
                strict,
              ),
            ),
            comparison: Type.Union([
              Type.Object(
                {
                  listVersion: Type.String(),
                  gained: Type.Integer({ description: 'Number of entries that are new or changed.' }),
                  accounts: Type.Integer({ description: 'Number of accounts that were compared so far.' }),
                  accountsInAll: Type.Union([Type.Integer(), Type.Null()], {
                    description: 'Number of open accounts when the comparison began.',
                  }),
                  matches: Type.Integer(),
                  restricted: Type.Integer({
                    description: 'Number of accounts that were restricted at once.',
                  }),
                  startedBy: Type.String(),
                  startedOn: Type.String({ format: 'date-time' }),
                  endedOn: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
                },
                strict,
              ),
              Type.Null(),
            ]),
          },
          strict,
        ),
      ),
    },
    strict,
  ),
  examples: [{ title: 'All of them', request: {} }],
})

export const compareWatchList = defineOperation({
  ...operations,
  summary: 'Compare a watch list with the one in force',
  description:
    'Returns what load-watch-list would change: the entries that a file adds to the list, removes from it and changes. Nothing is stored.',
  writes: false,
  body: 'lines',
  request: block(file),
  data: Type.Object(
    {
      listName: Type.String(),
      listVersion: Type.String({ description: 'Of the list with the file.' }),
      currentVersion: Type.String({ description: 'Of the list in force; empty for a new list.' }),
      entries: Type.Integer({ description: 'Number of entries of the list with the file.' }),
      added: Type.Integer(),
      removed: Type.Integer(),
      changed: Type.Integer(),
      differences: Type.Array(
        Type.Object(
          {
            entryId: Type.String(),
            difference: Type.String({ description: 'Added, Removed or Changed.' }),
            name: Type.String(),
            before: Type.String({ description: 'The entry before the change, in the words of the list.' }),
            after: Type.String(),
          },
          strict,
        ),
        { description: 'At most 100 of each kind.' },
      ),
      ...lines,
    },
    strict,
  ),
  examples: [
    { title: 'A list of one person', request: { listName: 'OWN', part: 'sdn' }, lines: watchListExample },
  ],
})

export const loadWatchList = defineOperation({
  ...operations,
  summary: 'Load a watch list',
  description:
    'Loads the lines of a list in the layout of the OFAC SDN file (`sdn.csv`); `part` names which of the four files the body is. The list becomes the current watch ' +
    'list when its `sdn` part is loaded. New and changed entries are compared with the names of all open accounts: an exact name with its birth date or a document ' +
    'restricts the account at once (IdentityUnderReview), and every match waits for a decision.',
  writes: true,
  body: 'lines',
  request: block({
    ...file,
    source: optional(words(200, { description: 'The name of the file or of the feed.' })),
  }),
  data: Type.Object(
    {
      listName: Type.String(),
      listVersion: Type.String(),
      gained: Type.Integer({ description: 'Number of entries that are new or changed.' }),
      ...lines,
    },
    strict,
  ),
  examples: [
    {
      title: 'A list of one person',
      request: { listName: 'OWN', part: 'sdn' },
      lines: watchListExample,
    },
  ],
})

/** Operations on the watch lists that names are screened against. */
import Type from 'typebox'
import { listOf, orNull, textOf, time, wholeOf } from '../answered-values.ts'
import { block, code, optional, words } from '../field.ts'
import { defineOperation } from '../operation.ts'
import { rejectedLineShape } from '../shapes/load.ts'
import { watchListExample } from './examples.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', origin: 'extension' } as const
const listNameLengthMax = 40

const file = {
  listName: words(listNameLengthMax, {
    description: 'Name of the list: letters, digits, - and _. Letter case does not matter.',
  }),
  part: optional(code('watchListPart', { description: 'The file of the list. The default is `sdn`.' })),
}
const lines = {
  received: wholeOf('Number of lines of the file.'),
  accepted: wholeOf('Number of lines that were read.'),
  rejected: wholeOf('Number of lines that were not read.'),
  rejects: listOf(rejectedLineShape, 'The first 1,000 lines that were not read.'),
}

const nameOfList = textOf('Name of the list, in upper case.')
const versionOfList = textOf('Version of the list: its name and a digest of its entries.')

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
            listName: nameOfList,
            listVersion: versionOfList,
            entries: wholeOf('Number of entries.'),
            loadedOn: time('When a file of the list was last loaded.'),
            files: Type.Array(
              Type.Object(
                {
                  part: Type.String({
                    'x-code-list': 'watchListPart',
                    description: 'Which file of the list it is.',
                  }),
                  source: Type.String({
                    description: 'The name of the file or of the feed, as the load gave it.',
                  }),
                  loadedBy: textOf('The person or credential that loaded the file.'),
                  loadedOn: time('When the file was loaded.'),
                  size: Type.Integer({ description: 'In bytes.' }),
                  digest: Type.String({ description: 'SHA-256 of the file, in hexadecimal digits.' }),
                },
                strict,
              ),
              { description: 'The files that make the list.' },
            ),
            comparison: Type.Union(
              [
                Type.Object(
                  {
                    listVersion: textOf('The version of the list that is compared.'),
                    gained: Type.Integer({ description: 'Number of entries that are new or changed.' }),
                    accounts: Type.Integer({ description: 'Number of accounts that were compared so far.' }),
                    accountsInAll: Type.Union([Type.Integer(), Type.Null()], {
                      description:
                        'Number of open accounts when the comparison began; null for comparisons of earlier releases.',
                    }),
                    matches: wholeOf('Number of matches that were found so far.'),
                    restricted: Type.Integer({
                      description: 'Number of accounts that were restricted at once.',
                    }),
                    startedBy: textOf('The person or credential that loaded the file.'),
                    startedOn: time('When the comparison began.'),
                    endedOn: orNull(time(), {
                      description: 'When the comparison ended; null while it runs.',
                    }),
                  },
                  strict,
                ),
                Type.Null(),
              ],
              {
                description:
                  'The last comparison with the names of open accounts; null if no load had new or changed entries.',
              },
            ),
          },
          strict,
        ),
        { description: 'The lists in force, ordered by name.' },
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
      listName: nameOfList,
      listVersion: textOf('Version of the list with the file.'),
      currentVersion: textOf('Version of the list in force; empty for a new list.'),
      entries: Type.Integer({ description: 'Number of entries of the list with the file.' }),
      added: wholeOf('Number of entries that the file adds.'),
      removed: wholeOf('Number of entries that the file removes.'),
      changed: wholeOf('Number of entries that the file changes.'),
      differences: Type.Array(
        Type.Object(
          {
            entryId: textOf('ID of the entry in its list.'),
            difference: Type.String({ description: 'Added, Removed or Changed.' }),
            name: textOf('The first name of the entry on the list.'),
            before: textOf('What the entry loses, in the words of the list; can be empty.'),
            after: textOf('What the entry gains, in the words of the list; can be empty.'),
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
      listName: nameOfList,
      listVersion: versionOfList,
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

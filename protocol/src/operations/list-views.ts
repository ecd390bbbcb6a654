/** Operations on the views of lists that the staff save. */
import Type from 'typebox'
import { listOf, time } from '../answered-values.ts'
import { block, optional, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { exampleIds } from './examples.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', body: 'json', origin: 'extension' } as const

function screen() {
  return words(limits.viewNameLengthMax, {
    description: 'Path of the screen in the console.',
    examples: ['/work'],
  })
}

const viewShape = Type.Object(
  {
    viewId: Type.String({ format: 'uuid', description: 'ID of the view.' }),
    screen: Type.String({ description: 'Path of the screen in the console.' }),
    name: Type.String({ description: 'Name of the view.' }),
    shared: Type.Boolean({ description: 'Whether all staff see the view.' }),
    search: Type.String({
      description: 'Query part of the address of the screen: filters, order, columns and density.',
    }),
    ownedBy: Type.String({ description: 'E-mail address of the person who saved the view.' }),
    savedOn: time('When the view was last saved.'),
  },
  strict,
)

export const listViews = defineOperation({
  ...operations,
  summary: 'List saved views',
  description:
    'Returns the views of the caller and the shared views of others, of one screen or of all, ordered by name.',
  writes: false,
  request: block({ screen: optional(screen()) }),
  data: Type.Object({ views: listOf(viewShape, 'The views, ordered by name.') }, strict),
  examples: [{ title: 'Of the inbox', request: { screen: '/work' } }],
})

export const saveView = defineOperation({
  ...operations,
  summary: 'Save a view of a list',
  description:
    'Saves the filters, order, columns and density of a screen under a name. A view of the caller with the same screen and name is replaced.',
  writes: true,
  request: block({
    screen: screen(),
    name: words(limits.viewNameLengthMax, { description: 'A name without personal data.' }),
    shared: optional(Type.Boolean({ description: 'Shows the view to all staff. The default is false.' })),
    search: words(limits.viewSearchLengthMax, {
      description: 'Query part of the address of the screen, without the question mark.',
    }),
  }),
  data: viewShape,
  examples: [
    {
      title: 'Late documents, for all staff',
      request: {
        screen: '/work',
        name: 'Late documents',
        shared: true,
        search: 'queue=Document&waiting=late',
      },
    },
  ],
})

export const deleteView = defineOperation({
  ...operations,
  summary: 'Delete a saved view',
  description: 'Deletes a view of the caller and returns it. Views of others are rejected.',
  writes: true,
  request: block({ viewId: words(36, { description: 'ID of the view, a UUID.' }) }),
  data: viewShape,
  examples: [
    {
      title: 'One of mine',
      request: { viewId: exampleIds.view },
      yours: { viewId: 'save-view' },
    },
  ],
})

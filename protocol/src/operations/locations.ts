/**
 * Operations that compare the positions of customers with what depositories, custodian banks and clearing houses hold.
 */
import Type from 'typebox'
import { day, namesOfSecurity, textOf } from '../answered-values.ts'
import { block } from '../field.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'
import { correctionNote, linesNote, load } from './books.ts'
import { locationPositionsExample } from './examples.ts'

const strict = { additionalProperties: false }

export const loadLocationPositions = defineOperation({
  ...load,
  summary: 'Load positions of locations',
  description:
    'Loads what depositories, custodian banks and clearing houses hold for the clearing firm at the end of a business day: location, asOfDate, an identifier of the security, quantity. The report of a location ' +
    'for a day must be complete. The close of that day compares the sum of the locations with the settled positions of the customers; ' +
    `\`list-location-differences\` lists the differences.${linesNote}${correctionNote}`,
  examples: [{ title: 'Two positions at a depository', request: {}, lines: locationPositionsExample }],
})

export const listLocationDifferences = defineOperation({
  audience: 'operations',
  scope: 'operations',
  origin: 'extension',
  summary: 'List differences with locations',
  description:
    'Compares what the locations reported for the open business day with the settled positions of the customers, and returns the securities of which they hold more or less. Without a report for the ' +
    'day there is nothing to compare; `close-checklist` names the locations whose report is missing.',
  writes: false,
  body: 'json',
  request: block({ ...pageOf() }),
  data: Type.Object(
    {
      businessDate: day('The business day that is open.'),
      differences: Type.Array(
        Type.Object(
          {
            ...namesOfSecurity,
            booked: textOf('The settled quantity of the customers at the end of the day, long less short.'),
            reported: textOf('The sum of the locations.'),
            difference: textOf('`reported` less `booked`.'),
            locations: Type.Array(
              Type.Object(
                {
                  location: textOf('Name of the location.'),
                  quantity: textOf('The quantity that it reported.'),
                },
                strict,
              ),
              { description: 'The reports of the locations for the security.' },
            ),
          },
          strict,
        ),
        { description: 'The securities of the page. Quantities are decimal numbers.' },
      ),
      next,
    },
    strict,
  ),
  examples: [{ title: 'The first page', request: { size: 50 } }],
})

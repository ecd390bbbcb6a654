/** A watch-list match, and the entry of the list to compare it with. */
import Type from 'typebox'
import { listOf, numberOfAccount, ofFirm, orNull, textOf, time, wholeOf } from '../answered-values.ts'

const strict = { additionalProperties: false }

const matchMembers = {
  matchId: textOf('ID of the match, a UUID.'),
  accountNumber: numberOfAccount,
  firmId: ofFirm.firmId,
  foundOn: time('When the match was found, or opened again after a clearance or a change.'),
  customerId: textOf('Customer number of the party or beneficiary whose name or address matches.'),
  listName: textOf('Name of the list; a name in lower case is that of a rule of the service.'),
  entryId: textOf('ID of the entry in its list.'),
  listVersion: textOf('The list and the version of its entries with which the match was found.'),
  score: wholeOf('How likely it is the listed person or entity, from 0 to 100.'),
  matchedName: textOf('The name on the list that matches.'),
  field: Type.String({
    description: 'Path of the name or address in the record; empty for older matches.',
  }),
  changeId: Type.String({
    description: 'ID of the change that waits for the decision; empty if none waits.',
  }),
  reasons: Type.Array(
    Type.Object(
      {
        field: textOf(
          'What was compared, such as `name`, `birthDate`, `country` or `idNumber`; `earlierDecision` and `confirmedPerson` name an earlier decision on the person, and `changedRecord` a change of the record while the match was open.',
        ),
        outcome: textOf('`agree`, `near` or `contradict`.'),
        detail: textOf('The comparison in words.'),
      },
      strict,
    ),
    { description: 'The reasons of the score, one for each compared field.' },
  ),
  decision: Type.String({
    description:
      '`Open`, `Cleared` or `Confirmed`; `Dropped` if none is needed any more: the change was rejected or withdrawn, or no list matches the person any more. The rejection or withdrawal of an application leaves its matches `Open`.',
  }),
  clearanceChangeId: Type.String({
    description: 'ID of the change with which a second person clears the match; empty if there is none.',
  }),
  decidedBy: textOf('Who decided on the match; empty while it is open.'),
  decidedOn: orNull(time(), { description: 'When it was decided; null while it is open.' }),
  reason: textOf('The reason of the decision; empty before it.'),
  expiresOn: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
    description: 'The day in US Eastern time on which the clearance ends; null for other decisions.',
  }),
}

export const matchShape = Type.Object(matchMembers, strict)

const entryShape = Type.Object(
  {
    kind: Type.String({ description: '`person`, `entity`, `vessel` or `aircraft`.' }),
    names: Type.Array(
      Type.Object(
        {
          name: textOf('The name.'),
          type: Type.String({ description: '`primary`, `aka`, `fka` or `nka`.' }),
          strength: Type.String({ description: '`strong` or `weak`, as the list says.' }),
        },
        strict,
      ),
      { description: 'The names of the entry.' },
    ),
    title: textOf('Title of the person, as the list says; empty without one.'),
    birthDates: listOf(Type.String(), 'Birth dates in the spelling of the list.'),
    countries: Type.Array(
      Type.Object(
        {
          country: Type.String({ description: 'ISO 3166-1 alpha-2.' }),
          basis: Type.String({
            description: '`nationality`, `citizenship`, `birthplace`, `address` or `flag`.',
          }),
        },
        strict,
      ),
      { description: 'Countries that the entry is connected with.' },
    ),
    idNumbers: Type.Array(
      Type.Object(
        {
          idType: textOf('Kind of document, in the words of the list.'),
          number: textOf('Number of the document.'),
          country: textOf('Country that issued it, ISO 3166-1 alpha-2; empty if it is unknown.'),
        },
        strict,
      ),
      { description: 'Documents of the entry.' },
    ),
    addresses: Type.Array(
      Type.Object(
        {
          street: textOf('Street; empty if the list has none.'),
          city: textOf('City; empty if the list has none.'),
          country: textOf('Country, ISO 3166-1 alpha-2; empty if it is unknown.'),
        },
        strict,
      ),
      { description: 'Addresses of the entry.' },
    ),
    programs: listOf(Type.String(), 'The sanctions programs of the entry.'),
    remarks: textOf('Remarks of the list; can be empty.'),
    changedSince: Type.Boolean({
      description: 'True if the entry has changed since the match was found.',
    }),
  },
  strict,
)

export const comparedMatchShape = Type.Object(
  {
    ...matchMembers,
    entry: Type.Union([entryShape, Type.Null()], {
      description:
        'The entry in the list in force; null if the list no longer contains it, or if a rule of the service found the match.',
    }),
  },
  strict,
)

/** Operations on the staff of the clearing firm. */
import Type from 'typebox'
import { listOf } from '../answered-values.ts'
import { block, code, optional, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { staffShape } from '../shapes/work.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', body: 'json', origin: 'extension' } as const
function email() {
  return words(limits.emailLengthMax, {
    description: 'The address with which the person signs in. Letter case does not matter.',
  })
}
function nameOfPerson() {
  return words(60, { description: 'Name of the person.' })
}
const answered = Type.Object(
  {
    ...staffShape.properties,
    password: Type.String({
      description:
        'A temporary password, shown only once, valid for one sign-in within 72 hours and replaced there; empty if none was generated.',
    }),
  },
  strict,
)

export const listStaff = defineOperation({
  ...operations,
  summary: 'The staff',
  description:
    'Returns the staff who can sign in to the console, and those who are disabled, ordered by e-mail address.',
  writes: false,
  request: block({}),
  data: Type.Object({ staff: listOf(staffShape, 'The staff, ordered by e-mail address.') }, strict),
  examples: [{ title: 'All of them', request: {} }],
})

export const createStaff = defineOperation({
  ...operations,
  summary: 'Add a person to the staff',
  description:
    'Adds a person and returns a temporary password, which is shown only once. Within 72 hours, the person signs in with it once and chooses another.',
  writes: true,
  request: block({
    email: email(),
    name: nameOfPerson(),
    role: code('staffRole', { description: 'Role of the person.' }),
  }),
  data: answered,
  examples: [
    {
      title: 'An operator',
      request: { email: 'ines.sato@example.com', name: 'Ines Sato', role: 'operator' },
    },
  ],
})

export const updateStaff = defineOperation({
  ...operations,
  summary: 'Change a person of the staff',
  description:
    'Changes the name or role, disables or enables the person, sets a temporary password, or removes the second factor so that a new one is enrolled. A person whose ' +
    'role changed or who was disabled is signed out everywhere.',
  writes: true,
  request: block({
    email: email(),
    name: optional(nameOfPerson()),
    role: optional(code('staffRole', { description: 'Role of the person.' })),
    disabled: optional(
      Type.Boolean({
        description: 'True to disable the person, who is signed out everywhere; false to enable the person.',
      }),
    ),
    resetPassword: optional(
      Type.Boolean({
        description: 'True to set a temporary password for another person, who is signed out everywhere.',
      }),
    ),
    resetSecondFactor: optional(
      Type.Boolean({
        description: 'True to remove the second factor of another person, who is signed out everywhere.',
      }),
    ),
    endSessions: optional(Type.Boolean({ description: 'True to sign the person out everywhere.' })),
  }),
  data: answered,
  examples: [
    {
      title: 'Another role',
      request: { email: 'ines.sato@example.com', role: 'principal' },
      yours: { email: 'create-staff' },
    },
    {
      title: 'A new password',
      request: { email: 'ines.sato@example.com', resetPassword: true },
      yours: { email: 'create-staff' },
    },
  ],
})

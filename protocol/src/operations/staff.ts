/** The clearing firm's people. */
import Type from 'typebox'
import { block, code, optional, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { staffShape } from '../shapes/work.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', body: 'json', origin: 'extension' } as const
const email = () =>
  words(limits.emailLengthMax, { description: 'By which the person signs in; letter case does not matter.' })
const answered = Type.Object(
  {
    ...staffShape.properties,
    password: Type.String({
      description: 'Shown once and replaced at the next sign-in; empty when none was made.',
    }),
  },
  strict,
)

export const listStaff = defineOperation({
  ...operations,
  summary: 'The staff',
  description: 'Everybody who may sign in to the console, or might, by e-mail address.',
  writes: false,
  request: block({}),
  data: Type.Object({ staff: Type.Array(staffShape) }, strict),
  examples: [{ title: 'All of them', request: {} }],
})

export const createStaff = defineOperation({
  ...operations,
  summary: 'Add a person to the staff',
  description: 'Answers, this once, a password with which the person signs in and chooses another.',
  writes: true,
  request: block({ email: email(), name: words(60), role: code('staffRole') }),
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
    'Another name or role, disabling and enabling, a new password, or taking the second factor away so that a new one is enrolled. A person ' +
    'whose role changed or who was disabled is signed out everywhere.',
  writes: true,
  request: block({
    email: email(),
    name: optional(words(60)),
    role: optional(code('staffRole')),
    disabled: optional(Type.Boolean()),
    resetPassword: optional(Type.Boolean()),
    resetSecondFactor: optional(Type.Boolean()),
    endSessions: optional(Type.Boolean({ description: 'Signs the person out everywhere.' })),
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

/** The operation that returns reference data: the coded lists and the error catalogue. */
import Type from 'typebox'
import { block, optional, words } from '../field.ts'
import { defineOperation } from '../operation.ts'

const strict = { additionalProperties: false }
const effect = Type.String({ description: 'refuse, ask, review, restrict or note' })

export const codeListsOperation = defineOperation({
  summary: 'List codes and errors',
  description:
    'Returns every coded list with its values, their labels and the version that added each, and the error catalogue. Values may be added at any time; a client must ' +
    'accept values that it does not know.',
  audience: 'firm',
  scope: 'accounts:read',
  writes: false,
  body: 'json',
  origin: 'extension',
  request: block({
    name: optional(words(60, { description: 'Returns this list only.', examples: ['occupation'] })),
  }),
  data: Type.Object(
    {
      codeLists: Type.Array(
        Type.Object(
          {
            name: Type.String(),
            values: Type.Array(
              Type.Object(
                {
                  value: Type.String(),
                  label: Type.String(),
                  since: Type.String(),
                  effects: Type.Optional(
                    Type.Object(
                      {
                        opening: Type.Optional(effect),
                        change: Type.Optional(effect),
                        day: Type.Optional(effect),
                      },
                      {
                        ...strict,
                        description:
                          'Of a rule of account policy: its effect on an application, on a change of an open account, and at the close of a business day. The rule does not apply at a moment that is absent.',
                      },
                    ),
                  ),
                  source: Type.Optional(
                    Type.String({
                      description: 'Of a rule of account policy: the law or reading it comes from.',
                    }),
                  ),
                },
                strict,
              ),
            ),
          },
          strict,
        ),
      ),
      errors: Type.Array(
        Type.Object(
          {
            code: Type.String(),
            name: Type.String(),
            status: Type.Integer(),
            condition: Type.String(),
            remedy: Type.String(),
            example: Type.Object({ field: Type.String(), reason: Type.String() }, strict),
          },
          strict,
        ),
      ),
    },
    strict,
  ),
  examples: [
    { title: 'All of them', request: {} },
    { title: 'One list', request: { name: 'occupation' } },
    { title: 'The rules of account policy', request: { name: 'accountRule' } },
  ],
})

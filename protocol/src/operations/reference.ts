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
            name: Type.String({ description: 'Name of the list.' }),
            values: Type.Array(
              Type.Object(
                {
                  value: Type.String({ description: 'The value, as requests and responses have it.' }),
                  label: Type.String({ description: 'The value in words.' }),
                  since: Type.String({ description: 'Version of the service that added the value.' }),
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
              { description: 'The values of the list.' },
            ),
          },
          strict,
        ),
        { description: 'The code lists.' },
      ),
      errors: Type.Array(
        Type.Object(
          {
            code: Type.String({ description: 'Code of the error.' }),
            name: Type.String({ description: 'Name of the error.' }),
            status: Type.Integer({ description: 'HTTP status of a response with this error.' }),
            condition: Type.String({ description: 'When the error is returned.' }),
            remedy: Type.String({ description: 'What to do about it.' }),
            example: Type.Object(
              {
                field: Type.String({ description: 'Dotted path of the field.' }),
                reason: Type.String({ description: 'What is wrong and how to correct it.' }),
              },
              { ...strict, description: 'An example of the error.' },
            ),
          },
          strict,
        ),
        { description: 'The error catalogue.' },
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

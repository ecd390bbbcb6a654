/** Client firms and their credentials. */
import Type from 'typebox'
import { listOf, ofFirm, orNull, textOf, time } from '../answered-values.ts'

const strict = { additionalProperties: false }

export const firmShape = Type.Object(
  {
    firmId: ofFirm.firmId,
    name: ofFirm.firmName,
    entityNumbers: listOf(Type.String(), 'The entity numbers of the firm, three digits each.'),
    repCodes: listOf(Type.String(), 'The codes of the representatives of the firm.'),
    settings: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The settings of the firm, with the defaults of those that were not set.',
    }),
    disabled: Type.Boolean({ description: 'Whether the firm is disabled: its tokens do not work.' }),
    createdOn: time('When the firm was created.'),
  },
  strict,
)

export const credentialShape = Type.Object(
  {
    clientId: textOf('ID of the credential, the `client_id` of token requests.'),
    firmId: ofFirm.firmId,
    name: textOf('Name of the credential, for people.'),
    scopes: listOf(Type.String(), 'The scopes that the credential was granted.'),
    addressRanges: Type.Array(Type.String(), {
      description: 'The networks from which the credential may be used; empty: from every address.',
    }),
    boundTokens: Type.Boolean({
      description: 'Whether each token of the credential must be bound to a key.',
    }),
    disabled: Type.Boolean({
      description:
        'Whether the credential is disabled: its tokens do not work. Also true while a new credential waits for a second person.',
    }),
    createdOn: time('When the credential was created.'),
    secrets: Type.Array(
      Type.Object(
        {
          secretId: textOf('ID of the secret, a UUID.'),
          createdOn: time('When the secret was created.'),
          expiresOn: orNull(time(), {
            description: 'When the secret stops working; null if it has no end.',
          }),
        },
        strict,
      ),
      { description: 'The valid secrets: at most two, so that one can be replaced without an outage.' },
    ),
  },
  strict,
)

/** A credential with a new secret, returned only once. The service does not store the secret in readable form. */
export const issuedCredentialShape = Type.Object(
  { ...credentialShape.properties, clientSecret: Type.String({ description: 'Shown once.' }) },
  strict,
)

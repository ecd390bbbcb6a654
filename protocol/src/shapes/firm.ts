/** Client firms and their credentials. */
import Type from 'typebox'
import { orNull, time } from '../answered-values.ts'

const strict = { additionalProperties: false }

export const firmShape = Type.Object(
  {
    firmId: Type.String({ format: 'uuid' }),
    name: Type.String(),
    entityNumbers: Type.Array(Type.String()),
    repCodes: Type.Array(Type.String()),
    settings: Type.Record(Type.String(), Type.Unknown()),
    disabled: Type.Boolean(),
    createdOn: time(),
  },
  strict,
)

export const credentialShape = Type.Object(
  {
    clientId: Type.String(),
    firmId: Type.String({ format: 'uuid' }),
    name: Type.String(),
    scopes: Type.Array(Type.String()),
    addressRanges: Type.Array(Type.String(), {
      description: 'The networks from which the credential may be used; empty: from every address.',
    }),
    boundTokens: Type.Boolean({
      description: 'Whether each token of the credential must be bound to a key.',
    }),
    disabled: Type.Boolean(),
    createdOn: time(),
    secrets: Type.Array(
      Type.Object(
        {
          secretId: Type.String(),
          createdOn: time(),
          expiresOn: orNull(time()),
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

/** Client firms and their credentials. */
import Type from 'typebox'

const strict = { additionalProperties: false }

export const firmShape = Type.Object(
  {
    firmId: Type.String({ format: 'uuid' }),
    name: Type.String(),
    entityNumbers: Type.Array(Type.String()),
    repCodes: Type.Array(Type.String()),
    settings: Type.Record(Type.String(), Type.Unknown()),
    disabled: Type.Boolean(),
    createdOn: Type.String({ format: 'date-time' }),
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
    createdOn: Type.String({ format: 'date-time' }),
    secrets: Type.Array(
      Type.Object(
        {
          secretId: Type.String(),
          createdOn: Type.String({ format: 'date-time' }),
          expiresOn: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
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

/**
 * Signed heads: at a moment the service signs how long a firm's audit chain is and the hash of its last row (Ed25519). Each
 * head names the one before it by its digest, so the heads of a firm are a chain too. A checkpoint holds the newest head of
 * every firm; it is one file outside the database.
 */
import Type, { type Static } from 'typebox'

const strict = { additionalProperties: false }
const sha256Text = (description: string) => Type.String({ pattern: '^([0-9a-f]{64})?$', description })

export const signedHeadShape = Type.Object(
  {
    firmId: Type.String({ format: 'uuid' }),
    number: Type.Integer({
      description: 'Of the checkpoint that it was first in. The numbers of a firm rise.',
    }),
    sequence: Type.Integer({ description: 'How many rows the chain had.' }),
    hash: sha256Text('Of the last of them, hexadecimal; empty when there was none.'),
    at: Type.String({ format: 'date-time', description: 'When it was signed.' }),
    previous: sha256Text('Digest of the firm’s signed head before this one; empty in the first.'),
    keeps: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Null, but after the database was put back to an earlier moment: the number of the last head that still counts, or 0. The heads between are of rows that are gone.',
    }),
    keyId: Type.String({ description: 'Of the key that signed, as in /audit/jwks.' }),
    signature: Type.String({ description: 'Ed25519, base64url.' }),
  },
  strict,
)

/** How long a firm's chain was, signed. */
export type SignedHead = Static<typeof signedHeadShape>

export const checkpointShape = Type.Object(
  {
    checkpoint: Type.Integer({ description: 'Checkpoints are numbered from 1 without gaps.' }),
    at: Type.String({ format: 'date-time' }),
    previous: sha256Text('Digest of the checkpoint before this one.'),
    keeps: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Null, but after the database was put back: the newest checkpoint that it knew then, or 0. Those between are void.',
    }),
    filesFrom: Type.Integer({
      description:
        'The first checkpoint whose file must be there; later ones were lost with a document store.',
    }),
    heads: Type.Array(signedHeadShape, { description: 'The newest head of every firm.' }),
    keyId: Type.String(),
    signature: Type.String(),
  },
  strict,
)

/** The newest signed head of every firm at a moment. */
export type Checkpoint = Static<typeof checkpointShape>

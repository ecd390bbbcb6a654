/**
 * Signed heads of audit chains. The service signs the length of a firm's audit chain and the hash of its last row
 * (Ed25519). Each head holds the digest of the previous head, so the heads of a firm form a chain too. A checkpoint
 * holds the newest head of every firm; it is one file outside the database.
 */
import Type, { type Static } from 'typebox'
import { orNull, time } from '../answered-values.ts'

const strict = { additionalProperties: false }
function sha256Text(description: string) {
  return Type.String({ pattern: '^([0-9a-f]{64})?$', description })
}

export const signedHeadShape = Type.Object(
  {
    firmId: Type.String({ format: 'uuid', description: 'ID of the firm.' }),
    number: Type.Integer({
      description: 'Number of the first checkpoint with this head. The numbers of a firm increase.',
    }),
    sequence: Type.Integer({ description: 'Number of rows of the chain.' }),
    hash: sha256Text('Hash of the last row, hexadecimal; empty if the chain had no rows.'),
    at: time('When the head was signed.'),
    previous: sha256Text('Digest of the previous signed head of the firm; empty in the first head.'),
    keeps: orNull(Type.Integer(), {
      description:
        'Normally null. After a restore of the database to an earlier moment: the number of the last head that is still valid, or 0. The heads in between belong to rows that the restore removed.',
    }),
    keyId: Type.String({ description: 'ID of the signing key, as in /audit/jwks.' }),
    signature: Type.String({ description: 'Ed25519, base64url.' }),
  },
  strict,
)

/** A signed statement of the length of a firm's audit chain. */
export type SignedHead = Static<typeof signedHeadShape>

export const checkpointShape = Type.Object(
  {
    checkpoint: Type.Integer({ description: 'Number of the checkpoint, from 1 without gaps.' }),
    at: time('When the checkpoint was signed.'),
    previous: sha256Text('Digest of the previous checkpoint.'),
    keeps: orNull(Type.Integer(), {
      description:
        'Normally null. After a restore of the database: the newest checkpoint that the restored database holds, or 0. The checkpoints in between are void.',
    }),
    filesFrom: Type.Integer({
      description:
        'Number of the first checkpoint whose file must exist; files of earlier checkpoints may be lost.',
    }),
    heads: Type.Array(signedHeadShape, { description: 'The newest signed head of every firm.' }),
    keyId: Type.String({ description: 'ID of the signing key, as in /audit/jwks.' }),
    signature: Type.String({ description: 'Ed25519, base64url.' }),
  },
  strict,
)

/** A checkpoint: the newest signed head of every firm at a moment. */
export type Checkpoint = Static<typeof checkpointShape>

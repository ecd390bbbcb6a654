/**
 * The facts by which the accounts of one person are found: tax id and birth date, or name and birth date. The indexes
 * of persons who were confirmed as listed are under the key of the clearing firm, so that they are equal at all firms.
 */
import type { ScreenedName } from '@clearing/domain'
import { blindIndex } from '../encryption/blind-index.ts'
import { digestRequest } from '../encryption/digest.ts'
import type { FirmKeys } from '../encryption/keyring.ts'
import { openText, seal } from '../encryption/seal.ts'
import { foldName } from './names/fold-name.ts'

export interface Identity {
  readonly kind: ScreenedName['kind']
  /** The words of the name, sorted, in small letters without accents. */
  readonly words: readonly string[]
  readonly taxIdNumber: string | null
  readonly birthDate: string | null
}

export interface IdentityIndexes {
  readonly personIndex: Buffer | null
  readonly nameIndex: Buffer | null
}

export function identityOf({ kind, nameParts, taxIdNumber, birthDate }: ScreenedName): Identity {
  return {
    kind,
    words: foldName(nameParts.join(' '), kind)
      .map(({ text }) => text)
      .sort(),
    taxIdNumber: taxIdNumber ?? null,
    birthDate: birthDate ?? null,
  }
}

/** `keys` are those of the clearing firm. */
export function indexIdentity(
  keys: FirmKeys,
  { kind, words, taxIdNumber, birthDate }: Identity,
): IdentityIndexes {
  if (kind === 'entity')
    return {
      personIndex: taxIdNumber === null ? null : blindIndex(keys, 'listed-entity', taxIdNumber),
      nameIndex: null,
    }
  if (birthDate === null) return { personIndex: null, nameIndex: null }
  return {
    personIndex: taxIdNumber === null ? null : blindIndex(keys, 'listed-person', taxIdNumber + birthDate),
    nameIndex: words.length === 0 ? null : digestRequest(keys, 'listed-name', birthDate, ...words),
  }
}

export function sealIdentity(keys: FirmKeys, identity: Identity, row: string): Buffer {
  return seal(keys, JSON.stringify(identity), sealedColumnOf(keys, row))
}
export function openIdentity(keys: FirmKeys, sealed: Buffer, row: string): Identity {
  return JSON.parse(openText(keys, sealed, sealedColumnOf(keys, row)))
}

function sealedColumnOf({ firmId }: FirmKeys, row: string) {
  return { firm: firmId, table: 'listed_person', column: 'facts', row }
}

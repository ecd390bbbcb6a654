/** The second factor: a time-based code of six digits (RFC 6238) that works once. Its secrets are sealed. */
import { Secret, TOTP } from 'otpauth'
import type { FirmKeys } from '../../encryption/keyring.ts'
import { openText, seal } from '../../encryption/seal.ts'

const periodSeconds = 30
/** Codes of the previous and the next step are accepted too, because clocks differ. */
const windowSteps = 1
const secretBytes = 20

function place(keys: FirmKeys, staffId: string) {
  return {
    firm: keys.firmId,
    table: 'staff',
    column: 'second_factor',
    row: staffId,
  }
}

export function makeSecret(): string {
  return new Secret({ size: secretBytes }).base32
}

export function sealSecret(keys: FirmKeys, staffId: string, secret: string): Buffer {
  return seal(keys, secret, place(keys, staffId))
}
export function openSecret(keys: FirmKeys, staffId: string, sealed: Buffer): string {
  return openText(keys, sealed, place(keys, staffId))
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({
    issuer: 'Clearing',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
    secret: Secret.fromBase32(secret),
  })
}

/** The `otpauth:` address that an authenticator reads. */
export function renderSecretUri(secret: string, email: string): string {
  return totpOf(secret, email).toString()
}

/** Returns the time step of the code, or undefined. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const timestamp = now.getTime()
  const delta = totpOf(secret, '').validate({ token: code, timestamp, window: windowSteps })
  return delta === null ? undefined : Math.floor(timestamp / 1_000 / periodSeconds) + delta
}

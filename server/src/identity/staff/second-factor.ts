/** The second factor: a time-based code of six digits (RFC 6238) that works once. Its secrets are sealed. */
import { Secret, TOTP } from 'otpauth'
import type { FirmKeys } from '../../encryption/keyring.ts'
import { openText, seal } from '../../encryption/seal.ts'

const periodSeconds = 30
/** Codes of the previous and the next step are accepted too, because clocks differ. */
const windowSteps = 1
const secretBytes = 20

const place = (keys: FirmKeys, staffId: string) => ({
  firm: keys.firmId,
  table: 'staff',
  column: 'second_factor',
  row: staffId,
})

export const makeSecret = (): string => new Secret({ size: secretBytes }).base32

export const sealSecret = (keys: FirmKeys, staffId: string, secret: string): Buffer =>
  seal(keys, secret, place(keys, staffId))
export const openSecret = (keys: FirmKeys, staffId: string, sealed: Buffer): string =>
  openText(keys, sealed, place(keys, staffId))

const totpOf = (secret: string, label: string): TOTP =>
  new TOTP({
    issuer: 'Clearing',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
    secret: Secret.fromBase32(secret),
  })

/** The `otpauth:` address that an authenticator reads. */
export const renderSecretUri = (secret: string, email: string): string => totpOf(secret, email).toString()

/** Returns the time step of the code, or undefined. */
export const stepOfCode = (secret: string, code: string, now: Date): number | undefined => {
  if (!/^\d{6}$/.test(code)) return undefined
  const timestamp = now.getTime()
  const delta = totpOf(secret, '').validate({ token: code, timestamp, window: windowSteps })
  return delta === null ? undefined : Math.floor(timestamp / 1_000 / periodSeconds) + delta
}

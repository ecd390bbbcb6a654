/**
 * The token service in one object: opened once in a process, used by every request, and closed before the pools end.
 */

import { openChangeListener } from '../database/change-listener.ts'
import type { Pool } from '../database/pool.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { type Authenticate, prepareAuthenticate } from './authenticate.ts'
import { prepareCheckBinding } from './binding/check-binding.ts'
import { prepareUseProof } from './binding/used-proofs.ts'
import { type Directory, openDirectory } from './directory/directory.ts'
import { createAssertionStore } from './endpoint/client-assertion.ts'
import { createFailureThrottle } from './endpoint/failure-throttle.ts'
import { type AnswerTokenRequest, prepareTokenEndpoint, type TokenEvent } from './endpoint/token-endpoint.ts'
import { rotateSigningKeys } from './keys/rotate-signing-keys.ts'
import { chooseSigningKey, type KeyStep, NoSigningKey } from './keys/signing-key.ts'
import { prepareRefusedAddresses } from './refused-addresses.ts'
import { openSteadyClock } from './steady-clock.ts'

export interface IdentitySettings {
  /**
   * A small pool of its own is best (4 connections, one of which listens): with a busy pool, callers would
   * wait for their admission.
   */
  readonly operations: Pool
  readonly masterKeys: MasterKeys
  /** The issuer in tokens, byte for byte. */
  readonly issuer: string
  /** The public address of the service, which DPoP proofs name. The default is the issuer. */
  readonly publicUrl?: (() => string) | undefined
  /** Whether a trusted proxy passes on the TLS certificates of clients. */
  readonly takesCertificates?: boolean
  /**
   * The wall clock: secrets and tokens expire in real time, also in the sandbox. When given, it also replaces the
   * database's clock for keys.
   */
  readonly now?: () => Date
  /** Milliseconds of a monotonic clock. */
  readonly monotonicMs?: () => number
  /** Updates the keys of other cells. */
  readonly findKeys?: (() => Promise<void>) | undefined
  readonly onEvent?: (event: TokenEvent) => void
  readonly onFault?: (fault: unknown) => void
}

export interface Identity extends AsyncDisposable {
  readonly issuer: string
  readonly directory: Directory
  readonly masterKeys: MasterKeys
  readonly takesCertificates: boolean
  now(): Date
  readonly authenticate: Authenticate
  readonly answerTokenRequest: AnswerTokenRequest
  /**
   * Called by a handler that changes firms or credentials: this instance sees the change as soon as it is committed.
   */
  expectChange(): void
  /**
   * Creates, retires and removes signing keys at their times. Must be called at start and daily. `atOnce`
   * does not wait for a key's age.
   */
  rotateSigningKeys(settings?: { atOnce?: boolean }): Promise<KeyStep[]>
  /** For the readiness check. Throws NoSigningKey or DatabaseUnavailable. */
  checkSigning(): Promise<void>
  /** Called for each fault that makes a token request fail with 5xx. */
  readonly onFault: (fault: unknown) => void
}

/** Makes the first signing key if there is none, reads the directory, and listens for changes. */
export async function openIdentity(settings: IdentitySettings): Promise<Identity> {
  const { operations, masterKeys, issuer } = settings
  const now = settings.now ?? (() => new Date())
  const onFault = settings.onFault ?? (() => {})
  const rotate = (rotation: { atOnce?: boolean } = {}) =>
    rotateSigningKeys({
      operations,
      masterKeys,
      ...rotation,
      ...(settings.now ? { now: settings.now() } : {}),
    })
  await rotate()
  const listener = openChangeListener(operations, 'clearing_identity', { onFault })
  const steady = openSteadyClock(now, settings.monotonicMs)
  const directory = openDirectory({
    operations,
    masterKeys,
    now,
    onFault,
    listener,
    onDatabaseTime: settings.now ? undefined : steady.compare,
  })
  try {
    await directory.latest()
  } catch (fault) {
    await listener[Symbol.asyncDispose]()
    throw fault
  }
  // One service issues and accepts tokens, so its address is their audience too.
  const audience = issuer
  const publicUrl = settings.publicUrl ?? (() => issuer)
  const useProof = prepareUseProof({ operations, now, onFault })
  const noteRefusedAddress = prepareRefusedAddresses({ operations, now, onFault })
  return {
    issuer,
    directory,
    masterKeys,
    takesCertificates: settings.takesCertificates ?? false,
    now,
    authenticate: prepareAuthenticate({
      directory,
      issuer,
      audience,
      now: steady.now,
      noteRefusedAddress,
      checkBinding: prepareCheckBinding({ publicUrl, now, useProof }),
      findKeys: settings.findKeys && (() => (settings.findKeys as () => Promise<void>)().catch(onFault)),
    }),
    answerTokenRequest: prepareTokenEndpoint({
      directory,
      issuer,
      audience,
      now,
      throttle: createFailureThrottle(),
      noteRefusedAddress,
      publicUrl,
      useProof,
      assertions: createAssertionStore({ operations, issuer, now }),
      onEvent: settings.onEvent ?? (() => {}),
      onFault,
    }),
    expectChange: directory.expectChange,
    rotateSigningKeys: async (rotation = {}) => {
      directory.expectChange()
      return rotate(rotation)
    },
    async checkSigning() {
      const { signingKeys } = await directory.current()
      if (chooseSigningKey(signingKeys.values(), now()) === undefined) throw new NoSigningKey()
    },
    onFault,
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  }
}

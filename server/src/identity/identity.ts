/** The token service as one part: opened once in a process, used by every request, closed before the pools end. */

import { openChangeListener } from '../database/change-listener.ts'
import type { Pool } from '../database/pool.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { type Authenticate, prepareAuthenticate } from './authenticate.ts'
import { type Directory, openDirectory } from './directory/directory.ts'
import { createAssertionStore } from './endpoint/client-assertion.ts'
import { createFailureThrottle } from './endpoint/failure-throttle.ts'
import { type AnswerTokenRequest, prepareTokenEndpoint, type TokenEvent } from './endpoint/token-endpoint.ts'
import { rotateSigningKeys } from './keys/rotate-signing-keys.ts'
import { chooseSigningKey, type KeyStep, NoSigningKey } from './keys/signing-key.ts'
import { steadyClock } from './steady-clock.ts'

export interface IdentitySettings {
  /** Better a small pool of its own (4 connections, one of which listens): a busy one would make callers wait to be admitted. */
  readonly operations: Pool
  readonly masterKeys: MasterKeys
  /** The address that tokens name as their issuer, byte for byte. */
  readonly issuer: string
  /** The wall clock: secrets live in real time, also where the sandbox's days are skipped. Given, keys live by it too, in place of the database's. */
  readonly now?: () => Date
  /** Milliseconds of a clock that goes on when the wall's is set back. */
  readonly monotonicMs?: () => number
  /** How far the sandbox's clock is ahead of it: tokens grow old by that one too. */
  readonly aheadMs?: () => number
  readonly onEvent?: (event: TokenEvent) => void
  readonly onFault?: (fault: unknown) => void
}

export interface Identity extends AsyncDisposable {
  readonly issuer: string
  readonly directory: Directory
  readonly masterKeys: MasterKeys
  now(): Date
  readonly authenticate: Authenticate
  readonly answerTokenRequest: AnswerTokenRequest
  /** To be called by a handler that changes firms or credentials: this instance sees the change at once when it is committed. */
  expectChange(): void
  /** Makes, retires and removes signing keys as their times say; to be called at start and daily. `atOnce` does not wait for age. */
  rotateSigningKeys(settings?: { atOnce?: boolean }): Promise<KeyStep[]>
  /** Throws NoSigningKey, or DatabaseUnavailable: for the readiness check. */
  checkSigning(): Promise<void>
  /** Told of each fault that a request for a token is answered 5xx for. */
  readonly onFault: (fault: unknown) => void
}

/** Makes the first signing key if there is none, reads who may call, and listens for changes. */
export const openIdentity = async (settings: IdentitySettings): Promise<Identity> => {
  const { operations, masterKeys, issuer } = settings
  const now = settings.now ?? (() => new Date())
  const aheadMs = settings.aheadMs ?? (() => 0)
  const onFault = settings.onFault ?? (() => {})
  const rotate = (rotation: { atOnce?: boolean } = {}) =>
    rotateSigningKeys({
      operations,
      masterKeys,
      ...rotation,
      ...(settings.now ? { now: settings.now() } : {}),
    })
  await rotate()
  const listener = openChangeListener(operations, 'clearing_identity', onFault)
  const directory = openDirectory({ operations, masterKeys, now, onFault, listener })
  try {
    await directory.latest()
  } catch (fault) {
    await listener[Symbol.asyncDispose]()
    throw fault
  }
  // One service is both who gives tokens and who takes them, so its address is their audience too.
  const audience = issuer
  return {
    issuer,
    directory,
    masterKeys,
    now,
    authenticate: prepareAuthenticate({
      directory,
      issuer,
      audience,
      now: steadyClock(now, settings.monotonicMs),
      aheadMs,
    }),
    answerTokenRequest: prepareTokenEndpoint({
      directory,
      issuer,
      audience,
      now,
      aheadMs,
      throttle: createFailureThrottle(),
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

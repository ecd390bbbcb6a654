/**
 * Gives access tokens to clients: reads the request, authenticates the client, and lets the provider mint the token.
 * Every failed authentication gets the same response in the same time, whatever the cause.
 */
import { decodeJwt } from 'jose'
import { DatabaseUnavailable, OutcomeUnknown } from '../../database/faults.ts'
import type { StoredCredential } from '../../store/credentials.ts'
import { isAllowedFrom } from '../address-ranges.ts'
import { type GoodProof, verifyProof } from '../binding/dpop-proof.ts'
import type { UseProof } from '../binding/used-proofs.ts'
import type { Directory } from '../directory/directory.ts'
import type { DirectorySnapshot } from '../directory/directory-snapshot.ts'
import { chooseSigningKey, NoSigningKey } from '../keys/signing-key.ts'
import type { NoteRefusedAddress } from '../refused-addresses.ts'
import type { Confirmation } from '../verify-token.ts'
import { explainTimes } from './client-assertion.ts'
import { matchesClientSecret } from './client-secret.ts'
import type { FailureThrottle } from './failure-throttle.ts'
import {
  invalidClient,
  invalidDpopProof,
  invalidScope,
  invalidTarget,
  keysOnly,
  type TokenError,
  tooManyFailures,
  unavailable,
  wrongAddress,
} from './token-error.ts'
import { createTokenProvider, type TokenProvider, type TokenProviderSettings } from './token-provider.ts'
import { type Proof, type RawTokenRequest, readTokenRequest, type TokenRequest } from './token-request.ts'

/** For the log: client, address and outcome. The client is named only when it exists. */
export interface TokenEvent {
  readonly kind: 'token given' | 'token refused'
  readonly clientId: string | undefined
  readonly firmId: string | undefined
  readonly address: string
  readonly error?: string
}

export type TokenAnswer =
  | { readonly kind: 'granted'; readonly body: string }
  /** Refused by the provider, with the provider's own text. */
  | { readonly kind: 'refused'; readonly status: number; readonly body: string }
  | { readonly kind: 'error'; readonly error: TokenError }

export interface TokenEndpointSettings extends Omit<TokenProviderSettings, 'signingKey'> {
  readonly directory: Directory
  readonly throttle: FailureThrottle
  readonly noteRefusedAddress: NoteRefusedAddress
  /** The public address of the service, which DPoP proofs name. */
  readonly publicUrl: () => string
  readonly useProof: UseProof
  readonly onEvent: (event: TokenEvent) => void
  /** Called with the fault when the service cannot give a token now. */
  readonly onFault: (fault: unknown) => void
}

export type AnswerTokenRequest = (raw: RawTokenRequest, address: string) => Promise<TokenAnswer>

/** Makes the function behind the token endpoint. Faults are thrown. */
export function prepareTokenEndpoint(settings: TokenEndpointSettings): AnswerTokenRequest {
  const endpoint = new TokenEndpoint(settings)
  return (raw, address) => endpoint.answer(raw, address)
}

/** A request, and where it came from. */
interface Arrived {
  readonly request: TokenRequest
  readonly raw: RawTokenRequest
  readonly address: string
}

/** A token that the client may have. */
interface Wanted {
  readonly scope: string
  readonly confirmation: Confirmation | undefined
  readonly proven: GoodProof | undefined
}

class TokenEndpoint {
  readonly #settings: TokenEndpointSettings
  #provider: TokenProvider | undefined

  constructor(settings: TokenEndpointSettings) {
    this.#settings = settings
  }

  async answer(raw: RawTokenRequest, address: string): Promise<TokenAnswer> {
    const request = readTokenRequest(raw)
    if ('error' in request) {
      this.#settings.onEvent(refused(undefined, address, request.error))
      return { kind: 'error', error: request }
    }
    try {
      return await this.#answerRequest({ request, raw, address })
    } catch (fault) {
      if (!passes(fault)) throw fault
      this.#settings.onFault(fault)
      this.#settings.onEvent(refused(undefined, address, unavailable.error))
      return { kind: 'error', error: unavailable }
    }
  }

  async #answerRequest(arrived: Arrived): Promise<TokenAnswer> {
    const { request, address } = arrived
    const clientId = request.clientId ?? clientOf(request.proof) ?? ''
    const client = await this.#authenticate(clientId, request.proof, address)
    if (client === undefined) return this.#refuseClient(clientId, address)
    let answer = await this.#answerClient(client, arrived)
    if (isUnauthenticated(answer)) {
      const newer = await this.#readAgain(client, clientId, arrived)
      if (newer !== undefined) answer = await this.#answerClient(newer, arrived)
    }
    const { credential } = client
    if (isUnauthenticated(answer)) return this.#refuseClient(clientId, address)
    this.#settings.onEvent(
      answer.kind === 'granted'
        ? { kind: 'token given', clientId, firmId: credential.firmId, address }
        : refused(credential, address, answer.kind === 'error' ? answer.error.error : answer.body),
    )
    return answer
  }

  async #authenticate(clientId: string, proof: Proof, address: string): Promise<Client | undefined> {
    const { directory, throttle, now } = this.#settings
    const client = check(await directory.current(), clientId, proof, now())
    if (client !== undefined || throttle.exhausted(clientId, address)) return client
    // This instance may not have seen the change yet: a new client, or a secret made a moment ago.
    return check(await directory.latest(), clientId, proof, now())
  }

  #refuseClient(clientId: string, address: string): TokenAnswer {
    const { throttle, directory, onEvent } = this.#settings
    const waitSeconds = throttle.fail(clientId, address)
    const known = directory.known()?.credentials.get(clientId)
    const error = waitSeconds === undefined ? invalidClient : tooManyFailures(waitSeconds)
    onEvent(refused(known, address, error.error))
    return { kind: 'error', error }
  }

  /** Another instance may just have replaced the keys of the client: returns the client as it is now, if it changed. */
  async #readAgain(
    { snapshot }: Client,
    clientId: string,
    { request: { proof }, address }: Arrived,
  ): Promise<Client | undefined> {
    const { directory, throttle, now } = this.#settings
    if (proof.kind !== 'assertion' || throttle.exhausted(clientId, address)) return undefined
    const latest = await directory.latest()
    return latest === snapshot ? undefined : check(latest, clientId, proof, now())
  }

  async #answerClient(client: Client, { request, raw, address }: Arrived): Promise<TokenAnswer> {
    const wanted = await this.#readWanted(client, request, raw)
    if ('error' in wanted) {
      const isProven = await this.#isProven(client, request.proof)
      return { kind: 'error', error: isProven ? wanted : invalidClient }
    }
    const answer = await this.#grant(request, client, wanted)
    if (answer.kind !== 'granted') return answer
    const refusal = await this.#limit(client, request.proof, address)
    if (refusal !== undefined) return { kind: 'error', error: refusal }
    if (wanted.proven !== undefined && !(await this.#settings.useProof(wanted.proven)))
      return { kind: 'error', error: invalidDpopProof('The DPoP proof was used before.') }
    return answer
  }

  /** The token that the request asks for, or the error of a request that no client with these rights may make. */
  async #readWanted(
    client: Client,
    request: TokenRequest,
    raw: RawTokenRequest,
  ): Promise<Wanted | TokenError> {
    const { credential } = client
    const proven = await this.#readProof(request, raw.url)
    if (proven !== undefined && 'error' in proven) return proven
    const confirmation = confirmationOf(client, proven, raw.certificate)
    if (confirmation === undefined && credential.boundTokens) return mustBeBound
    const { grantType, resource } = request
    if (resource !== undefined && resource !== this.#settings.audience) return invalidTarget
    let scope = credential.scopes.join(' ')
    if (request.scope !== undefined && grantType === 'client_credentials') {
      const wanted = new Set(request.scope.split(' '))
      const granted: ReadonlySet<string> = new Set(credential.scopes)
      const missing = [...wanted].find((each) => !granted.has(each))
      if (missing !== undefined) return invalidScope(missing, credential.scopes)
      scope = [...wanted].join(' ')
    }
    return { scope, confirmation, proven }
  }

  /**
   * Returns whether the client has authenticated. Only such a client learns what is wrong with its request: the errors
   * would tell others its scopes. The provider verifies an assertion by granting a token, which is not sent.
   */
  async #isProven({ credential, snapshot }: Client, proof: Proof): Promise<boolean> {
    if (proof.kind !== 'assertion') return true
    const answer = await this.#providerFor(snapshot).grant({
      credential,
      grantType: 'client_credentials',
      scope: credential.scopes.join(' '),
      assertion: proof,
    })
    return answer.kind === 'granted'
  }

  /** The proof of a request for a token that is bound to a key; undefined without one. */
  async #readProof(
    { dpopProof }: TokenRequest,
    url: string | undefined,
  ): Promise<GoodProof | TokenError | undefined> {
    if (dpopProof === undefined) return undefined
    const verdict = await verifyProof(dpopProof, {
      method: 'POST',
      url: this.#settings.publicUrl().replace(/\/$/, '') + (url ?? '').split('?')[0],
      accessToken: undefined,
      now: this.#settings.now(),
    })
    return verdict.kind === 'good' ? verdict : invalidDpopProof(verdict.why)
  }

  async #grant(request: TokenRequest, client: Client, wanted: Wanted): Promise<TokenAnswer> {
    const { credential, snapshot } = client
    const { grantType, proof } = request
    const { scope, confirmation } = wanted
    const assertion = proof.kind === 'assertion' ? { assertion: proof } : {}
    const asked = { credential, grantType, scope, confirmation, ...assertion }
    const answer = await this.#providerFor(snapshot).grant(asked)
    if (answer.kind !== 'unauthenticated') return answer
    const { publicKeys } = credential
    const description =
      proof.kind === 'assertion' && publicKeys !== null
        ? await explainTimes(proof.assertion, publicKeys, this.#settings.now())
        : undefined
    return {
      kind: 'error',
      error: description === undefined ? invalidClient : { ...invalidClient, description },
    }
  }

  /**
   * Returns a provider that signs with the current key. A new key needs a new provider, which takes a few milliseconds
   * once a month.
   */
  #providerFor(snapshot: DirectorySnapshot): TokenProvider {
    const signingKey = chooseSigningKey(snapshot.signingKeys.values(), this.#settings.now())
    if (signingKey === undefined) throw new NoSigningKey()
    if (this.#provider?.kid !== signingKey.kid)
      this.#provider = createTokenProvider({ ...this.#settings, signingKey })
    return this.#provider
  }

  /** Refuses a client that has authenticated. A caller without the secret does not learn these reasons. */
  async #limit(
    { credential, snapshot }: Client,
    proof: Proof,
    address: string,
  ): Promise<TokenError | undefined> {
    const firm = snapshot.firms.get(credential.firmId)?.firm
    if (proof.kind === 'secret' && firm?.settings.keysOnly) return keysOnly
    if (firm?.moving) return unavailable
    if (isAllowedFrom(credential, address)) return undefined
    await this.#settings.noteRefusedAddress(credential, { address, traceId: '' })
    return wrongAddress
  }
}

function isUnauthenticated(answer: TokenAnswer): boolean {
  return answer.kind === 'error' && answer.error === invalidClient
}

/**
 * A certificate binds the tokens only of a client that requires it. Other clients may send a certificate for
 * other reasons.
 */
function confirmationOf(
  { credential }: Client,
  proven: GoodProof | undefined,
  certificate: string | undefined,
): Confirmation | undefined {
  if (proven !== undefined) return { jkt: proven.thumbprint }
  return credential.boundTokens && certificate !== undefined ? { 'x5t#S256': certificate } : undefined
}

const mustBeBound = invalidDpopProof(
  'The tokens of this client are bound to a key: send a DPoP proof, or use a TLS connection with a certificate.',
)

/** Returns true for faults that may be over when the client retries. */
function passes(fault: unknown): boolean {
  return (
    fault instanceof DatabaseUnavailable || fault instanceof OutcomeUnknown || fault instanceof NoSigningKey
  )
}

interface Client {
  readonly credential: StoredCredential
  readonly snapshot: DirectorySnapshot
}

/**
 * Returns the client if it may have tokens and its proof is valid. The provider verifies the signature of an
 * assertion.
 */
function check(snapshot: DirectorySnapshot, clientId: string, proof: Proof, now: Date): Client | undefined {
  const credential = snapshot.credentials.get(clientId)
  const usesKeys = credential !== undefined && credential.publicKeys !== null
  let proven: boolean
  switch (proof.kind) {
    case 'secret':
      proven = matchesClientSecret(proof.secret, credential?.secrets, now) && !usesKeys
      break
    case 'assertion':
      proven = usesKeys
      break
    default:
      throw new Error(`unknown proof ${proof satisfies never}`)
  }
  if (!proven || credential === undefined || credential.disabledAt !== null) return undefined
  if (snapshot.firms.get(credential.firmId)?.disabled !== false) return undefined
  return { credential, snapshot }
}

/** Returns the client id of an unverified assertion. */
function clientOf(proof: Proof): string | undefined {
  if (proof.kind !== 'assertion') return undefined
  try {
    const { sub }: { sub?: unknown } = decodeJwt(proof.assertion)
    return typeof sub === 'string' ? sub : undefined
  } catch {
    return undefined
  }
}

function refused(credential: StoredCredential | undefined, address: string, error: string): TokenEvent {
  return {
    kind: 'token refused',
    clientId: credential?.clientId,
    firmId: credential?.firmId,
    address,
    error,
  }
}

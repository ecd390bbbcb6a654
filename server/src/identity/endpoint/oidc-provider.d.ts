// Types for the part of oidc-provider that is used here; the package ships none. Imported by file, because its index
// only adds a warning on unknown Node releases.

declare module 'oidc-provider/lib/provider.js' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  /** The Koa context of the running request. */
  export interface ProviderContext {
    readonly req: IncomingMessage
    readonly protocol: string
    readonly host: string
    type: string
    body: unknown
    set(name: string, value: string): void
    readonly oidc: {
      readonly session?: { readonly accountId?: string }
      readonly client?: { readonly clientId: string }
      readonly result?: { readonly login?: { readonly accountId: string } }
    }
  }

  /** A sign-in in progress: its request and its results so far. */
  export interface Interaction {
    readonly uid: string
    readonly params: Readonly<Record<string, unknown>>
    readonly result?: Readonly<Record<string, unknown>>
  }

  /** A client's token in progress. */
  export interface ClientCredentials {
    readonly scope: string | undefined
    readonly expiration: number
    readonly tokenType: string
    set resourceServer(resource: object)
    /** Signs the token and returns its text. */
    save(): Promise<string>
  }

  /** The rights that a person grants to a client. */
  interface Grant {
    addOIDCScope(scope: string): void
    save(seconds: number): Promise<string>
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    /** Trusts X-Forwarded-Host and X-Forwarded-Proto. */
    proxy: boolean
    readonly ClientCredentials: new (of: {
      client: { clientId: string }
      scope: string | undefined
    }) => ClientCredentials
    readonly Grant: new (of: {
      accountId: string
      clientId: string
    }) => Grant
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
      settings?: { mergeWithLastSubmission: boolean },
    ): Promise<string>
    on(event: 'server_error', tell: (context: ProviderContext, fault: unknown) => void): this
    on(event: 'error', tell: (fault: unknown, context?: ProviderContext) => void): this
    static get ctx(): ProviderContext | undefined
  }
}

declare module 'oidc-provider/lib/helpers/keystore.js' {
  import type { KeyObject } from 'node:crypto'

  /** A signing key whose private half the provider does not see. */
  export class ExternalSigningKey {
    get kid(): string
    set kid(value: string)
    get alg(): string
    set alg(value: string)
    keyObject(): KeyObject
    sign(data: Buffer): Buffer | Promise<Buffer>
  }
}

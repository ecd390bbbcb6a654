/**
 * The implementation under test. It is called with plain HTTP requests, so that the sdk cannot hide a departure.
 * Objects that several checks need, such as an open account, are made once, at their first use.
 */
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

export interface SubjectSettings {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly entityNumber: string
  readonly repCode: string
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: an implementation may return any value
  readonly json: any
}

/** A departure from a statement. The message describes the finding. */
export class Departure extends Error {
  override readonly name = 'Departure'
}

export function expect(condition: boolean, found: string): void {
  if (!condition) throw new Departure(found)
}

/** Short enough for a report. */
export function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 120)
}

const openWithinMs = 120_000
const pollMs = 250
const timeoutMs = 60_000

export class Subject {
  readonly settings: SubjectSettings
  #token: Promise<string> | undefined
  #created: Promise<{ readonly reply: Reply; readonly accountNumber: string }> | undefined
  #open: Promise<string> | undefined

  constructor(settings: SubjectSettings) {
    this.settings = { ...settings, url: settings.url.replace(/\/$/, '') }
  }

  async send(path: string, request: RequestInit): Promise<Reply> {
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(this.settings.url + path, { ...request, signal, redirect: 'manual' })
    const text = await answer.text()
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      json = undefined
    }
    return { status: answer.status, headers: answer.headers, text, json: json ?? {} }
  }

  askToken(path: string, more: Record<string, string> = {}): Promise<Reply> {
    const { clientId: client_id, clientSecret: client_secret } = this.settings
    const body = new URLSearchParams({ client_id, client_secret, ...more })
    return this.send(path, { method: 'POST', body })
  }

  token(): Promise<string> {
    this.#token ??= this.askToken('/identity/connect/token', { grant_type: 'client_credentials' }).then(
      ({ status, json }) => {
        expect(typeof json.access_token === 'string', `the token endpoint answered ${status} without a token`)
        return json.access_token
      },
    )
    return this.#token
  }

  /** Calls a business operation with a token. */
  async call(
    operation: string,
    request: object | FormData,
    path = `/account-api/v1/${operation}`,
  ): Promise<Reply> {
    const authorization = `Bearer ${await this.token()}`
    if (request instanceof FormData)
      return this.send(path, { method: 'POST', headers: { authorization }, body: request })
    const headers = { authorization, 'content-type': 'application/json' }
    return this.send(path, { method: 'POST', headers, body: JSON.stringify(request) })
  }

  /** The response of the first new-account, and the number of the account. */
  created() {
    this.#created ??= this.call('new-account', this.application()).then((reply) => {
      const { data } = reply.json
      const accountNumber = data?.message?.accountNumber ?? data?.accountNumber
      expect(
        reply.status === 200 && typeof accountNumber === 'string',
        `new-account answered ${reply.text.slice(0, 200)}`,
      )
      return { reply, accountNumber }
    })
    return this.#created
  }

  /** The number of an account that is open. */
  open(): Promise<string> {
    this.#open ??= this.created().then(async ({ accountNumber }) => {
      const endMs = performance.now() + openWithinMs
      for (;;) {
        const { json } = await this.call('get-account', { accountNumber })
        if (json.data?.accountStatus === 'Open') return accountNumber
        expect(
          performance.now() < endMs,
          `the account was ${shown(json.data?.accountStatus)} after two minutes`,
        )
        await pause(pollMs)
      }
    })
    return this.#open
  }

  application(): object {
    const { entityNumber, repCode } = this.settings
    const address = {
      street: '12 Harbor Street',
      city: 'Jersey City',
      stateProvince: 'NJ',
      country: 'US',
      postalCode: '07302',
    }
    return {
      registrationType: 'Individual',
      entityNumber,
      main: { repCode },
      mailingAddress: address,
      primaryOwner: {
        firstName: 'Conrad',
        lastName: 'Formanek',
        citizenshipCountry: 'US',
        birthDate: '1984-05-16',
        legalAddress: address,
        taxIdType: 'SSN',
        taxIdNumber: `${randomInt(100, 600)}${randomInt(11, 99)}${randomInt(1_000, 9_999)}`,
        phoneRegionCell: '1',
        phoneNumberCell: '2015550123',
      },
      electronicDelivery: { email: 'conrad@example.com', statements: 'true' },
      financialProfile: {},
    }
  }

  async upload(
    fields: Record<string, string>,
    fileName = 'note.png',
    content: Uint8Array = smallPng,
  ): Promise<FormData> {
    const form = new FormData()
    const all = {
      documentTypeName: 'Identity Documents',
      reference: 'UTIL',
      accountNumber: await this.open(),
      ...fields,
    }
    for (const [name, value] of Object.entries(all)) if (value !== '') form.set(name, value)
    form.set('file', new File([new Uint8Array(content)], fileName))
    return form
  }
}

/** A PNG file of one pixel. */
const smallPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

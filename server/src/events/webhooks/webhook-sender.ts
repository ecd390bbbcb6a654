/**
 * Sends events to webhooks: at least once, in order for each account, and for several accounts at a time. The
 * sender does not use the job queue, because a receiver that hangs would block its workers. Work and leases
 * are in the database, so that any instance can continue after one was killed.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@clearing/protocol'
import type { Logger } from 'pino'
import { serviceActor } from '../../actor.ts'
import { positionSeen } from '../../database/flush.ts'
import type { Pool } from '../../database/pool.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import type { Keyring } from '../../encryption/keyring.ts'
import { newId } from '../../ids.ts'
import { writeAuditRow } from '../../store/audit.ts'
import type { LoggedEvent } from '../../store/event-log.ts'
import {
  claimWebhooks,
  type Due,
  disableWebhook,
  eventOf,
  type Room,
  releaseWebhook,
  type Step,
  stepWebhook,
  writeAttempts,
  writeTestDelivery,
} from '../../store/webhook-queue.ts'
import { openSecret, readSecrets, type Webhook } from '../../store/webhooks.ts'
import { renderEvent } from '../cloud-event.ts'
import { AttemptLog } from './attempt-log.ts'
import type { AddressPolicy } from './receiver-address.ts'
import { retryDelay, retryDelaysMs } from './retry-delays.ts'
import { type Attempt, type Attempted, type Dispatcher, openDispatcher } from './send.ts'
import { signDelivery } from './sign.ts'

export interface WebhookSenderSettings {
  /** A pool that sees every firm. */
  readonly operations: Pool
  readonly keyring: Keyring
  readonly logger: Logger
  /** The service's public address: the `source` of its events. */
  readonly source: string
  readonly sandbox: boolean
  /** Whether callers on other machines reach the service. */
  readonly openToOthers?: boolean
  readonly delaysMs?: readonly number[]
  readonly timeoutMs?: number
  /** How many webhooks are worked on at once, when not the default. */
  readonly atOnce?: Room
}

const senderTimes = {
  /** Interval of searches for work without a notification. */
  pollMs: 1_000,
  /** Pause between two searches for work; one search serves all announcements of the pause. */
  pauseMs: 20,
  /** A step begins no delivery after this time, so that the last delivery still ends within the lease. */
  stepMs: 5_000,
  /** Time in which running deliveries may end when the service stops. */
  stopMs: 2_000,
} as const

/** The slow receivers of one firm must not delay the webhooks of others. */
const defaultAtOnce: Room = { webhooks: 50, ofFirm: 10 }
const accountsAtOnce = 16
const goneOfTest =
  'The receiver answered 410 (Gone). A test changes nothing; the next delivery with this response disables the webhook.'

export interface TestFire {
  readonly delivered: boolean
  readonly attempt: Attempt
}

export class WebhookSender {
  readonly #settings: WebhookSenderSettings
  /** The addresses to which webhooks may be sent. */
  readonly policy: AddressPolicy
  readonly #dispatcher: Dispatcher
  readonly #attempts: AttemptLog
  readonly #atOnce: Room
  readonly #name = randomUUID()
  readonly #working = new Set<Promise<void>>()
  readonly #stop = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #claiming: Promise<void> | undefined
  #again = false
  #closed = false

  constructor(settings: WebhookSenderSettings) {
    this.#settings = settings
    const { sandbox, openToOthers = false } = settings
    this.policy = { sandbox, openToOthers }
    this.#dispatcher = openDispatcher(this.policy)
    this.#attempts = new AttemptLog(settings.operations)
    this.#atOnce = settings.atOnce ?? defaultAtOnce
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), senderTimes.pollMs)
    this.#timer.unref()
    this.wake()
  }

  /** Searches for work now. */
  wake(): void {
    if (this.#closed) return
    if (this.#claiming !== undefined) {
      this.#again = true
      return
    }
    this.#claiming = this.#claim()
      .catch((fault) => this.#settings.logger.warn({ err: fault }, 'webhooks'))
      .then(() => pause(senderTimes.pauseMs))
      .finally(() => {
        this.#claiming = undefined
        if (!this.#again) return
        this.#again = false
        this.wake()
      })
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    await this.#claiming
    const timer = setTimeout(() => this.#stop.abort(), senderTimes.stopMs)
    await Promise.all(this.#working)
    clearTimeout(timer)
    this.#dispatcher.close()
  }

  /** Sends one test delivery now and stores it in the log of deliveries. */
  async fire(webhook: Webhook, secrets: readonly string[], at: Date, traceId: string): Promise<TestFire> {
    const eventId = newId(at)
    const event = {
      place: { transaction: 0n, position: 0n, line: 0 },
      moves: 0,
      firmId: webhook.firm_id,
      eventId,
      type: 'webhook.test',
      at: at.toISOString(),
      accountNumber: '',
      sequence: 0,
      entityNumber: '',
      repCode: '',
      traceId,
      content: { webhookId: webhook.webhook_id },
    }
    const body = this.#render(event)
    const { outcome, retryAfterMs: _pause, ...made } = await this.#post(webhook.url, eventId, body, secrets)
    const attempt = outcome === 'gone' ? { ...made, error: goneOfTest } : made
    const delivered = outcome === 'delivered'
    await this.#write((tx) =>
      writeTestDelivery(tx, webhook.webhook_id, eventId, attempt, delivered ? 'Delivered' : 'Failed'),
    )
    return { delivered, attempt }
  }

  async #claim(): Promise<void> {
    const { webhooks, ofFirm } = this.#atOnce
    const room = webhooks - this.#working.size
    if (room <= 0) return
    const { operations, logger } = this.#settings
    const scope = { firm: null, repeatable: true }
    const claimed = await inTransaction(operations, scope, (tx) =>
      claimWebhooks(tx, this.#name, { webhooks: room, ofFirm }),
    )
    for (const { webhook_id } of claimed) {
      const work = this.#work(webhook_id)
        .catch((fault) => logger.warn({ err: fault, webhookId: webhook_id }, 'webhook'))
        .finally(() => {
          this.#working.delete(work)
          this.wake()
        })
      this.#working.add(work)
    }
  }

  /**
   * Works on a webhook until no delivery is due, or until others need its place. After a fault the lease expires, and
   * the work starts again.
   */
  async #work(webhookId: string): Promise<void> {
    const { operations } = this.#settings
    while (!this.#closed) {
      const step = await inTransaction(operations, { firm: null, repeatable: true }, (tx) =>
        stepWebhook(tx, webhookId, this.#name),
      )
      if (step === undefined) return this.#release(webhookId)
      if (step.due.length > 0) await this.#deliver(step)
      else if (!step.more) break
      if (this.#working.size >= this.#atOnce.webhooks) break
    }
    await this.#release(webhookId)
  }

  #release(webhookId: string): Promise<void> {
    return this.#write((tx) => releaseWebhook(tx, webhookId, this.#name))
  }

  async #deliver({ webhook, due }: Step): Promise<void> {
    const secrets = await this.#openSecrets(webhook)
    const endMs = performance.now() + senderTimes.stepMs
    const accounts = [...Map.groupBy(due, ({ account_number }) => account_number).values()]
    let gone = false
    const lane = async (): Promise<void> => {
      for (let account = accounts.shift(); account !== undefined; account = accounts.shift()) {
        for (const delivery of account) {
          if (gone || this.#closed || performance.now() > endMs) return
          const outcome = await this.#attempt(webhook, delivery, secrets)
          gone ||= outcome === 'gone'
          // Later deliveries of the account wait for this one.
          if (outcome === 'waiting') break
        }
      }
    }
    await Promise.all(Array.from({ length: Math.min(accountsAtOnce, accounts.length) }, lane))
  }

  async #attempt(
    webhook: Webhook,
    delivery: Due,
    secrets: readonly string[],
  ): Promise<'over' | 'waiting' | 'gone'> {
    const body = this.#render(eventOf(delivery, webhook.firm_id))
    const attempted = await this.#post(webhook.url, delivery.event_id, body, secrets)
    const { outcome, retryAfterMs, ...attempt } = attempted
    const { delivery_id: deliveryId } = delivery
    switch (outcome) {
      case 'delivered':
        await this.#attempts.keep({ deliveryId, attempt, status: 'Delivered', delayMs: 0 })
        return 'over'
      case 'gone':
        // The delivery waits until the webhook is enabled again.
        await this.#write(async (tx) => {
          writeAttempts(tx, [{ deliveryId, attempt, status: 'Waiting', delayMs: 0 }])
          await this.#disable(tx, webhook, attempt.error)
        })
        return 'gone'
      case 'stopped':
        return 'waiting'
      case 'failed': {
        const delaysMs = this.#settings.delaysMs ?? retryDelaysMs
        const delayMs = retryDelay(delivery.attempt_count + 1, retryAfterMs, delaysMs)
        const status = delayMs === undefined ? 'Failed' : 'Waiting'
        await this.#attempts.keep({ deliveryId, attempt, status, delayMs: delayMs ?? 0 })
        return delayMs === undefined ? 'over' : 'waiting'
      }
      default:
        throw new Error(`unknown outcome ${outcome satisfies never}`)
    }
  }

  async #disable(tx: Tx, webhook: Webhook, reason: string): Promise<void> {
    const at = new Date()
    if ((await disableWebhook(tx, webhook.webhook_id, at, reason)) === 0) return
    const traceId = ''
    const detail = { reason }
    const target = webhook.webhook_id
    writeAuditRow(tx, {
      firmId: webhook.firm_id,
      at,
      actor: serviceActor,
      action: 'disable-webhook',
      target,
      traceId,
      detail,
    })
  }

  /** The body of a delivery. The step that read the event has ended, so that its position covers the event. */
  #render(event: LoggedEvent): string {
    const { source, operations } = this.#settings
    return JSON.stringify(renderEvent(event, source, positionSeen(operations)))
  }

  #post(url: string, eventId: string, body: string, secrets: readonly string[]): Promise<Attempted> {
    return this.#dispatcher.send({
      url,
      body,
      headers: {
        'content-type': 'application/cloudevents+json; charset=utf-8',
        'user-agent': 'clearing-webhooks/1',
        // Receivers refuse a time that differs from theirs by five minutes, so the wall clock is used in the sandbox
        // too.
        ...signDelivery(eventId, new Date(), body, secrets),
      },
      timeoutMs: this.#settings.timeoutMs ?? limits.webhookTimeoutMs,
      signal: this.#stop.signal,
    })
  }

  async #openSecrets(webhook: Webhook): Promise<string[]> {
    const { operations, keyring } = this.#settings
    const secrets = await inTransaction(operations, { firm: null, readOnly: true, repeatable: true }, (tx) =>
      readSecrets(tx, webhook.webhook_id, new Date()),
    )
    return keyring.using(webhook.firm_id, async (keys) => secrets.map((secret) => openSecret(secret, keys)))
  }

  #write(body: (tx: Tx) => void | Promise<void>): Promise<void> {
    return inTransaction(this.#settings.operations, { firm: null, repeatable: true }, async (tx) => body(tx))
  }
}

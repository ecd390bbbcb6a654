/**
 * Delivers the event log in one process: one listener, one reader of the log's end, and the streams and webhooks that
 * it feeds.
 */
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { openChangeListener } from '../../database/change-listener.ts'
import { positionSeen } from '../../database/flush.ts'
import type { Pool } from '../../database/pool.ts'
import type { Keyring } from '../../encryption/keyring.ts'
import { LogTail } from '../../events/log-tail.ts'
import { WebhookSender, type WebhookSenderSettings } from '../../events/webhooks/webhook-sender.ts'
import type { Authenticate } from '../../identity/authenticate.ts'
import type { ShareRates } from '../admission/rate-limit.ts'
import { mountStreams } from './mount-streams.ts'
import { renderStreamed } from './stream.ts'

export interface EventsSettings {
  readonly app: Pool
  /** A small pool of its own that sees every firm. One of its connections listens. */
  readonly operations: Pool
  readonly keyring: Keyring
  /** The service's public address: the `source` of events. */
  readonly source: string
  /** When true, webhooks may be sent to the local machine. */
  readonly sandbox: boolean
  /** Whether callers on other machines reach the service. */
  readonly openToOthers?: boolean
  readonly logger: Logger
  /** Present when several processes serve behind one port. */
  readonly shareRates?: ShareRates | undefined
  /** How long a stream may be silent; 15 s when absent. */
  readonly heartbeatMs?: number
  /** How long a reader may take to read the sent data, when not the default. */
  readonly slowReaderTimeoutMs?: number
  /**
   * The delays between delivery attempts, the time limit of a receiver and the webhooks at once, when not the defaults.
   */
  readonly delivery?: Pick<WebhookSenderSettings, 'delaysMs' | 'timeoutMs' | 'atOnce'>
}

export interface Events extends AsyncDisposable {
  /** Adds the stream of events to a server. */
  mount(app: FastifyInstance, authenticate: Authenticate): void
  readonly webhooks: WebhookSender
  /** Forgets the events in memory, because a snapshot replaced the log. */
  forget(): void
}

export function openEvents(settings: EventsSettings): Events {
  const { app: pool, operations, source, logger } = settings
  const onFault = (fault: unknown) => logger.warn({ err: fault }, 'event log')
  const onBack = () => logger.info('notifications of the event log arrive again')
  const listener = openChangeListener(operations, 'clearing_event', { onFault, onBack })
  const tail = new LogTail({
    operations,
    listener,
    render: (event) => renderStreamed(event, source, positionSeen(operations)),
    onFault,
  })
  const webhooks = new WebhookSender({
    operations,
    keyring: settings.keyring,
    logger,
    source,
    sandbox: settings.sandbox,
    openToOthers: settings.openToOthers ?? false,
    ...settings.delivery,
  })
  listener.onChange(() => webhooks.wake())
  webhooks.start()
  return {
    webhooks,
    forget: () => tail.forget(),
    mount: (app, authenticate) => {
      const { heartbeatMs, slowReaderTimeoutMs, shareRates } = settings
      const times = {
        ...(heartbeatMs === undefined ? {} : { heartbeatMs }),
        ...(slowReaderTimeoutMs === undefined ? {} : { slowReaderTimeoutMs }),
      }
      mountStreams(app, { app: pool, tail, authenticate, logger, source, shareRates, ...times })
    },
    async [Symbol.asyncDispose]() {
      await webhooks.close()
      await tail.close()
      await listener[Symbol.asyncDispose]()
    },
  }
}

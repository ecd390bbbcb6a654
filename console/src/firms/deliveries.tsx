/**
 * Deliveries to a firm's webhooks with the receivers' responses, the latest first. They can be sent again one by one or
 * by a range of time.
 */
import { codeLists, limits } from '@clearing/protocol'
import type { CallOf } from '@clearing/sdk'
import { useEffect, useRef } from 'react'
import { Act } from '../act/act.tsx'
import { useFilters } from '../address.ts'
import { type Answered, given } from '../client.ts'
import { Code } from '../design/code.tsx'
import { plainChoices } from '../design/codes.ts'
import { countOf, verbOf } from '../design/count.ts'
import { Filters } from '../design/filters.tsx'
import { Listed } from '../design/listed.tsx'
import { Panel } from '../design/panel.tsx'
import { Status } from '../design/status.tsx'
import type { Column } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { usePages } from '../reads.ts'
import { Attempts } from './attempts.tsx'

type Delivery = Answered<'list-deliveries'>['deliveries'][number]
export type Webhook = Answered<'list-webhooks'>['webhooks'][number]

export function Deliveries({
  firmId,
  webhooks,
}: {
  readonly firmId: string
  readonly webhooks: readonly Webhook[]
}) {
  const [{ delivery, webhook, sent, event }] = useFilters()
  const pages = usePages(
    'list-deliveries',
    'deliveries',
    given<CallOf<'list-deliveries'>>({
      deliveryId: delivery,
      webhookId: webhook,
      status: sent,
      eventId: event,
    }),
    { firmId },
  )
  const place = useRef<HTMLDivElement>(null)
  const isAsked = useRef(delivery !== undefined || webhook !== undefined)
  useEffect(() => {
    if (isAsked.current) place.current?.scrollIntoView()
  }, [])
  const byAddress = webhooks.map(({ webhookId, url }) => ({ value: webhookId, label: url }))
  const active = byAddress.filter(({ value }) => !isDisabled(webhooks, value))
  return (
    <div ref={place}>
      <Panel
        title="Deliveries"
        note={`deliveries to the webhooks, kept for ${limits.webhookDeliveryKeptDays} days`}
        flush
        acts={
          <Act
            operation="resend-events"
            label="Send a range again…"
            title="Send events again"
            notNow={active.length === 0 ? 'The firm has no active webhook.' : undefined}
            fields={[
              { name: 'webhookId', label: 'Webhook', kind: 'choice', required: true, choices: active },
              { name: 'from', label: 'From', kind: 'time', required: true },
              { name: 'to', label: 'To', kind: 'time', hint: 'Leave it empty for the present time.' },
              {
                name: 'accountNumber',
                label: 'Account',
                kind: 'text',
                hint: 'Leave it empty for all accounts.',
              },
            ]}
            firmId={firmId}
            result={({ data }) =>
              `${countOf(data.queued, 'event')} ${verbOf(data.queued)} queued for the webhook.`
            }
          />
        }
      >
        <div className="inside">
          <Filters
            filters={[
              { name: 'webhook', label: 'Webhook', kind: 'choice', any: 'All of them', choices: byAddress },
              { name: 'sent', label: 'State', kind: 'choice', choices: statuses },
              { name: 'event', label: 'Event id', kind: 'text' },
              { name: 'delivery', label: 'Delivery id', kind: 'text' },
            ]}
          />
        </div>
        <Listed
          label="Deliveries"
          pages={pages}
          columns={columns(firmId, webhooks)}
          keyOf={({ deliveryId }) => deliveryId}
          empty="No delivery matches."
          heightMax="45vh"
        />
      </Panel>
    </div>
  )
}

const statuses = plainChoices(codeLists.deliveryStatus.map(({ value }) => value))

function isDisabled(webhooks: readonly Webhook[], webhookId: string) {
  return webhooks.find((one) => one.webhookId === webhookId)?.disabled ?? true
}

function columns(firmId: string, webhooks: readonly Webhook[]): readonly Column<Delivery>[] {
  return [
    { key: 'queued', header: 'Queued', cell: ({ createdOn }) => <Time at={createdOn} /> },
    {
      key: 'event',
      header: 'Event',
      cell: ({ eventType, eventId, kind }) => (
        <>
          {eventType}
          {kind !== 'Event' && <span className="quiet"> {kind === 'Test' ? 'trial' : 'sent again'}</span>}
          <div>
            <Code of={eventId} />
          </div>
        </>
      ),
    },
    { key: 'account', header: 'Account', cell: ({ accountNumber }) => accountNumber },
    {
      key: 'state',
      header: 'State',
      cell: ({ status, nextAttemptOn }) => (
        <>
          <Status of={status} />
          {nextAttemptOn !== null && (
            <div className="quiet">
              next try <Time at={nextAttemptOn} />
            </div>
          )}
        </>
      ),
    },
    { key: 'attempts', header: 'Attempts', cell: ({ attempts }) => <Attempts attempts={attempts} /> },
    {
      key: 'act',
      header: <span className="unseen">Act</span>,
      cell: ({ webhookId, eventId, eventType, kind, attempts }) => (
        <Act
          operation="resend-events"
          label="Send again…"
          title="Send the event again"
          explains="It is queued for the same webhook, after the waiting events of its account."
          notNow={
            kind === 'Test'
              ? 'A test cannot be sent again: test the webhook.'
              : attempts.length === 0
                ? 'It has not been attempted yet.'
                : isDisabled(webhooks, webhookId)
                  ? 'The webhook is disabled.'
                  : undefined
          }
          fixed={{ webhookId, eventIds: [eventId] }}
          of={`${eventType} ${eventId}`}
          firmId={firmId}
        />
      ),
    },
  ]
}

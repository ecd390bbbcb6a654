/** Margin: balances, the requirement of each position, the withdrawable amounts, the calls, and the interest. */
import { balanceLabels } from '@clearing/protocol'
import { Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Act } from '../act/act.tsx'
import { callColumns } from '../books/call-columns.tsx'
import type { Answered } from '../client.ts'
import { labelOf } from '../design/codes.ts'
import { Facts } from '../design/facts.tsx'
import { Listed } from '../design/listed.tsx'
import { Money, renderDecimal } from '../design/money.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Day, renderDay } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { usePages, useRead } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'
import { MarginInterestPanel } from './margin-interest.tsx'

const blocks = [
  ['marginBalance', 'Margin balance'],
  ['availableWithdrawal', 'Available withdrawal'],
  ['openCall', 'Call if the day closed now'],
] as const

type OpenCall = Answered<'balance-summary'>['calls'][number]

/** The amount that meets a call, its due date, and extensions. */
function meetColumns(
  accountNumber: string,
  isIssued: (call: OpenCall) => boolean,
): readonly Column<OpenCall>[] {
  return [
    {
      key: 'kind',
      header: 'Call',
      cell: ({ kind, issuedOn }) => (
        <>
          {labelOf('callKind', kind)}
          {kind === 'Fed' && (
            <div className="quiet">
              of <Day on={issuedOn} />:{' '}
              <Link
                to={`/accounts/${accountNumber}`}
                search={() => ({ tab: 'activity', kind: 'all', from: issuedOn })}
              >
                lines since then
              </Link>
            </div>
          )}
        </>
      ),
    },
    {
      key: 'deposit',
      header: 'Deposit, USD',
      right: true,
      cell: ({ outstanding }) => <Money amount={outstanding} />,
    },
    {
      key: 'sell',
      header: 'Or sell, USD',
      right: true,
      cell: ({ sellAmount }) => (sellAmount === null ? 'not enough held' : <Money amount={sellAmount} />),
    },
    {
      key: 'due',
      header: 'Due',
      cell: ({ dueBy, overdue, extensions }) => (
        <>
          <Day on={dueBy} /> {overdue && <Status of="Overdue" tone="bad" />}
          {extensions.map(({ until, reason }) => (
            <div key={until} className="quiet">
              extended: {reason}
            </div>
          ))}
        </>
      ),
    },
    {
      key: 'sellOut',
      header: 'Liquidation',
      cell: ({ sellOutOn }) => (sellOutOn === null ? 'none' : <Day on={sellOutOn} />),
    },
    {
      key: 'act',
      header: <span className="unseen">Act</span>,
      cell: (call) => (
        <Act
          operation="grant-extension"
          label="Extend…"
          title="Extend the time to meet the call"
          explains={`${labelOf('callKind', call.kind)}, due on ${renderDay(call.dueBy)}. One extension is at most one payment period, or fifteen business days for a maintenance call.`}
          notNow={
            call.kind === 'Intraday'
              ? 'An intraday margin deficit cannot be extended.'
              : call.overdue
                ? 'The due date has passed.'
                : isIssued(call)
                  ? undefined
                  : 'The close of the business day issues this call.'
          }
          fields={[
            { name: 'until', label: 'New due date', kind: 'day', required: true },
            { name: 'reason', label: 'Reason', kind: 'long', required: true },
          ]}
          fixed={{ accountNumber, kind: call.kind, issuedOn: call.issuedOn }}
          of={`${labelOf('callKind', call.kind)}, due on ${renderDay(call.dueBy)}`}
        />
      ),
    },
  ]
}

const percentages = new Set(['currentMarginRate', 'equityPercentage'])

function balanceOf(name: string, amount: string) {
  return percentages.has(name) ? `${renderDecimal(amount)} %` : <Money amount={amount} />
}

type Balance = Answered<'balance-summary'>

const classColumns: readonly Column<Balance['buyingPowers'][number]>[] = [
  { key: 'class', header: 'Class', cell: ({ securityClass }) => wordsOf(securityClass) },
  {
    key: 'percent',
    header: 'Requirement',
    right: true,
    cell: ({ initialPercent, maintenancePercent }) =>
      initialPercent === maintenancePercent
        ? `${initialPercent} %`
        : `${initialPercent} %, then ${maintenancePercent} %`,
  },
  {
    key: 'amount',
    header: 'Can buy, USD',
    right: true,
    cell: ({ amount }) => <Money amount={amount} />,
  },
]

const requirementColumns: readonly Column<Balance['marginRequirements'][number]>[] = [
  {
    key: 'symbol',
    header: 'Symbol',
    by: ({ symbol }) => symbol,
    cell: ({ symbol, description }) => (
      <>
        {symbol}
        <div className="quiet">{description}</div>
      </>
    ),
  },
  {
    key: 'value',
    header: 'Market value, USD',
    right: true,
    cell: ({ marketValue }) => <Money amount={marketValue} />,
  },
  {
    key: 'house',
    header: 'House requirement, USD',
    right: true,
    cell: (row) => (
      <>
        <Money amount={row.houseRequirement} />
        <div className="quiet">{row.housePercent} %</div>
      </>
    ),
  },
  {
    key: 'regT',
    header: 'Regulation T, USD',
    right: true,
    cell: (row) => (
      <>
        <Money amount={row.regTRequirement} />
        <div className="quiet">{row.regTPercent} %</div>
      </>
    ),
  },
]

export function MarginTab({ accountNumber }: TabProps) {
  const calls = usePages('list-calls', 'calls', { accountNumber, includeMet: true })
  // A call of the open day is computed from the present activity.
  const isIssued = ({ kind, issuedOn }: OpenCall) =>
    calls.isPending ||
    calls.hasNextPage ||
    calls.rows.some((issued) => issued.kind === kind && issued.issuedOn === issuedOn)
  return (
    <Shown read={useRead('balance-summary', { accountNumber })} rows={8}>
      {(data) => (
        <Stack gap="md">
          {data.calls.length > 0 && (
            <Panel title="Open margin calls" note="the amounts of now" flush>
              <Table
                label="Open margin calls"
                rows={data.calls}
                keyOf={({ kind, issuedOn }) => `${kind} ${issuedOn}`}
                empty="No call is open."
                columns={meetColumns(accountNumber, isIssued)}
              />
            </Panel>
          )}
          <div className="record">
            {blocks.map(([member, title]) => (
              <Panel key={member} title={title} note="USD">
                <Facts
                  facts={Object.entries(data[member] as Record<string, string>).map(
                    ([name, amount]) =>
                      [balanceLabels[name] ?? wordsOf(name), balanceOf(name, amount)] as const,
                  )}
                />
              </Panel>
            ))}
            <Panel title="Cash account">
              <Facts
                facts={[
                  ['Unpaid purchases', <Money key="unpaid" amount={data.cashAccount.unpaid} />],
                  ['Good-faith violations in twelve months', data.cashAccount.goodFaithViolations],
                  ['Settled cash only until', <Day key="until" on={data.cashAccount.settledCashOnlyUntil} />],
                ]}
              />
            </Panel>
          </div>
          <Panel title="Margin calls" note="as the last close of a business day left them" flush>
            <Listed
              label="Margin calls"
              pages={calls}
              keyOf={({ kind, issuedOn }) => `${kind} ${issuedOn}`}
              empty="No close of a business day has issued a call."
              columns={callColumns}
            />
          </Panel>
          <MarginInterestPanel accountNumber={accountNumber} />
          <Panel title="Buying power by class" flush>
            <Table
              label="Buying power by class"
              isPart
              rows={data.buyingPowers}
              keyOf={({ securityClass }) => securityClass}
              empty="None."
              columns={classColumns}
            />
          </Panel>
          <Panel title="Requirements" flush>
            <Table
              label="Requirements"
              isPart
              rows={data.marginRequirements}
              keyOf={(row, index) => `${row.symbol} ${index}`}
              empty="No position requires margin."
              columns={requirementColumns}
            />
          </Panel>
        </Stack>
      )}
    </Shown>
  )
}

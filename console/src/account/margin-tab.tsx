/** Margin: balances, what each position requires, what can be withdrawn, and the calls. */
import { balanceLabels } from '@clearing/protocol'
import { Stack } from '@mantine/core'
import { callColumns } from '../books/call-columns.tsx'
import { Facts } from '../design/facts.tsx'
import { Listed } from '../design/listed.tsx'
import { Money } from '../design/money.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { Table } from '../design/table.tsx'
import { Day } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { usePages, useRead } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'

const blocks = [
  ['marginBalance', 'Margin balance'],
  ['availableWithdrawal', 'Available withdrawal'],
  ['openCall', 'Call if the day closed now'],
] as const

export function MarginTab({ accountNumber }: TabProps) {
  const calls = usePages('list-calls', 'calls', { accountNumber, includeMet: true })
  return (
    <Shown read={useRead('balance-summary', { accountNumber })} rows={8}>
      {(data) => (
        <Stack gap="md">
          <div className="columns">
            {blocks.map(([member, title]) => (
              <Panel key={member} title={title}>
                <Facts
                  facts={Object.entries(data[member] as Record<string, string>).map(
                    ([name, amount]) =>
                      [balanceLabels[name] ?? wordsOf(name), <Money key={name} amount={amount} />] as const,
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
          <Panel title="Calls" note="as the closes of business days issued them" flush>
            <Listed
              label="Calls"
              pages={calls}
              keyOf={({ kind, issuedOn }) => `${kind} ${issuedOn}`}
              empty="No close of a business day has issued a call."
              columns={callColumns}
            />
          </Panel>
          <Panel title="Requirements" flush>
            <Table
              label="Requirements"
              rows={data.marginRequirements}
              keyOf={(row, index) => `${row.symbol} ${index}`}
              empty="No position requires margin."
              columns={[
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
                  header: 'Market value',
                  right: true,
                  cell: ({ marketValue }) => <Money amount={marketValue} />,
                },
                {
                  key: 'house',
                  header: 'House requirement',
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
                  header: 'Regulation T',
                  right: true,
                  cell: (row) => (
                    <>
                      <Money amount={row.regTRequirement} />
                      <div className="quiet">{row.regTPercent} %</div>
                    </>
                  ),
                },
              ]}
            />
          </Panel>
        </Stack>
      )}
    </Shown>
  )
}

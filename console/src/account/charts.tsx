/**
 * The charts of an account. Amounts become floating-point numbers only here, because a chart does not show
 * cents.
 */
import '@mantine/charts/styles.css'
import { AreaChart, DonutChart } from '@mantine/charts'
import { Group, Table } from '@mantine/core'
import { renderCount } from '../design/count.ts'
import { Money, renderDecimal } from '../design/money.tsx'
import { Empty } from '../design/states.tsx'
import { renderDay } from '../design/time.tsx'

/** Each of the largest parts has its own color, and the others share one. */
const colouredMax = 6

function colourOf(index: number): string {
  return `var(--series-${index < colouredMax ? index + 1 : 'rest'})`
}

export interface Part {
  readonly name: string
  readonly value: string
}

export function Allocation({ parts }: { readonly parts: readonly Part[] }) {
  const drawn = parts
    .toSorted((a, b) => Math.abs(Number(b.value)) - Math.abs(Number(a.value)))
    .map((part, index) => ({ ...part, colour: colourOf(index) }))
  const whole = drawn.reduce((sum, { value }) => sum + Math.abs(Number(value)), 0)
  if (whole === 0) return <Empty what="The account holds nothing." />
  return (
    <Group align="center" gap="lg">
      <div aria-hidden>
        <DonutChart
          size={150}
          thickness={22}
          withTooltip={false}
          pieChartProps={{ accessibilityLayer: false }}
          pieProps={{ rootTabIndex: -1 }}
          data={drawn.map(({ name, value, colour }) => ({
            name,
            value: Math.abs(Number(value)),
            color: colour,
          }))}
        />
      </div>
      <Table flex={1} miw={200} verticalSpacing={3} withRowBorders={false}>
        <tbody>
          {drawn.map(({ name, value, colour }) => (
            <tr key={name}>
              <td>
                <i className="dot" style={{ background: colour }} />
                {name}
              </td>
              <td className="right">
                <Money amount={value} />
              </td>
              <td className="right quiet">{((Math.abs(Number(value)) / whole) * 100).toFixed(1)} %</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Group>
  )
}

export function Values({
  values,
}: {
  readonly values: readonly { readonly day: string; readonly value: string }[]
}) {
  return (
    <div
      className="chart"
      role="img"
      aria-label={`Account value: ${values.map(({ day, value }) => `${renderDay(day)} ${renderDecimal(value, 2)}`).join('; ')}`}
    >
      <AreaChart
        h={190}
        data={values.map(({ day, value }) => ({ day: renderDay(day), value: Number(value) }))}
        dataKey="day"
        series={[{ name: 'value', label: 'Account value', color: 'var(--bar)' }]}
        curveType="linear"
        withDots={false}
        valueFormatter={(value) => renderCount(Math.round(value))}
        yAxisProps={{ width: 78 }}
        areaChartProps={{ accessibilityLayer: false }}
      />
    </div>
  )
}

/** A range of days in the address, `from` and `to`: the last days where nothing is chosen. */
import { TextInput } from '@mantine/core'
import { useFilters } from '../address.ts'

const dayMs = 86_400_000
function dayOf(time: number) {
  return new Date(time).toISOString().slice(0, 10)
}

export function useDayRange(days: number): { readonly from: string; readonly to: string } {
  const [{ from, to }] = useFilters()
  return { from: from || dayOf(Date.now() - days * dayMs), to: to || dayOf(Date.now()) }
}

/** The two fields that choose it. */
export function DayRange({ from, to }: { readonly from: string; readonly to: string }) {
  const [, set] = useFilters()
  return (
    <>
      <TextInput
        type="date"
        label="From"
        value={from}
        onChange={(event) => set({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label="To"
        value={to}
        onChange={(event) => set({ to: event.currentTarget.value })}
      />
    </>
  )
}

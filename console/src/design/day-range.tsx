/** A range of days in the address, `from` and `to`. The default is the last days of the service. */
import { TextInput } from '@mantine/core'
import { useFilters } from '../address.ts'
import { daysBefore, useToday } from './service-clock.ts'

export function useDayRange(days: number): { readonly from: string; readonly to: string } {
  const [{ from, to }] = useFilters()
  const today = useToday()
  return { from: from || daysBefore(today, days), to: to || today }
}

/** The two fields of the range. */
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

/** A range of days in the address, `from` and `to`. The default is the last days of the service. */
import { useFilters } from '../address.ts'
import { DayField } from './day-field.tsx'
import { daysBefore, useToday } from './service-clock.ts'

/** `latest` is the default of `to`, if it is not the service's day. */
export function useDayRange(days: number, latest?: string): { readonly from: string; readonly to: string } {
  const [{ from, to }] = useFilters()
  const today = useToday()
  return { from: from || daysBefore(today, days), to: to || latest || today }
}

/** The two fields of the range. */
export function DayRange({ from, to }: { readonly from: string; readonly to: string }) {
  const [, set] = useFilters()
  return (
    <>
      <DayField label="From" value={from} onSet={(day) => set({ from: day })} />
      <DayField label="To" value={to} onSet={(day) => set({ to: day })} />
    </>
  )
}

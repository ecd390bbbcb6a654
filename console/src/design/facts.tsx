/** Labels with their values. An empty value is shown as such. */
import type { ReactNode } from 'react'

export type Fact = readonly [label: string, value: ReactNode]

function isEmpty(value: ReactNode) {
  return value === undefined || value === null || value === ''
}

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{isEmpty(value) ? <span className="quiet">none</span> : value}</dd>
        </div>
      ))}
    </dl>
  )
}

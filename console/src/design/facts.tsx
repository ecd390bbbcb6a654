/** Labels with their values. What is empty says so. */
import type { ReactNode } from 'react'

export type Fact = readonly [label: string, value: ReactNode]

const isEmpty = (value: ReactNode) => value === undefined || value === null || value === ''

export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className="facts">
    {facts.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{isEmpty(value) ? <span className="quiet">none</span> : value}</dd>
      </div>
    ))}
  </dl>
)

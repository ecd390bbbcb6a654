/** The customer beside the list's entry, field by field, with the result of the comparison. */
import type { ReactNode } from 'react'
import type { Block } from '../account/record.ts'
import type { Answered } from '../client.ts'
import { renderCountry } from '../design/record-words.ts'
import { Status } from '../design/status.tsx'
import { Table } from '../design/table.tsx'
import { renderDay } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import type { Customer } from './customer.ts'

type Match = Answered<'list-matches'>['matches'][number]
type Entry = NonNullable<Match['entry']>

interface Row {
  readonly field: string
  readonly label: string
  readonly customer: readonly string[]
  readonly listed: readonly string[]
}

const outcomes: Readonly<Record<string, readonly [words: string, tone: 'bad' | 'attention' | 'good']>> = {
  agree: ['Same', 'bad'],
  near: ['Alike', 'attention'],
  contradict: ['Different', 'good'],
}

export function CompareMatch({ match, customer }: { readonly match: Match; readonly customer: Customer }) {
  const rows = rowsOf(match, customer)
  const known = new Set(rows.map(({ field }) => field))
  const others = new Set(match.reasons.map(({ field }) => field).filter((field) => !known.has(field)))
  return (
    <Table
      label={`Comparison with ${match.entryId}`}
      isPart
      rows={[
        ...rows,
        ...[...others].map((field) => ({ field, label: wordsOf(field), customer: [], listed: [] })),
      ]}
      keyOf={({ field }) => field}
      empty="No field was compared."
      columns={[
        { key: 'field', header: 'Field', cell: ({ label }) => label },
        { key: 'customer', header: 'Customer', cell: ({ customer: lines }) => <Lines of={lines} /> },
        { key: 'listed', header: 'List', cell: ({ listed }) => <Lines of={listed} /> },
        {
          key: 'outcome',
          header: 'Compared',
          cell: ({ field }) => (
            <Outcomes reasons={match.reasons.filter((reason) => reason.field === field)} />
          ),
        },
      ]}
    />
  )
}

function Lines({ of: lines }: { readonly of: readonly string[] }): ReactNode {
  if (lines.length === 0) return <span className="quiet">not known</span>
  return [...new Set(lines)].map((line) => <div key={line}>{line}</div>)
}

function Outcomes({ reasons }: { readonly reasons: Match['reasons'] }): ReactNode {
  if (reasons.length === 0) return <span className="quiet">not compared</span>
  return reasons.map(({ outcome, detail }) => {
    const [words, tone] = outcomes[outcome] ?? [wordsOf(outcome), 'attention']
    return (
      <div key={`${outcome} ${detail}`}>
        <Status of={words} tone={tone} /> {detail}
      </div>
    )
  })
}

function rowsOf({ entry, matchedName }: Match, customer: Customer): Row[] {
  const names = entry?.names.map(nameInWords) ?? [matchedName]
  const nationalities = entry?.countries.filter(({ basis }) => basis !== 'address') ?? []
  return [
    { field: 'name', label: 'Name', customer: customer.name === '' ? [] : [customer.name], listed: names },
    {
      field: 'birthDate',
      label: 'Date of birth',
      customer: customer.birthDate === '' ? [] : [renderDay(customer.birthDate)],
      listed: entry?.birthDates ?? [],
    },
    {
      field: 'country',
      label: 'Country',
      customer: customer.citizenship === '' ? [] : [`${renderCountry(customer.citizenship)} (citizenship)`],
      listed: nationalities.map(({ country, basis }) => `${renderCountry(country)} (${basis})`),
    },
    {
      field: 'address',
      label: 'Address',
      customer: customer.addresses.map(ownAddress),
      listed: entry?.addresses.map(listedAddress) ?? [],
    },
    {
      field: 'idNumber',
      label: 'Numbers',
      customer: customer.ids,
      listed:
        entry?.idNumbers.map(({ idType, number, country }) =>
          [idType, number, renderCountry(country)].filter(Boolean).join(' '),
        ) ?? [],
    },
    ...(entry === null
      ? []
      : [
          {
            field: 'list',
            label: 'On the list for',
            customer: [],
            listed: [...entry.programs, entry.title, entry.remarks].filter(Boolean),
          },
        ]),
  ]
}

function nameInWords({ name, type, strength }: Entry['names'][number]): string {
  const kind =
    type === 'primary' ? '' : ` (${type === 'aka' ? 'also known as' : type === 'fka' ? 'formerly' : 'now'})`
  return `${name}${kind}${strength === 'weak' ? ', weak' : ''}`
}

function ownAddress({ street, city, stateProvince, postalCode, country }: Block): string {
  return [street, city, stateProvince, postalCode, renderCountry(String(country ?? ''))]
    .filter(Boolean)
    .join(', ')
}

function listedAddress({ street, city, country }: Entry['addresses'][number]): string {
  return [street, city, renderCountry(country)].filter(Boolean).join(', ')
}

/** Adds margin and options to an account, changes the option level, or takes both away, once a principal approves. */
import { codeLists } from '@clearing/protocol'
import { Act } from '../act/act.tsx'
import type { Choice } from '../act/field.ts'
import type { RecordInForm } from '../act/use-form-draft.ts'
import { takeBackOf } from '../change/take-back.ts'
import { choicesOf } from '../design/codes.ts'
import { type Block, isBlock } from './record.ts'

export interface Entitlements {
  readonly margin: boolean
  /** `0` if the account trades no options. */
  readonly level: string
}

export function entitlementsOf({ main }: Block): Entitlements {
  if (!isBlock(main)) return { margin: false, level: '0' }
  return {
    margin: main.marginIndicator === 'true',
    level: main.optionTradingIndicator === 'true' ? String(main.optionTradingLevel || '0') : '0',
  }
}

const margins: readonly Choice[] = [
  { value: 'true', label: 'Margin' },
  { value: 'false', label: 'No margin' },
]
const levels: readonly Choice[] = choicesOf('optionTradingLevel').map(({ value, label }) => ({
  value,
  label: `${value}: ${label}`,
}))

interface SetEntitlementsProps {
  readonly accountNumber: string
  readonly record: Block
  /** The values with which the form begins. */
  readonly first?: { readonly marginIndicator?: string; readonly optionTradingLevel?: string }
}

export function SetEntitlements({ accountNumber, record, first = {} }: SetEntitlementsProps) {
  const { accountStatus: status } = record
  return (
    <Act
      operation="set-entitlements"
      label="Margin and options…"
      inAddress
      title="Change margin and options"
      explains={`The account has ${inWords(entitlementsOf(record))}. The change takes effect when a principal has approved it.`}
      notNow={
        status === 'Open' || status === 'Restricted' ? undefined : 'Only an open account can be changed.'
      }
      fields={[
        {
          name: 'marginIndicator',
          label: 'Margin',
          kind: 'choice',
          none: 'As it is',
          choices: margins,
          first: first.marginIndicator ?? '',
        },
        {
          name: 'optionTradingLevel',
          label: 'Option level',
          kind: 'choice',
          none: 'As it is',
          choices: levels,
          first: first.optionTradingLevel ?? '',
        },
        { name: 'reason', label: 'Reason', kind: 'long', required: true },
      ]}
      fixed={{ accountNumber }}
      record={inForm(record)}
      undo={takeBackOf}
    />
  )
}

function inForm(record: Block): RecordInForm | undefined {
  if (typeof record.version !== 'number') return undefined
  const { margin, level } = entitlementsOf(record)
  const onFile = [
    { name: 'marginIndicator', path: 'main.marginIndicator', value: String(margin) },
    { name: 'optionTradingLevel', path: 'main.optionTradingLevel', value: level },
  ]
  return { version: record.version, onFile: () => onFile }
}

function inWords({ margin, level }: Entitlements): string {
  const label = codeLists.optionTradingLevel.find(({ value }) => value === level)?.label ?? ''
  const options = level === '0' ? 'no options' : `option level ${level} (${label.toLowerCase()})`
  return `${margin ? 'margin' : 'no margin'} and ${options}`
}

/** Chooses the options of a corporate action for a position, with a preview of what each option gets. */
import { codeLists } from '@clearing/protocol'
import type { CallOf } from '@clearing/sdk'
import { List, Stack, Text } from '@mantine/core'
import { Act } from '../act/act.tsx'
import type { Field } from '../act/field.ts'
import type { MemberOf } from '../client.ts'
import { plainChoices } from '../design/codes.ts'
import { renderDecimal } from '../design/money.tsx'
import { renderDay } from '../design/time.tsx'
import type { Action, Entitlement } from './action.ts'
import { divideShares } from './divide-shares.ts'
import { Terms } from './terms.tsx'

interface ElectProps {
  readonly action: Action
  readonly entitlement: Entitlement
  /** Empty as long as it is not read. */
  readonly businessDate: string
}

export function Elect({ action, entitlement, businessDate }: ElectProps) {
  const { corporateActionId, deadline, defaultOption } = action
  const { accountNumber, quantity } = entitlement
  const acctType = codeLists.activityAcctType.find(({ value }) => value === entitlement.acctType)?.value
  return (
    <Act
      operation="elect"
      label="Elect…"
      title="Elect"
      of={[accountNumber, entitlement.accountName ?? ''].filter((part) => part !== '').join(', ')}
      explains={
        <>
          The account {accountNumber} has {renderDecimal(quantity)} shares. Until the end of{' '}
          {renderDay(deadline)} a choice replaces the one before, and a form without options withdraws it.
          Shares without a choice get the default, {defaultOption}.
          {entitlement.elections.some((election) => election.void !== '') && (
            <>
              {' '}
              An amendment made an earlier choice void: {voidInWords(entitlement)}. Those shares get the
              default unless you choose again.
            </>
          )}
        </>
      }
      notNow={businessDate > deadline ? `The deadline was ${renderDay(deadline)}.` : undefined}
      fields={fieldsOf(action, entitlement)}
      fixed={{ corporateActionId, accountNumber, ...(acctType === undefined ? {} : { acctType }) }}
      preview={({ elections = [] }) => <Preview action={action} quantity={quantity} elections={elections} />}
    />
  )
}

/** `60 × Shares` */
function voidInWords({ elections }: Entitlement): string {
  return elections
    .filter((election) => election.void !== '')
    .map(({ option, quantity }) => `${quantity === '' ? 'all' : renderDecimal(quantity)} × ${option}`)
    .join(', ')
}

/** A row for each option. The first rows have the present choice. */
function fieldsOf(action: Action, entitlement: Entitlement): Field<MemberOf<CallOf<'elect'>>>[] {
  const elections = entitlement.elections.filter((election) => election.void === '')
  const choices = plainChoices(action.options.map(({ option }) => option))
  const rows = Math.max(action.options.length, elections.length)
  return Array.from({ length: rows }, (_, index): Field<MemberOf<CallOf<'elect'>>>[] => [
    {
      name: `elections[${index}].option`,
      label: `Option ${index + 1}`,
      kind: 'choice',
      choices,
      none: 'None',
      first: elections[index]?.option ?? '',
    },
    {
      name: `elections[${index}].quantity`,
      label: `Quantity ${index + 1}`,
      kind: 'text',
      first: elections[index]?.quantity ?? '',
      ...(index === 0 ? { hint: 'Leave it empty for all that are left.' } : {}),
    },
  ]).flat()
}

interface PreviewProps {
  readonly action: Action
  readonly quantity: string
  readonly elections: readonly { readonly option?: string; readonly quantity?: string | undefined }[]
}

function Preview({ action, quantity, elections }: PreviewProps) {
  const divided = divideShares(quantity, elections, action.defaultOption)
  return (
    <Stack gap={2} aria-live="polite">
      <Text size="sm" fw={500}>
        {quantity.startsWith('-') ? 'What the short position owes' : 'What the position gets'}
      </Text>
      {divided === undefined ? (
        <Text size="sm" className="quiet">
          The elections must be for {renderDecimal(quantity.replace('-', ''))} shares at most.
        </Text>
      ) : (
        <List size="sm">
          {[...divided.elected, divided.rest].map(({ option, shares }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an option can be chosen twice
            <List.Item key={index}>
              {renderDecimal(shares)} × {option}
              {index === divided.elected.length && ' (default)'}
              <TermsOf action={action} option={option} />
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  )
}

function TermsOf({ action, option }: { readonly action: Action; readonly option: string }) {
  const found = action.options.find((one) => one.option === option)
  return (
    found && (
      <>
        : <Terms of={found} />
      </>
    )
  )
}

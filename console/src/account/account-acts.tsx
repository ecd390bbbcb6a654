/** The actions on an account as a whole. Each takes effect after the approval of a second person. */
import { Act } from '../act/act.tsx'
import { takeBackOf } from '../change/take-back.ts'
import { choicesOf } from '../design/codes.ts'
import { CorrectIdentity } from './correct-identity.tsx'
import type { Block } from './record.ts'
import { SetEntitlements } from './set-entitlements.tsx'
import { restrictionChoices } from './suspends.ts'

const reason = {
  name: 'reason',
  label: 'Reason',
  kind: 'long',
  required: true,
} as const

export function AccountActs({
  accountNumber,
  record,
}: {
  readonly accountNumber: string
  readonly record: Block
}) {
  const status = String(record.accountStatus ?? '')
  return (
    <>
      <SetEntitlements accountNumber={accountNumber} record={record} />
      <CorrectIdentity accountNumber={accountNumber} record={record} />
      <Act
        operation="place-restriction"
        label="Restrict…"
        inAddress
        title="Place a restriction"
        explains="It takes effect when a second person has approved it."
        notNow={
          status === 'Open' || status === 'Restricted' ? undefined : 'Only an open account can be restricted.'
        }
        fields={[
          {
            name: 'restrictionCode',
            label: 'Restriction',
            kind: 'choice',
            required: true,
            choices: restrictionChoices,
          },
          {
            name: 'holdGround',
            label: 'Ground of a temporary hold',
            kind: 'choice',
            none: 'The age of 65, or no temporary hold',
            hint: 'For suspected financial exploitation only (FINRA Rule 2165).',
            choices: choicesOf('holdGround'),
          },
          reason,
        ]}
        fixed={{ accountNumber }}
        undo={takeBackOf}
      />
      <Act
        operation="close-account"
        label="Close…"
        inAddress
        title="Close the account"
        danger
        explains="It is closed when a second person has approved it. The account must hold and owe nothing. Its follow-ups, waiting changes and restrictions end."
        notNow={whyNotClosed(status)}
        fields={[reason]}
        fixed={{ accountNumber }}
        undo={takeBackOf}
      />
    </>
  )
}

function whyNotClosed(status: string): string | undefined {
  return status === 'Open' || status === 'Restricted' ? undefined : 'Only an open account can be closed.'
}

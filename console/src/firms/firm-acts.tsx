/** Changes of a firm: add numbers and codes, change settings, disable and enable. */
import { limits } from '@clearing/protocol'
import { Act } from '../act/act.tsx'
import { choicesOf } from '../design/codes.ts'
import { renderCount } from '../design/count.ts'
import type { Firm } from './firms-screen.tsx'

export function FirmActs({ firm: { firmId, disabled, settings } }: { readonly firm: Firm }) {
  return (
    <>
      <Act
        operation="update-firm"
        label="Add numbers…"
        title="Add entity numbers and rep codes"
        submit="Add"
        fields={[
          {
            name: 'addEntityNumbers',
            label: 'Entity numbers',
            kind: 'words',
            hint: 'Three digits each; Enter after each.',
          },
          {
            name: 'addRepCodes',
            label: 'Rep codes',
            kind: 'words',
            hint: 'Four letters or digits each; Enter after each.',
          },
        ]}
        fixed={{ firmId }}
      />
      <Act
        operation="update-firm"
        label="Settings…"
        title="Settings and limits"
        submit="Save"
        fields={[
          {
            name: 'settings.duplicateApplications',
            label: 'Applications for the same person',
            kind: 'choice',
            choices: choicesOf('duplicatePolicy'),
            first: String(settings.duplicateApplications ?? ''),
          },
          {
            name: 'settings.requestsPerSecond',
            label: 'Requests a second',
            kind: 'whole',
            hint: `At most ${renderCount(limits.rateRequestsPerSecondMax)}.`,
            first: String(settings.requestsPerSecond ?? ''),
          },
          {
            name: 'settings.documentCatalogueClosed',
            label: 'Accept only documents of the catalogue',
            kind: 'flag',
            first: settings.documentCatalogueClosed === true,
          },
          {
            name: 'settings.keysOnly',
            label: 'Accept only signed token requests, no secrets',
            kind: 'flag',
            first: settings.keysOnly === true,
          },
          {
            name: 'settings.changesNeedingApproval',
            label: 'Changes by the firm that need the approval of a second person',
            kind: 'several',
            choices: choicesOf('approvalSubject'),
            first: Array.isArray(settings.changesNeedingApproval) ? settings.changesNeedingApproval : [],
          },
        ]}
        fixed={{ firmId }}
      />
      <Act
        operation="update-firm"
        label={disabled ? 'Enable…' : 'Disable…'}
        title={disabled ? 'Enable the firm' : 'Disable the firm'}
        danger={!disabled}
        explains={disabled ? 'Its credentials work again.' : 'Its tokens stop working within five seconds.'}
        fixed={{ firmId, disabled: !disabled }}
      />
    </>
  )
}

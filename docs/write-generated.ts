/**
 * Writes the parts of the documentation that the code's own tables know best, between the markers `<!-- generated: name
 * -->` and `<!-- end -->`. `node docs/write-generated.ts` writes them; with `--check` it only says which documents are
 * not current.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  holdPeriods,
  listCustodialAges,
  magicValues,
  registrationRuleOf,
  registrationRules,
  renderTransitions,
  sanctionedPlaces,
  scenarios,
  stageRules,
  transitions,
} from '@clearing/domain'
import {
  accountRules,
  codeLists,
  errorCatalogue,
  eventDataShapes,
  type FieldFormat,
  limits,
  type RuleMoment,
  renewalKinds,
} from '@clearing/protocol'
import { followUpOf } from './follow-up-of.ts'
import { listSentFields } from './list-sent-fields.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [heads, heads.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}

function code(text: string): string {
  return `\`${text}\``
}
function codes(texts: readonly string[]): string {
  return texts.map(code).join(' ')
}

const onFailure: Record<(typeof stageRules)[number]['onFailure'], string> = {
  Reject: 'the application is `Rejected`',
  Fail: 'the application is `CreationFailed`',
  Ask: 'the firm is asked to correct the field: `ActionRequired`',
  Continue: 'the account still opens; the stage stays `Failed`',
}

/** The transitions that leave a state, from the table of transitions; shown beside the diagram. */
function leavingTo(state: string): string {
  const states = new Set(
    transitions.filter(({ from, to }) => from === state && to !== state).map(({ to }) => to),
  )
  return states.size === 0 ? 'never left' : codes([...states])
}

function accountStatusOf(state: string): string {
  return transitions.find(({ to }) => to === state)?.accountStatus ?? 'Pending'
}

const effectWords = {
  refuse: 'refused',
  ask: 'asked',
  review: 'operations decide',
  restrict: 'the account is restricted',
  note: 'noted',
} as const

function amount(number: number): string {
  return number.toLocaleString('en-US')
}

const formatWords: Record<FieldFormat, string> = {
  text: 'text',
  code: 'a code',
  codes: 'codes',
  country: 'country',
  day: 'date',
  email: 'e-mail address',
  masked: 'number, masked to its last four characters',
  percent: 'percentage',
  phone: 'phone number',
  whole: 'whole number',
  yesNo: 'yes or no',
}

/** Every generated part by its name. */
const parts: Record<string, () => string> = {
  'record-fields': () =>
    table(
      ['Field', 'Label', 'Part of the record', 'Value', 'Why it is fixed'],
      listSentFields().map(({ path, place, field }) => [
        code(path),
        field.label,
        place,
        field.list === undefined ? formatWords[field.format] : code(field.list),
        field.fixed ?? '',
      ]),
    ),
  'error-catalogue': () =>
    table(
      ['Code', 'Name', 'Status', 'When', 'What to do'],
      errorCatalogue.map((row) => [row.code, row.name, row.status, row.condition, row.remedy]),
    ),
  'onboarding-diagram': () => `\`\`\`mermaid\n${renderTransitions()}\`\`\``,
  'onboarding-states': () =>
    table(
      ['currentState', 'Meaning', 'accountStatus', 'Next'],
      codeLists.onboardingState.map(({ value, label }) => [
        code(value),
        label,
        accountStatusOf(value),
        leavingTo(value),
      ]),
    ),
  'hold-periods': () =>
    table(
      ['Step', 'Business days', 'Condition', 'Source'],
      holdPeriods.map(({ begins, days, condition, source }) => [begins, days, condition, source]),
    ),
  'sanctioned-places': () =>
    table(
      ['Place', 'Name', 'Source'],
      sanctionedPlaces.map(({ id, name, source }) => [code(id), name, source]),
    ),
  stages: () =>
    table(
      ['Stage', 'What it does', 'When it fails'],
      stageRules.map(({ code: stage, onFailure: rule }) => [
        code(stage),
        codeLists.stageCode.find(({ value }) => value === stage)?.label ?? '',
        onFailure[rule],
      ]),
    ),
  'follow-ups': () =>
    table(
      ['Follow-up', 'Asks for', 'Kind', 'Answered by'],
      codeLists.followUpCode.map(({ value, label, kind, evidence }) => [
        code(value),
        label,
        kind,
        kind === 'Review'
          ? 'a decision of operations'
          : kind === 'Field'
            ? 'update-account'
            : codes(
                codeLists.documentReference
                  .filter((row) => row.evidence.some((one) => one === evidence))
                  .map((row) => row.value),
              ),
      ]),
    ),
  'follow-up-statuses': () =>
    table(
      ['Status', 'Meaning'],
      codeLists.followUpStatus.map(({ value, label }) => [code(value), label]),
    ),
  'magic-values': () =>
    table(
      ['taxIdNumber of the primary owner', 'What happens'],
      magicValues.map(({ taxIdNumber, effect }) => [code(taxIdNumber), effect]),
    ),
  scenarios: () =>
    table(
      ['name', 'Primary owner', 'What happens', 'Ends in'],
      scenarios.map(({ name, owner, effect, steps }) => [
        code(name),
        codes(Object.values(owner)),
        effect,
        code(steps.at(-1)?.reaches ?? ''),
      ]),
    ),
  'registration-types': () =>
    table(
      ['registrationType', 'Meaning', 'Primary owner', 'Also required', 'accountName ends with'],
      codeLists.registrationType.map((row) => [
        code(row.value),
        row.label,
        row.group === 'custodial'
          ? 'the minor'
          : row.ownerNameType === 'Entity'
            ? '`nameType` Entity'
            : 'a person',
        [
          ...registrationRuleOf(row.value).needs.map(({ anyOf }) => `a party with the role ${codes(anyOf)}`),
          ...(row.needsBeneficiary ? ['beneficiaries'] : []),
          ...(row.needsGovernmentIdentification ? ['government identification of the primary owner'] : []),
          ...(row.residentStates.length > 0 ? [`residence in ${row.residentStates.join(' ')}`] : []),
        ].join('; ') || 'nothing',
        row.accountNameSuffix === '' ? 'nothing' : code(row.accountNameSuffix),
      ]),
    ),
  'account-rules': () =>
    table(
      ['Rule', 'What holds', 'An application', 'A change', 'The business day', 'Source'],
      accountRules.map(({ value, label, effects, sandbox, code: errorCode, asks, holdsUp, source }) => {
        const effect = (moment: RuleMoment) => {
          const usual = effects[moment]
          if (usual === undefined) return ''
          if (usual === 'refuse') return `refused, ${code(errorCode)}`
          if (usual === 'ask')
            return `asked ${followUpOf(asks)}${holdsUp || moment === 'day' ? '' : ', once the account is open'}`
          const milder = sandbox === '' || sandbox === usual ? '' : `; ${effectWords[sandbox]} in the sandbox`
          return `${effectWords[usual]}${milder}`
        }
        return [code(value), label, effect('opening'), effect('change'), effect('day'), source]
      }),
    ),
  'custodial-ages': () =>
    table(
      ['Act', 'Ends at', 'States'],
      listCustodialAges().map(({ act, age, latest, states }) => [
        act,
        latest > age ? `${age}, or a later age that the transfer names, ${latest} at most` : age,
        states.length === 0 ? 'every other state' : states.join(' '),
      ]),
    ),
  'renewal-kinds': () =>
    table(
      ['Kind', 'What it is', 'Asked by', 'Not answered in time', 'Rule'],
      renewalKinds.map(({ value, label, asks, restricts, rule }) => [
        code(value),
        label,
        followUpOf(asks),
        restricts === '' ? 'nothing follows' : `restricted with ${code(restricts)}`,
        code(rule),
      ]),
    ),
  'role-table': () =>
    table(
      [
        'Registration',
        'Needs',
        'May have, beside `Associate`',
        'An absent role means',
        'Beneficiaries',
        'Margin',
      ],
      registrationRules.map(({ registrations, needs, mayHave, absentRole, beneficiaries, mayBorrow }) => [
        codes(registrations),
        needs
          .map(
            ({ anyOf, countMax }) =>
              `${codes(anyOf)}${countMax === undefined ? '' : `, at most ${countMax}`}`,
          )
          .join('; '),
        codes(mayHave),
        absentRole === undefined ? 'the role is required' : code(absentRole),
        beneficiaries ? 'yes' : 'no',
        mayBorrow ? 'yes' : 'no',
      ]),
    ),
  'document-catalogue': () =>
    table(
      ['documentTypeName', 'reference', 'Document', 'Answers'],
      codeLists.documentReference.map((row) => [
        row.documentTypeName,
        code(row.value),
        row.label,
        codes(
          codeLists.followUpCode
            .filter(({ evidence }) => evidence !== '' && row.evidence.some((one) => one === evidence))
            .map(({ value }) => value),
        ),
      ]),
    ),
  'document-statuses': () =>
    table(
      ['Status', 'Meaning'],
      codeLists.documentStatus.map(({ value, label }) => [code(value), label]),
    ),
  'document-rejections': () =>
    table(
      ['rejectionCode', 'Meaning'],
      codeLists.documentRejectionCode.map(({ value, label }) => [code(value), label]),
    ),
  scopes: () =>
    table(
      ['Scope', 'Allows', 'Granted to'],
      codeLists.scope.map(({ value, label, audience }) => [
        code(value),
        label,
        audience === 'firm' ? 'client firms' : 'operations alone',
      ]),
    ),
  'approval-subjects': () =>
    table(
      ['Subject', 'Changes'],
      codeLists.approvalSubject.map(({ value, label }) => [code(value), label]),
    ),
  'event-types': () =>
    table(
      ['Type', 'Meaning', 'data'],
      codeLists.eventType.map(({ value, label }) => [
        code(value),
        label,
        codes(Object.keys(eventDataShapes[value].properties).filter((name) => name !== 'accountNumber')),
      ]),
    ),
  limits: () =>
    table(
      ['Limit', 'Value', 'Beyond it'],
      [
        ['Lifetime of an access token', `${amount(limits.tokenLifetimeSeconds)} seconds`, 'ERR.3003'],
        ['Requests per second of a client, sustained', amount(limits.rateRequestsPerSecond), 'ERR.2007'],
        ['Requests of a client in a burst', amount(limits.rateBurstRequests), 'ERR.2007'],
        [
          'Body of a request, except uploads and loads',
          `${amount(limits.bodySizeBytesMax)} bytes`,
          'ERR.2015',
        ],
        ['Nesting of a JSON body', `${limits.jsonDepthMax} levels`, 'ERR.2004'],
        ['Items of an array in a request', amount(limits.arrayItemsMax), 'ERR.1015'],
        ['Errors in one response', amount(limits.rejectionsMax), 'further errors are left out'],
        ['Uploaded file', `${amount(limits.uploadSizeBytesMax)} bytes`, 'ERR.1022'],
        ['Documents of one account', amount(limits.documentsPerAccountMax), 'ERR.1022'],
        [
          'Documents of one account together',
          `${amount(limits.documentsPerAccountSizeBytesMax)} bytes`,
          'ERR.1022',
        ],
        ['Entries of a page, except the two below', amount(limits.pageSizeMax), 'ERR.1015'],
        ['Entries of a page of `list-events`', amount(limits.eventPageSizeMax), 'ERR.1015'],
        [
          'Entries of a page of `list-calls` and of `list-pending-lines`',
          amount(Math.min(limits.callsPageSizeMax, limits.pendingLinesPageSizeMax)),
          'ERR.1015',
        ],
        ['Years between dateFrom and dateTo', limits.activityRangeYearsMax, 'ERR.1025'],
        ['Length of an Idempotency-Key', `${limits.idempotencyKeyLengthMax} characters`, 'ERR.2004'],
        [
          'Days for which the response to a key is stored',
          limits.idempotencyKeptDays,
          'the key counts as a new one',
        ],
        [
          'Minutes in which an identical new-account or open-accounts without a key is recognized',
          limits.repeatWindowMinutes,
          'it opens further accounts',
        ],
        [
          'Unavailable account numbers that a firm requests in an hour',
          limits.refusedNumbersPerHourMax,
          'ERR.2007',
        ],
        ['Days for the answer to a follow-up', limits.followUpDueDays, '`ManualReview`'],
      ],
    ),
}

const marked = /(<!-- generated: ([a-z-]+) -->\n)(?:[\s\S]*?\n)??(<!-- end -->)/g

/** A document with its generated parts written anew; its own text stays as it is. */
export function writeParts(document: string): string {
  return document.replace(marked, (_, before: string, name: string, after: string) => {
    const render = parts[name]
    if (render === undefined)
      throw new Error(`there is no generated part ${name}; there are ${Object.keys(parts).join(', ')}`)
    return `${before}${render()}\n${after}`
  })
}

/** The names of the parts that no document shows. */
export function listUnshown(): string[] {
  const documents = globSync('docs/**/*.md', { cwd: root }).map((file) =>
    readFileSync(resolve(root, file), 'utf8'),
  )
  const shown = new Set(documents.flatMap((text) => [...text.matchAll(marked)].map(([, , name]) => name)))
  return Object.keys(parts).filter((name) => !shown.has(name))
}

/** The documents with generated parts, and whether each agrees with the code. */
export function listGenerated(): { file: string; current: boolean; text: string }[] {
  return globSync('docs/**/*.md', { cwd: root })
    .sort()
    .map((file) => ({ file, before: readFileSync(resolve(root, file), 'utf8') }))
    .filter(({ before }) => before.includes('<!-- generated: '))
    .map(({ file, before }) => {
      const text = writeParts(before)
      return { file, current: text === before, text }
    })
}

if (import.meta.main) {
  const stale = listGenerated().filter(({ current }) => !current)
  const check = process.argv.includes('--check')
  for (const { file, text } of stale) {
    if (!check) writeFileSync(resolve(root, file), text)
    console.log(check ? `${file} is not current: node docs/write-generated.ts` : `${file} written`)
  }
  if (check && stale.length > 0) process.exitCode = 1
}

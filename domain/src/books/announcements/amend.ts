/** What an amendment of an announcement changes, and which elections it makes void. Books 10. */
import { type Rejection, reject } from '@clearing/protocol/values'
import { renderDecimal } from '../../decimal.ts'
import type { ActionOption, Announcement, Election } from './announcement.ts'

/** What an amendment can change. The type and the security make the action what it is. */
export type AnnouncedTerms = Omit<Announcement, 'externalId' | 'type' | 'security'>

/** An action of another type or security is another action. */
export function whyNotAmended(before: Announcement, after: Announcement): Rejection[] {
  const kept = [
    ['type', 'type'],
    ['security', 'cusip'],
  ] as const
  return kept.flatMap(([name, field]) =>
    before[name] === after[name]
      ? []
      : [
          reject(
            'ERR.1015',
            field,
            `An amendment keeps the ${name} of the announcement. Cancel the announcement, and announce the action with another externalId.`,
          ),
        ],
  )
}

/** A field or a term of an option, as texts; empty where there is none. */
export interface TermChange {
  /** Empty for a field of the action itself. */
  readonly option: string
  readonly field: string
  readonly from: string
  readonly to: string
}

/** Everything that differs. The order of the options means nothing. */
export function changesOf(before: AnnouncedTerms, after: AnnouncedTerms): TermChange[] {
  const names = new Set([...before.options, ...after.options].map(({ option }) => option))
  const find = ({ options }: AnnouncedTerms, name: string) => options.find(({ option }) => option === name)
  return [
    ...differences('', actionTexts(before), actionTexts(after)),
    ...[...names].flatMap((name) =>
      differences(name, optionTexts(find(before, name)), optionTexts(find(after, name))),
    ),
  ]
}

type Texts = Readonly<Record<string, string>>

function differences(option: string, before: Texts, after: Texts): TermChange[] {
  return Object.keys({ ...before, ...after })
    .map((field) => ({ option, field, from: before[field] ?? '', to: after[field] ?? '' }))
    .filter(({ from, to }) => from !== to)
}

function actionTexts({ recordDate, exDate, payDate, deadline, defaultOption }: AnnouncedTerms): Texts {
  return { recordDate: recordDate ?? '', exDate, payDate, deadline: deadline ?? '', defaultOption }
}

function optionTexts(option: ActionOption | undefined): Texts {
  if (option === undefined) return {}
  const { type, ratio, toSecurity, cashPerShare, costShare, taxable, price, cashInLieuPrice } = option
  const amounts = Object.entries({ cashPerShare, costShare, price, cashInLieuPrice })
  return {
    type,
    ratio: ratio === undefined ? '' : `${renderDecimal(ratio.received)}:${renderDecimal(ratio.held)}`,
    toSecNo: toSecurity ?? '',
    taxable: taxable ? 'Y' : '',
    ...Object.fromEntries(
      amounts.map(([name, value]) => [name, value === undefined ? '' : renderDecimal(value)]),
    ),
  }
}

/**
 * The elections after an amendment. One whose option is gone or gives something else becomes void and stays void; a
 * changed rate, price or date keeps it.
 */
export function electionsAfter(
  before: AnnouncedTerms,
  after: AnnouncedTerms,
  elections: readonly Election[],
): Election[] {
  return elections.map((election) => {
    const reason = election.void ?? whyVoid(before, after, election.option)
    return reason === undefined ? election : { ...election, void: reason }
  })
}

function whyVoid(before: AnnouncedTerms, after: AnnouncedTerms, name: string): string | undefined {
  if (after.deadline === undefined) return 'The amended corporate action leaves no choice.'
  const [was, is] = [before, after].map(({ options }) => options.find(({ option }) => option === name))
  if (is === undefined) return `The amended corporate action has no option ${name}.`
  if (was?.type !== is.type || was.toSecurity !== is.toSecurity)
    return `The option ${name} of the amended corporate action gives something else.`
  return undefined
}

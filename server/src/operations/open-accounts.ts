/**
 * open-accounts: several applications in one transaction. Each is validated and stored as by new-account. A
 * refused application is not stored. With `allOrNone`, one refused application refuses all others.
 */
import {
  householdAccountRequest,
  prepareReading,
  type Rejection,
  type Request,
  readRequest,
  reject,
  rejectionsAsSent,
} from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { newCustomerId } from '../ids.ts'
import { type HouseholdAccount, type HouseholdPerson, namePersons } from '../onboarding/household.ts'
import { judgeApplication, submitApplication } from '../onboarding/submit-application.ts'
import type { NewAccount } from '../store/accounts.ts'
import type { SentApplication } from '../store/sent-applications.ts'
import { type Context, type Handler, textOf } from './context.ts'

prepareReading(householdAccountRequest)

export const openAccounts: Handler<'open-accounts'> = async (request, context) => {
  const persons = gatherPersons(request.persons ?? [], request.accounts)
  if ('rejections' in persons) return new Rejected(persons.rejections)
  const outcomes: (NewAccount | { readonly rejections: readonly Rejection[] })[] = []
  let text: SentApplication['text'] = textOf(context.body)
  // In sequence, because a later application may be a duplicate of an earlier one.
  for (const [position, item] of request.accounts.entries()) {
    const outcome = await openOne(item, persons.byName, context, { text, position })
    if ('accountNumber' in outcome && typeof text === 'string') text = { heldBy: outcome.accountNumber }
    outcomes.push(outcome)
  }
  if (request.allOrNone === 'true') {
    const rejections = outcomes.flatMap((outcome, position) =>
      'rejections' in outcome ? outcome.rejections.map((one) => within(position, one)) : [],
    )
    if (rejections.length > 0) return new Rejected(rejections)
  }
  const results = outcomes.map(renderResult)
  const rejected = outcomes.filter((outcome) => 'rejections' in outcome).length
  return { accepted: results.length - rejected, rejected, results }
}

async function openOne(
  item: unknown,
  persons: ReadonlyMap<string, HouseholdPerson>,
  context: Context,
  sent: SentApplication,
): Promise<NewAccount | { readonly rejections: readonly Rejection[] }> {
  const reading = readRequest(householdAccountRequest, item)
  const named = namePersons(reading.value as Partial<HouseholdAccount>, persons)
  const refused = {
    rejections: [...reading.rejections, ...named.rejections],
    paths: new Set([...reading.refusedPaths, ...named.rejections.map(({ field }) => field)]),
  }
  const judged = await judgeApplication(named.application, { ...context, refused })
  const outcome =
    'rejections' in judged ? judged : await submitApplication(judged, context, 'open-accounts', sent)
  return 'rejections' in outcome ? inNamesOfCaller(item, outcome.rejections) : outcome
}

function inNamesOfCaller(item: unknown, rejections: readonly Rejection[]) {
  return {
    rejections: rejectionsAsSent(householdAccountRequest, item, rejections),
  }
}

type Persons = NonNullable<Request<'open-accounts'>['persons']>

/** A person of the household is one customer in all accounts that name the person. */
function gatherPersons(
  persons: Persons,
  accounts: readonly unknown[],
): { readonly byName: Map<string, HouseholdPerson> } | { readonly rejections: Rejection[] } {
  const byName = new Map<string, HouseholdPerson>()
  const rejections: Rejection[] = []
  const named = new Set<string>()
  findNamed(accounts, named)
  const known = new Set(persons.map(({ person }) => person.toLowerCase()))
  // A person who is not named can be the one that an account misspells: the result of the account says so.
  const isMisspelled = [...named].some((name) => !known.has(name))
  persons.forEach(({ person, ...members }, position) => {
    const name = person.toLowerCase()
    if (byName.has(name)) {
      rejections.push(reject('ERR.1014', `persons[${position}].person`, 'Two persons have this name.'))
    } else if (!named.has(name) && !isMisspelled) {
      const reason = 'No account of the request names this person. Name it in an account, or leave it out.'
      rejections.push(reject('ERR.1015', `persons[${position}].person`, reason))
    }
    byName.set(name, { ...members, customerId: members.customerId ?? newCustomerId() })
  })
  return rejections.length > 0 ? { rejections } : { byName }
}

/** The names of persons in accounts, which are not read yet: a name in an account that is refused counts too. */
function findNamed(value: unknown, named: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && /^person$/i.test(key)) named.add(inner.trim().toLowerCase())
    else findNamed(inner, named)
  }
}

function within(position: number, { field, ...rest }: Rejection): Rejection {
  return {
    ...rest,
    field: field === '' ? `accounts[${position}]` : `accounts[${position}].${field}`,
  }
}

function renderResult(outcome: NewAccount | { readonly rejections: readonly Rejection[] }, position: number) {
  return 'rejections' in outcome
    ? {
        position,
        outcome: 'Rejected',
        accountNumber: '',
        accountName: '',
        accountStatus: '',
        errors: [...outcome.rejections],
      }
    : {
        position,
        outcome: 'Accepted',
        accountNumber: outcome.accountNumber,
        accountName: outcome.accountName,
        accountStatus: 'Pending',
        errors: [],
      }
}

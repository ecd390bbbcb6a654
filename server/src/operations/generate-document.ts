/**
 * generate-document: a form of the catalogue, filled from the account's record, as a PDF attachment. Nothing is stored.
 */
import type { Party } from '@clearing/domain'
import { codeLists, type Rejection, type Request, reject } from '@clearing/protocol'
import { FileAnswer, Rejected } from '../answers.ts'
import { type FormRule, forms } from '../documents/forms/forms.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { recordReading } from '../firm-rules/record-reading.ts'
import { type Account, readAccount } from '../store/accounts.ts'
import { easternDay } from '../store/books/calendar.ts'
import type { Context, Handler } from './context.ts'

const formsTypeName = 'New Accounts Documents'

export const generateDocument: Handler<'generate-document'> = async (request, context) => {
  const account = await readAccount(context.tx, request.accountNumber, context.keys)
  if (!account) return accountNotFound(context.firm)
  const { reference } = request
  const rule = forms[reference]
  const person = personOf(request, account)
  const rejections = [
    ...checkTypeName(request),
    ...checkProfiles(request),
    ...(rule ? [] : [reject('ERR.1015', 'reference', `The forms are ${Object.keys(forms).join(', ')}.`)]),
    ...(rule ? checkPerson(request, rule, person) : []),
  ]
  if (rejections.length > 0 || !rule || !person) return new Rejected(rejections)
  const refusal = rule.refuses(account.record, person)
  const personField = request.profiles?.length ? 'profiles' : 'customerId'
  if (refusal !== '')
    return new Rejected([reject('ERR.1015', rule.ofPerson ? personField : 'reference', refusal)])
  await recordReading(context, account, 'generate-document')
  const pdf = await print(reference, rule, account, person, context)
  const name = rule.ofPerson
    ? `${reference}-${account.accountNumber}-${fileWord(person)}`
    : `${reference}-${account.accountNumber}`
  return new FileAnswer(`${name}.pdf`, 'application/pdf', pdf.length, pdf)
}

const profile = /^(?:primary-?owner|associated-?party-(\d{1,3}))$/i

/** An owner or party of the account by customer id or by position. The default is the primary owner. */
function personOf(
  { customerId, profiles = [] }: Request<'generate-document'>,
  { record }: Account,
): Party | undefined {
  if (customerId)
    return [record.primaryOwner, ...record.associatedParties].find((party) => party.customerId === customerId)
  const [, place] = profile.exec(profiles[0] ?? '') ?? []
  return place === undefined ? record.primaryOwner : record.associatedParties[Number(place) - 1]
}

/** Checks that the name of the type, if given, is that of the reference. */
function checkTypeName({ reference, documentTypeName }: Request<'generate-document'>): Rejection[] {
  const row = codeLists.documentReference.find(({ value }) => value === reference)
  if (!documentTypeName || documentTypeName.toLowerCase() === row?.documentTypeName.toLowerCase()) return []
  return [reject('ERR.1015', 'documentTypeName', `The forms are ${formsTypeName}.`)]
}

function checkProfiles({ customerId, profiles = [] }: Request<'generate-document'>): Rejection[] {
  if (profiles.length === 0) return []
  const refuse = (reason: string) => [reject('ERR.1015', 'profiles', reason)]
  if (customerId) return refuse('Send customerId or profiles, not both.')
  if (profiles.length > 1) return refuse('A form is about one person: send one profile with each request.')
  if (profile.test(profiles[0] ?? '')) return []
  return refuse('A profile is primaryowner, or associatedparty-1 for the first associated party.')
}

function checkPerson(
  { customerId, profiles = [] }: Request<'generate-document'>,
  rule: FormRule,
  person: Party | undefined,
): Rejection[] {
  const field = customerId ? 'customerId' : 'profiles'
  if (!customerId && profiles.length === 0) return []
  if (!rule.ofPerson) return [reject('ERR.1015', field, 'This form is about the whole account.')]
  if (person) return []
  return [reject('ERR.1015', field, 'The account has no owner or party with this customer id or position.')]
}

async function print(
  reference: string,
  rule: FormRule,
  account: Account,
  person: Party,
  { parts, now, firm, caller }: Context,
): Promise<Buffer> {
  const form = rule.fill({
    accountNumber: account.accountNumber,
    accountName: account.accountName,
    record: account.record,
    firmName: firm.name,
    person,
    personalNumbers: caller.scopes.has('pii:read'),
  })
  const { accountNumber } = account
  const heading = { title: rule.title, code: reference, accountNumber, day: easternDay(now) }
  return parts.formPrinter.print(firm.firmId, form, heading)
}

/** Distinguishes the forms of two persons without a person's name in the file name. */
function fileWord(person: Party): string {
  return person.customerId ?? ''
}

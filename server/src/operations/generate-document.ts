/** generate-document: a form of the catalogue filled from the account's record, as a PDF attachment; nothing is stored. */
import type { Party } from '@clearing/domain'
import { type Rejection, type Request, reject } from '@clearing/protocol'
import { FileAnswer, Rejected } from '../answers.ts'
import { PrinterBusy } from '../documents/forms/form-printer.ts'
import { type FormRule, forms } from '../documents/forms/forms.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { PartUnavailable } from '../part-unavailable.ts'
import { type Account, readAccount } from '../store/accounts.ts'
import type { Context, Handler } from './context.ts'
import { recordReading } from './record-reading.ts'

export const generateDocument: Handler<'generate-document'> = async (request, context) => {
  const account = await readAccount(context.tx, request.accountNumber, context.keys)
  if (!account) return accountNotFound()
  const { reference } = request
  const rule = forms[reference]
  const person = personOf(request, account)
  const rejections = [
    ...(rule ? [] : [reject('ERR.1015', 'reference', `The forms are ${Object.keys(forms).join(', ')}.`)]),
    ...(rule ? checkPerson(request, rule, person) : []),
  ]
  if (rejections.length > 0 || !rule || !person) return new Rejected(rejections)
  const refusal = rule.refuses(account.record, person)
  if (refusal !== '')
    return new Rejected([reject('ERR.1015', rule.ofPerson ? 'customerId' : 'reference', refusal)])
  await recordReading(context, account, 'generate-document')
  const pdf = await print(reference, rule, account, person, context)
  const name = rule.ofPerson
    ? `${reference}-${account.accountNumber}-${fileWord(person)}`
    : `${reference}-${account.accountNumber}`
  return new FileAnswer(`${name}.pdf`, 'application/pdf', pdf.length, once(pdf))
}

/** Of an owner or party of the account; the primary owner unless another is named. */
function personOf({ customerId }: Request<'generate-document'>, { record }: Account): Party | undefined {
  return customerId
    ? [record.primaryOwner, ...record.associatedParties].find((party) => party.customerId === customerId)
    : record.primaryOwner
}

function checkPerson(
  { customerId }: Request<'generate-document'>,
  rule: FormRule,
  person: Party | undefined,
): Rejection[] {
  if (!customerId) return []
  if (!rule.ofPerson) return [reject('ERR.1015', 'customerId', 'This form is about the whole account.')]
  if (person) return []
  return [reject('ERR.1015', 'customerId', 'No owner or party of this account has this customer id.')]
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
  const day = now.toLocaleDateString('en-CA', { timeZone: 'America/New_York' })
  const heading = { title: rule.title, code: reference, accountNumber: account.accountNumber, day }
  try {
    return await parts.formPrinter.print(form, heading)
  } catch (fault) {
    if (fault instanceof PrinterBusy) throw new PartUnavailable('forms cannot be drawn now', { cause: fault })
    throw fault
  }
}

/** Tells the forms of two persons apart without a name in the file's own. */
function fileWord(person: Party): string {
  return person.customerId ?? ''
}

async function* once(pdf: Buffer): AsyncGenerator<Buffer> {
  yield pdf
}

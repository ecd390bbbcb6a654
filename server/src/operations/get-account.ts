/** get-account: the whole record in the requested shape. An access to personal numbers is recorded. */
import { renderShape1, renderShape2 } from '@clearing/domain'
import { type Data, reject } from '@clearing/protocol'
import { Answered, JsonText, Rejected } from '../answers.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { rendering } from '../firm-rules/account-rendering.ts'
import { checkOwnership } from '../firm-rules/ownership.ts'
import { readsPersonalNumbers, recordReading, recordReadingOfState } from '../firm-rules/record-reading.ts'
import { type Account, readAccount } from '../store/accounts.ts'
import type { Context, Handler } from './context.ts'

/** An empty number asks for neither shape (Reading 1.11). */
const emptyEntityNumber = reject('ERR.1001', 'entityNumber', 'Entity number must be 3 digits.')

export const getAccount: Handler<'get-account'> = async (request, context) => {
  const given: string | number | null = request.entityNumber ?? null
  const entityNumber = given === null ? undefined : String(given)
  if (entityNumber === '') return new Rejected([emptyEntityNumber])
  if (entityNumber !== undefined) {
    const rejections = await checkOwnership(context, { entityNumber }, '')
    if (rejections.length > 0) return new Rejected(rejections)
  }
  return readsPersonalNumbers(context)
    ? readPersonal(context, request.accountNumber, entityNumber)
    : readMasked(context, request.accountNumber, entityNumber)
}

async function readMasked(context: Context, accountNumber: string, entityNumber: string | undefined) {
  const account = await readAccount(context.tx, accountNumber, context.keys)
  if (!account || !isOfEntity(account, entityNumber)) return accountNotFound(context.firm)
  return render(context, account, entityNumber)
}

/**
 * Records the access. A rendered response is reused if the account's row has not changed; the statement that
 * writes the record also reads the state of that row.
 */
async function readPersonal(context: Context, accountNumber: string, entityNumber: string | undefined) {
  const { renderedAccounts } = context.parts
  const place = `${context.firm.firmId}/${accountNumber}/${entityNumber ?? ''}`
  const rendered = renderedAccounts.get(place)
  if (rendered !== undefined) {
    const state = await recordReadingOfState(context, accountNumber, 'get-account')
    if (state === rendered.state) return answerText(rendered.text)
  }
  const account = await readAccount(context.tx, accountNumber, context.keys)
  if (!account || !isOfEntity(account, entityNumber)) return accountNotFound(context.firm)
  if (rendered === undefined) await recordReading(context, account, 'get-account')
  const text = JSON.stringify(render(context, account, entityNumber))
  renderedAccounts.set(place, { state: account.state, text }, text.length)
  return answerText(text)
}

function answerText(text: string): Answered<Data<'get-account'>> {
  return new Answered<Data<'get-account'>>(new JsonText(text), {})
}

function render(context: Context, account: Account, entityNumber: string | undefined): Data<'get-account'> {
  return entityNumber === undefined
    ? renderShape2(account.record, rendering(account, context))
    : { message: renderShape1(account.record, rendering(account, context), { entityNumber: true }) }
}

function isOfEntity(account: Account, entityNumber: string | undefined): boolean {
  return entityNumber === undefined || account.entityNumber === entityNumber
}

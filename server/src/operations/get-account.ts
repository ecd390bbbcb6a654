/** get-account: the whole record in the requested shape. Reading personal numbers is recorded. */
import { renderShape1, renderShape2 } from '@clearing/domain'
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { rendering } from '../firm-rules/account-rendering.ts'
import { checkOwnership } from '../firm-rules/ownership.ts'
import { recordReading } from '../firm-rules/record-reading.ts'
import { type Account, readAccount } from '../store/accounts.ts'
import type { Handler } from './context.ts'

/** An empty shape is an error of the caller (Reading 1.11). */
const emptyEntityNumber = reject('ERR.1001', 'entityNumber', 'Entity number must be 3 digits.')

export const getAccount: Handler<'get-account'> = async (request, context) => {
  const entityNumber = request.entityNumber === undefined ? undefined : String(request.entityNumber)
  if (entityNumber === '') return new Rejected([emptyEntityNumber])
  if (entityNumber !== undefined) {
    const rejections = await checkOwnership(context, { entityNumber }, '')
    if (rejections.length > 0) return new Rejected(rejections)
  }
  const account = await readAccount(context.tx, request.accountNumber, context.keys)
  if (!account || !isOfEntity(account, entityNumber)) return accountNotFound()
  await recordReading(context, account, 'get-account')
  return entityNumber === undefined
    ? renderShape2(account.record, rendering(account, context))
    : { message: renderShape1(account.record, rendering(account, context), { entityNumber: true }) }
}

function isOfEntity(account: Account, entityNumber: string | undefined): boolean {
  return entityNumber === undefined || account.entityNumber === entityNumber
}

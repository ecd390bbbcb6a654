/**
 * account-number: reserves an account number. A later new-account of the same firm may name it (Reading 3.1).
 */

import { Rejected } from '../answers.ts'
import { checkOwnership } from '../firm-rules/ownership.ts'
import { newAccountNumber } from '../ids.ts'
import { insertReservedAccount } from '../store/accounts.ts'
import { writeAudit } from '../store/audit.ts'
import { writeFirstEvent } from '../store/events.ts'
import type { Handler } from './context.ts'

const attemptsMax = 20

export const accountNumber: Handler<'account-number'> = async (request, context) => {
  const entityNumber = String(request.entityNumber)
  const { repCode, registrationType } = request
  const rejections = await checkOwnership(context, { entityNumber, repCode }, 'repCode')
  if (rejections.length > 0) return new Rejected(rejections)
  const { tx, firm, now, traceId, parts } = context
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const number = newAccountNumber(parts.accountNumbers)
    const reserved = {
      accountNumber: number,
      firmId: firm.firmId,
      entityNumber,
      repCode,
      registrationType,
      at: now,
    }
    if (!(await insertReservedAccount(tx, reserved))) continue
    const event = {
      firmId: firm.firmId,
      accountNumber: number,
      type: 'account.reserved',
      at: now,
      traceId,
      content: { registrationType },
    }
    writeFirstEvent(tx, event, { entityNumber, repCode })
    writeAudit(context, {
      action: 'account-number',
      accountNumber: number,
      changes: { entityNumber, repCode, registrationType },
    })
    return { accountNumber: number, accountStatus: 'Reserved' }
  }
  throw new Error(`no free account number was found in ${attemptsMax} tries`)
}

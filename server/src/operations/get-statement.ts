/** get-statement: a version of a statement or confirmation, drawn as PDF from its stored content. */
import { reject } from '@clearing/protocol'
import { FileAnswer, Rejected } from '../answers.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import type { StatementContent } from '../statements/make-statement.ts'
import { readAccountHead } from '../store/accounts.ts'
import { readStatement, type StatementKind } from '../store/statements.ts'
import type { Handler } from './context.ts'

export const getStatement: Handler<'get-statement'> = async (request, context) => {
  const { tx, keys, firm } = context
  const { accountNumber, periodTo, statementVersion: version } = request
  const kind = request.kind as StatementKind
  if (!(await readAccountHead(tx, accountNumber))) return accountNotFound(firm)
  const found = await readStatement(tx, keys, { accountNumber, kind, periodTo }, version)
  if (found === undefined) {
    const which = version === undefined ? '' : ` in version ${version}`
    const why = `The account has no ${kind.toLowerCase()} to ${periodTo}${which}. list-statements returns those that were made.`
    return new Rejected([reject('ERR.2013', 'periodTo', why)])
  }
  const { form, heading } = JSON.parse(found.text) as StatementContent
  const code = found.version === 1 ? heading.code : `${heading.code} v${found.version}`
  const pdf = await context.parts.formPrinter.print(context.firm.firmId, form, { ...heading, code })
  const name = `${kind}-${accountNumber}-${periodTo}-v${found.version}.pdf`
  return new FileAnswer(name, 'application/pdf', pdf.length, pdf)
}

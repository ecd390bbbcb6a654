/**
 * load-account-terms: the lot method and the house maintenance rates of accounts. The lot method cannot change once the
 * account has activity, because reported gains depend on it.
 */
import type { LotMethod } from '@clearing/domain/books'
import { type Decimal, renderDecimal, wholeDecimal } from '@clearing/domain/decimal'
import { type Rejection, reject } from '@clearing/protocol/values'
import { type NewTerms, writeTerms } from '../../store/books/account-terms.ts'
import { type AccountBooks, type BookedAccount, lockAccountBooks } from '../../store/books/accounts.ts'
import type { RefusedLine } from '../../store/books/loads.ts'
import { holdBusinessDay } from '../../store/business-day.ts'
import { Directory } from '../directory.ts'
import { type AccountTermsValues, accountTermsShape } from '../lines/shapes.ts'
import { readLinesOf } from './read-lines.ts'
import { type Load, type Loader, nothingWritten } from './run-load.ts'

interface TermsLine {
  readonly source: number
  readonly account: BookedAccount
  readonly values: AccountTermsValues
}

interface ReadyTerms {
  readonly lines: readonly TermsLine[]
  readonly refused: readonly RefusedLine[]
}

export function accountTermsLoader(load: Load): Loader<ReadyTerms> {
  const directory = new Directory(load.pool)
  return {
    async prepare(raw) {
      const read = readLinesOf(accountTermsShape, raw)
      const numbers = read.lines.map(({ values }) => values.acctNo).filter((number) => number !== undefined)
      await directory.learn(numbers, [])
      const refused: RefusedLine[] = [...read.refused]
      const lines: TermsLine[] = []
      for (const { source, values } of read.lines) {
        const rejections = checkTerms(values)
        const account = values.acctNo === undefined ? undefined : directory.account(values.acctNo)
        if (values.acctNo === undefined) rejections.push(reject('ERR.1000', 'acctNo', 'acctNo is required.'))
        else if (account === undefined) {
          rejections.push(reject('ERR.2003', 'acctNo', 'There is no account with this number.'))
        }
        if (account === undefined || rejections.length > 0) refused.push({ line: source, rejections })
        else lines.push({ source, account, values })
      }
      return { lines, refused: refused.sort((a, b) => a.line - b.line) }
    },
    async write(tx, { lines, refused }) {
      if (lines.length === 0) return { ...nothingWritten, refused }
      holdBusinessDay(tx)
      const accounts = new Map(lines.map(({ account }) => [account.accountNumber, account]))
      const locked = await lockAccountBooks(tx, [...accounts.values()])
      const books = new Map(locked.map((row) => [row.accountNumber, row]))
      const rejected = [...refused]
      let accepted = 0
      let duplicates = 0
      // One line at a time: the second of two lines for one account builds on the first.
      for (const { source, account, values } of lines) {
        const row = books.get(account.accountNumber) as AccountBooks
        const { lotMethod } = values
        if (lotMethod !== undefined && lotMethod !== row.lotMethod && row.lineCount > 0n) {
          rejected.push({ line: source, rejections: [methodIsFixed] })
          continue
        }
        const changed = await writeTerms(tx, [termsOf(account, values)], load.now())
        if (changed.size > 0) accepted += 1
        else duplicates += 1
        if (lotMethod !== undefined) books.set(account.accountNumber, { ...row, lotMethod })
      }
      return { accepted, duplicates, conflicts: [], refused: rejected.sort((a, b) => a.line - b.line) }
    },
  }
}

const methodIsFixed = reject(
  'ERR.1021',
  'lotMethod',
  'lotMethod cannot change once the account has activity; use lotId to name the lot of a single sale.',
)

const longPercentMax = wholeDecimal(100)

function checkTerms(values: AccountTermsValues): Rejection[] {
  const rejections: Rejection[] = []
  const { lotMethod, houseLongPercent, houseShortPercent } = values
  if (lotMethod === undefined && houseLongPercent === undefined && houseShortPercent === undefined) {
    rejections.push(
      reject(
        'ERR.1000',
        'lotMethod',
        'At least one of lotMethod, houseLongPercent and houseShortPercent is required.',
      ),
    )
  }
  if (
    houseLongPercent !== undefined &&
    (isZero(houseLongPercent) || houseLongPercent.value > longPercentMax)
  ) {
    rejections.push(
      reject('ERR.1015', 'houseLongPercent', 'houseLongPercent must be above 0 and at most 100.'),
    )
  }
  if (houseShortPercent !== undefined && isZero(houseShortPercent)) {
    rejections.push(reject('ERR.1015', 'houseShortPercent', 'houseShortPercent must be above 0.'))
  }
  return rejections
}

function isZero({ value }: { readonly value: Decimal }): boolean {
  return value === 0n
}

function termsOf(account: BookedAccount, values: AccountTermsValues): NewTerms {
  const { lotMethod, houseLongPercent, houseShortPercent } = values
  return {
    accountNumber: account.accountNumber,
    lotMethod: (lotMethod as LotMethod | undefined) ?? null,
    houseLongPercent: houseLongPercent ? renderDecimal(houseLongPercent.value) : null,
    houseShortPercent: houseShortPercent ? renderDecimal(houseShortPercent.value) : null,
  }
}

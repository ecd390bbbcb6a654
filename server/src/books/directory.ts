/**
 * The accounts and securities that the lines of a load name. Each is read once and cached while the load
 * runs.
 */
import type { Security } from '@clearing/domain/books'
import { type Decimal, ONE } from '@clearing/domain/decimal'
import { cusipOfIsin, type SecurityKind } from '@clearing/domain/market'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { type FoundAccount, findBookedAccounts } from '../store/books/accounts.ts'
import { decimalOfColumn } from '../store/books/bulk.ts'
import { findKnownSecurities } from '../store/books/known-securities.ts'
import {
  bookedSecurity,
  findSecurities,
  type Identifiers,
  kindOfSecurity,
  type SecurityRow,
} from '../store/books/securities.ts'
import { readPastVersions, readSymbolOwners, type SymbolOwner } from '../store/books/security-versions.ts'
import { wrapDescription } from './activity-record.ts'

export interface KnownSecurity {
  readonly row: SecurityRow
  readonly kind: SecurityKind
  readonly booked: Security
  /** For the record of its activity. */
  readonly descriptionLines: readonly string[]
}

export type IdentifierName = keyof Identifiers
export type Named = { readonly [Name in IdentifierName]?: string | undefined }

const identifierNames: readonly IdentifierName[] = ['cusip', 'isin', 'sedol', 'symbol', 'secNo']
/** The size of the cache, which is emptied when it is full. */
const namesMax = 200_000

/** Whether the facts of the security can depend on the day of a line: a pool has a factor. */
export function isPool({ booked }: KnownSecurity): boolean {
  return booked.factor !== ONE
}

export class Directory {
  readonly #pool: Pool | undefined
  readonly #knownOn: string | undefined
  readonly #accounts = new Map<string, FoundAccount>()
  /** By secNo: the identifiers of earlier versions, each as its name and its value. */
  readonly #past = new Map<string, Set<string>>()
  /** By secNo: the factors of the versions of pools. */
  readonly #factors = new Map<string, { readonly from: string; readonly factor: Decimal }[]>()
  /** By symbol: who had it when. Empty for one that no security has given up. */
  readonly #owners = new Map<string, SymbolOwner[]>()
  readonly #securities: Readonly<Record<IdentifierName, Map<string, KnownSecurity>>> = {
    cusip: new Map(),
    isin: new Map(),
    sedol: new Map(),
    symbol: new Map(),
    secNo: new Map(),
  }

  /**
   * Without a pool, securities are found only by number, in the caller's transactions. With a closed day, the
   * directory returns the facts that were known on that day.
   */
  constructor(pool?: Pool, knownOn?: string) {
    this.#pool = pool
    this.#knownOn = knownOn
  }

  /** Whether the cache must be emptied before it takes more entries. */
  get isFull(): boolean {
    let names = this.#accounts.size
    for (const name of identifierNames) names += this.#securities[name].size
    return names > namesMax
  }

  /** Reads all names that are not cached, in one step. */
  async learn(accountNumbers: Iterable<string>, securities: Iterable<Named>): Promise<void> {
    if (this.isFull) this.forget()
    const unknownAccounts = [...new Set(accountNumbers)].filter((number) => !this.#accounts.has(number))
    const unknown = this.#unknownOf(securities)
    const asksSecurities = identifierNames.some((name) => unknown[name].length > 0)
    if (unknownAccounts.length === 0 && !asksSecurities) return
    if (this.#pool === undefined) throw new Error('this directory finds securities only by number')
    await inTransaction(this.#pool, { firm: null, readOnly: true, repeatable: true }, async (tx) => {
      const [accounts, rows] = await Promise.all([
        unknownAccounts.length === 0 ? [] : findBookedAccounts(tx, unknownAccounts),
        asksSecurities ? findSecurities(tx, unknown) : [],
      ])
      for (const account of accounts) this.#accounts.set(account.accountNumber, account)
      for (const row of rows) this.#remember(row)
    })
  }

  /** Reads who had symbols on earlier days, for `find` with a day. */
  async learnOwners(symbols: Iterable<string>): Promise<void> {
    const unknown = [...new Set(symbols)].filter((symbol) => !this.#owners.has(symbol))
    if (unknown.length === 0) return
    if (this.#pool === undefined) throw new Error('this directory finds securities only by number')
    const settings = { firm: null, readOnly: true, repeatable: true } as const
    const owners = await inTransaction(this.#pool, settings, (tx) => readSymbolOwners(tx, unknown))
    for (const symbol of unknown) this.#owners.set(symbol, [])
    for (const owner of owners) this.#owners.get(owner.symbol)?.push(owner)
    await this.learn(
      [],
      owners.map(({ secNo }) => ({ secNo })),
    )
  }

  /** Reads securities by number within a transaction. */
  async learnByNumber(tx: Tx, secNos: Iterable<string>): Promise<void> {
    const secNo = [...new Set(secNos)].filter((number) => !this.#securities.secNo.has(number))
    if (secNo.length === 0) return
    for (const row of await findKnownSecurities(tx, { symbol: [], secNo }, this.#knownOn)) this.#remember(row)
  }

  /** Reads the earlier identifiers and factors of securities, in the transaction of the caller or in one of its own. */
  async learnPast(secNos: Iterable<string>, tx?: Tx): Promise<void> {
    const unknown = [...new Set(secNos)].filter((secNo) => !this.#past.has(secNo))
    if (unknown.length === 0) return
    if (tx === undefined) {
      if (this.#pool === undefined) throw new Error('this directory needs the transaction of its caller')
      const settings = { firm: null, readOnly: true, repeatable: true } as const
      return await inTransaction(this.#pool, settings, (own) => this.learnPast(unknown, own))
    }
    const versions = await readPastVersions(tx, unknown)
    for (const secNo of unknown) {
      this.#past.set(secNo, new Set())
      this.#factors.set(secNo, [])
    }
    for (const version of versions) {
      const { entered_on: from, factor } = version
      this.#factors.get(String(version.sec_no))?.push({ from, factor: decimalOfColumn(factor) })
      const past = this.#past.get(String(version.sec_no))
      for (const name of ['cusip', 'isin', 'sedol', 'symbol'] as const) {
        if (version[name] !== null) past?.add(`${name} ${version[name]}`)
      }
    }
  }

  /** Whether a security has the identifier, or has had it in a version that `learnPast` has read. */
  hasOrHad({ row }: KnownSecurity, name: IdentifierName, value: string): boolean {
    if (name === 'secNo') return value === String(row.sec_no)
    return value === row[name] || this.#past.get(String(row.sec_no))?.has(`${name} ${value}`) === true
  }

  /**
   * The security with the factor that its pool had on a day, by the versions that `learnPast` has read. A day before
   * the first version has the factor of the first.
   */
  onDay(known: KnownSecurity, day: string | undefined): KnownSecurity {
    const factors = day !== undefined && isPool(known) ? this.#factors.get(known.booked.key) : undefined
    let then: (typeof factors & {})[number] | undefined
    let first: typeof then
    for (const version of factors ?? []) {
      if (first === undefined || version.from < first.from) first = version
      if (version.from <= (day as string) && (then === undefined || version.from > then.from)) then = version
    }
    const { factor = known.booked.factor } = then ?? first ?? {}
    return factor === known.booked.factor ? known : { ...known, booked: { ...known.booked, factor } }
  }

  account(accountNumber: string): FoundAccount | undefined {
    return this.#accounts.get(accountNumber)
  }

  security(secNo: string): KnownSecurity | undefined {
    return this.#securities.secNo.get(secNo)
  }

  /** A security that was read before. */
  known(secNo: string): KnownSecurity {
    const known = this.security(secNo)
    if (known === undefined) throw new Error(`security ${secNo} is not known`)
    return known
  }

  /**
   * The security with an identifier. A US or Canadian ISIN also finds a security that is known only by its CUSIP. With
   * a day, a symbol finds the security that had it at the end of that day, or that was the first to take it afterwards.
   */
  find(name: IdentifierName, value: string, day?: string): KnownSecurity | undefined {
    const owners = name === 'symbol' && day !== undefined ? this.#owners.get(value) : undefined
    if (owners !== undefined && owners.length > 0) {
      const owner =
        owners.find(
          ({ from, until }) => from <= (day as string) && (until === null || (day as string) < until),
        ) ?? owners.find(({ from }) => from > (day as string))
      if (owner !== undefined) return this.security(owner.secNo)
    }
    const found = this.#securities[name].get(value)
    if (found !== undefined || name !== 'isin') return found
    const cusip = cusipOfIsin(value)
    return cusip === null ? undefined : this.#securities.cusip.get(cusip)
  }

  /** Empties the cache because facts may have changed. */
  forget(): void {
    this.#accounts.clear()
    this.#past.clear()
    this.#factors.clear()
    this.#owners.clear()
    for (const name of identifierNames) this.#securities[name].clear()
  }

  #unknownOf(securities: Iterable<Named>): Record<IdentifierName, string[]> {
    const unknown: Record<IdentifierName, Set<string>> = {
      cusip: new Set(),
      isin: new Set(),
      sedol: new Set(),
      symbol: new Set(),
      secNo: new Set(),
    }
    for (const named of securities) {
      for (const name of identifierNames) {
        const value = named[name]
        if (value === undefined || this.#securities[name].has(value)) continue
        if (name !== 'secNo' || /^\d{1,18}$/.test(value)) unknown[name].add(value)
        const cusip = name === 'isin' ? cusipOfIsin(value) : null
        if (cusip !== null && !this.#securities.cusip.has(cusip)) unknown.cusip.add(cusip)
      }
    }
    return {
      cusip: [...unknown.cusip],
      isin: [...unknown.isin],
      sedol: [...unknown.sedol],
      symbol: [...unknown.symbol],
      secNo: [...unknown.secNo],
    }
  }

  #remember(row: SecurityRow): void {
    const kind = kindOfSecurity(row)
    const known: KnownSecurity = {
      row,
      kind,
      booked: bookedSecurity(row, kind),
      descriptionLines: wrapDescription(row.description),
    }
    this.#securities.secNo.set(String(row.sec_no), known)
    for (const name of ['cusip', 'isin', 'sedol', 'symbol'] as const) {
      const value = row[name]
      if (value !== null) this.#securities[name].set(value, known)
    }
  }
}

/** The facts that the rules of an account use beside the record: the day, and the paths that the reader rejected. */
import type { AccountRule, ErrorCode, Rejection } from '@clearing/protocol'
import { reject } from '@clearing/protocol/values'
import type { Address } from './record.ts'

export interface RuleSettings {
  /** Whether the record is an application, or an account that is open; an application if absent. */
  readonly moment?: 'opening' | 'change'
  /** The calendar day in New York, `yyyy-MM-dd`. */
  readonly today: string
  /** Tax ids that select an outcome of the sandbox and pass the rules; empty in production (docs/guides/sandbox.md). */
  readonly magicTaxIds: ReadonlySet<string>
  /** Paths that the reader rejected: they are absent from the record and are not reported twice. */
  readonly refusedPaths: ReadonlySet<string>
  /** The owner's residence when the property was transferred to the custodian; absent if it is that of the record. */
  readonly residenceAtTransfer?: Address | undefined
}

/** Collects rejections: one for each field, and none for a field that the reader rejected. */
export class Findings {
  readonly rejections: Rejection[] = []
  readonly #seen: Set<string>
  readonly #refused: ReadonlySet<string>

  constructor(refusedPaths: ReadonlySet<string>) {
    this.#refused = refusedPaths
    this.#seen = new Set()
  }

  add(code: ErrorCode, field: string, reason: string, rule?: AccountRule): void {
    if (this.has(field)) return
    this.#seen.add(field)
    this.rejections.push(reject(code, field, reason, rule))
  }

  /** Whether a rejection of this path is known, of the reader or of a rule. */
  has(field: string): boolean {
    return this.#seen.has(field) || this.wasRefused(field)
  }

  /** Whether the reader rejected this path, a path inside it, a block around it, or the request as a whole. */
  wasRefused(field: string): boolean {
    if (this.#refused.has(field) || this.#refused.has('')) return true
    for (const path of this.#refused) {
      if (path.startsWith(`${field}.`) || path.startsWith(`${field}[`)) return true
      if (field.startsWith(`${path}.`) || field.startsWith(`${path}[`)) return true
    }
    return false
  }
}

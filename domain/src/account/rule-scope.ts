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

/** A list of the record: a rejection of it concerns its items together. */
const lists: ReadonlySet<string> = new Set([
  'associatedParties',
  'beneficiaries',
  'transferOfDeathBeneficiaries',
  'retirementBenes',
  'largeTraders',
])

/**
 * Collects rejections: one for each field, and none for a field that the reader rejected. Several rules may reject one
 * field, and a list has a rejection for each reason, so that no error appears only after another one is corrected.
 */
export class Findings {
  readonly rejections: Rejection[] = []
  readonly #seen: Set<string>
  readonly #refused: ReadonlySet<string>

  constructor(refusedPaths: ReadonlySet<string>) {
    this.#refused = refusedPaths
    this.#seen = new Set()
  }

  add(code: ErrorCode, field: string, reason: string, rule?: AccountRule): void {
    if (this.#seen.has(field) || this.isUnknown(field)) return
    const key = lists.has(field) ? `${field} ${reason}` : rule === undefined ? field : `${field} ${rule}`
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.rejections.push(reject(code, field, reason, rule))
  }

  /** Whether a rejection of this path is known, of the reader or of a rule. */
  has(field: string): boolean {
    return this.#seen.has(field) || this.wasRefused(field)
  }

  /** Whether no rule can judge the path because of what the reader rejected. A list is known by its other items. */
  isUnknown(field: string): boolean {
    return lists.has(field) ? this.#isInsideRefused(field) : this.wasRefused(field)
  }

  /** Whether the reader rejected this path, a path inside it, a block around it, or the request as a whole. */
  wasRefused(field: string): boolean {
    if (this.#isInsideRefused(field)) return true
    for (const path of this.#refused) {
      if (path.startsWith(`${field}.`) || path.startsWith(`${field}[`)) return true
    }
    return false
  }

  /** Whether the reader rejected an item of a list as a whole, or one of the attributes of an item. */
  hasRefusedItem(list: string, attributes: readonly string[]): boolean {
    if (this.#isInsideRefused(list)) return true
    return [...this.#refused].some((path) => {
      if (!path.startsWith(`${list}[`)) return false
      const [, attribute] = path.split('].', 2)
      return attribute === undefined || attributes.includes(attribute)
    })
  }

  /** Whether the reader rejected this path, a block around it, or the request as a whole. */
  #isInsideRefused(field: string): boolean {
    if (this.#refused.has(field) || this.#refused.has('')) return true
    for (const path of this.#refused) {
      if (field.startsWith(`${path}.`) || field.startsWith(`${path}[`)) return true
    }
    return false
  }
}

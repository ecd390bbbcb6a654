/** A client firm as requests need it: its numbers, its codes and its settings (Reading 2.5). */
export interface Firm {
  readonly firmId: string
  readonly name: string
  readonly entityNumbers: ReadonlySet<string>
  readonly repCodes: ReadonlySet<string>
  readonly settings: FirmSettings
  /** The number of times that the firm came from another cell; the firm's cursors contain it. */
  readonly moves: number
  /** True while the firm arrives from another cell, or after it began to leave this one: its calls wait. */
  readonly moving: boolean
}

export interface FirmSettings {
  readonly duplicateApplications: 'Flag' | 'Review' | 'Refuse'
  readonly documentCatalogueClosed: boolean
  readonly requestsPerSecond: number
  /** Whether the service rejects client secrets, and tokens of credentials without keys. */
  readonly keysOnly: boolean
  /** The subjects that need a second person's approval from every caller (code list approvalSubject). */
  readonly changesNeedingApproval: readonly string[]
}

/** A client firm as requests need it: its numbers, its codes and its settings. */
/** A client firm (Reading 2.5). */
export interface Firm {
  readonly firmId: string
  readonly name: string
  readonly entityNumbers: ReadonlySet<string>
  readonly repCodes: ReadonlySet<string>
  readonly settings: FirmSettings
  /** How many times it came from another cell; its cursors say it. */
  readonly moves: number
  /** It arrives from another cell, or leaves or has left this one: its calls wait. */
  readonly moving: boolean
}

export interface FirmSettings {
  readonly duplicateApplications: 'Flag' | 'Review' | 'Refuse'
  readonly documentCatalogueClosed: boolean
  readonly requestsPerSecond: number
  /** Whether client secrets are rejected, and the tokens of credentials without keys. */
  readonly keysOnly: boolean
  /** What needs a second person's approval, for every caller (code list approvalSubject). */
  readonly changesNeedingApproval: readonly string[]
}

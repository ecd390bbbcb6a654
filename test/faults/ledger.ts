/**
 * The writes of a fault run and their responses, and the checks of the service against them. Each write has one entry
 * under its idempotency key, stored outside the service.
 */

export type Kind = 'new-account' | 'account-number' | 'update-account' | 'add-document'

export interface Entry {
  readonly kind: Kind
  readonly key: string
  /** The request of the sdk's method, the same for each attempt. */
  readonly request: object
  /** `sent`: no response is known, so the write may have taken effect. */
  state: 'sent' | 'acknowledged'
  /** The result in the acknowledgement: an account number, a document id, a version. */
  named?: string
}

/** The final state of the service, as far as the checks need it. */
export interface Found {
  readonly accounts: ReadonlySet<string>
  readonly reserved: ReadonlySet<string>
  /** Of each account: the ids of its large traders and its version. */
  readonly records: ReadonlyMap<string, { readonly traders: readonly string[]; readonly version: number }>
  /** Of each account: the ids of its documents. */
  readonly documents: ReadonlyMap<string, readonly string[]>
}

/**
 * Returns every difference between the acknowledged and the stored state. It is empty when nothing is lost and nothing
 * doubled.
 */
export function findDifferences(entries: readonly Entry[], found: Found): string[] {
  const differences: string[] = []
  const of = (kind: Kind) => entries.filter((entry) => entry.kind === kind)
  const compare = (kind: Kind, there: ReadonlySet<string>) => {
    const named = of(kind).map((entry) => entry.named ?? '')
    for (const { key, named: name } of of(kind)) {
      if (name === undefined || !there.has(name)) differences.push(`${kind} ${key}: ${name} is lost`)
    }
    if (new Set(named).size < named.length) differences.push(`${kind}: two keys have one effect`)
    for (const name of there)
      if (!named.includes(name)) differences.push(`${kind}: ${name} was made by no key`)
  }
  compare('new-account', found.accounts)
  compare('account-number', found.reserved)
  compare('add-document', new Set([...found.documents.values()].flat()))
  for (const [accountNumber, { traders, version }] of found.records) {
    const asked = of('update-account').filter(
      ({ request }) => (request as { accountNumber: string }).accountNumber === accountNumber,
    )
    for (const { key } of asked) {
      const times = traders.filter((id) => id === key).length
      if (times !== 1) differences.push(`update-account ${key}: ${times} times in ${accountNumber}`)
    }
    if (version !== asked.length + 1) {
      differences.push(`${accountNumber}: version ${version} after ${asked.length} changes`)
    }
  }
  return differences
}

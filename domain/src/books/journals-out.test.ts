// The journals that take money or securities out of an account, beside those between its account types.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, ZERO } from '../decimal.ts'
import type { Entitlement } from './entitlements.ts'
import { type JournalLine, usedByJournals } from './journals-out.ts'

type Given = [text: string, more?: Partial<JournalLine>]

function cash(text: string, more: Partial<JournalLine> = {}): JournalLine {
  const common = { externalId: text, acctType: 1, currency: 'USD', tradeDate: '2026-03-02' } as const
  return {
    ...common,
    quantity: ZERO,
    netAmount: decimal(text),
    securityKey: undefined,
    elsewhere: false,
    ...more,
  }
}
function shares(text: string, more: Partial<JournalLine> = {}): JournalLine {
  return cash(text, { netAmount: ZERO, quantity: decimal(text), securityKey: '7', ...more })
}

const out = { elsewhere: true }
const none: readonly string[] = []
const rows: readonly [what: string, make: typeof cash, lines: Given[], out: readonly string[]][] = [
  ['to another account leaves', cash, [['-5', out]], ['-5']],
  ['from another account does not', cash, [['5', out]], none],
  ['without another side leaves', cash, [['-5']], ['-5']],
  ['that comes in does not', cash, [['5']], none],
  ['to another account type stays', cash, [['-5'], ['5', { acctType: 2 }]], none],
  ['to another account type stays, in either order', cash, [['5', { acctType: 2 }], ['-5']], none],
  ['of another day is no other side', cash, [['-5'], ['5', { tradeDate: '2026-03-03' }]], ['-5']],
  ['of another currency is no other side', cash, [['-5'], ['5', { currency: 'EUR' }]], ['-5']],
  ['from another account is no other side', cash, [['-5'], ['5', out]], ['-5']],
  ['to another account has no other side', cash, [['-5', out], ['5']], ['-5']],
  ['to two account types stays', cash, [['-5'], ['3'], ['2']], none],
  ['from two account types stays', cash, [['-3'], ['-2'], ['5']], none],
  ['that is taken up in part leaves', cash, [['-5'], ['4']], ['-5']],
  ['has its equal as its other side first', cash, [['-3'], ['-5'], ['5']], ['-3']],
  ['is compared before the later ones', cash, [['-4'], ['-3'], ['6']], ['-3']],
  ['of securities to another account leaves', shares, [['-5', out]], ['-5']],
  ['of securities without another side leaves', shares, [['-5', { acctType: 2 }]], ['-5']],
  ['of securities to another account type stays', shares, [['-5'], ['5', { acctType: 2 }]], none],
  ['of another security is no other side', shares, [['-5'], ['5', { securityKey: '8' }]], ['-5']],
  ['of shares to a short position stays', shares, [['5', { acctType: 3 }], ['-5']], none],
  ['of a short position into the account does not leave', shares, [['-5', { acctType: 3 }]], none],
  ['of a short position from another account does not', shares, [['-5', { ...out, acctType: 3 }]], none],
  ['of a short position to another account type stays', shares, [['-5', { acctType: 3 }], ['5']], none],
]

describe('a journal', () => {
  for (const [what, make, lines, expected] of rows) {
    test(what, () => {
      const used = usedByJournals(lines.map(([text, more]) => make(text, more)))
      const uses: Entitlement = make === cash ? 'Withdrawals' : 'TransfersOut'
      assert.deepEqual(
        [...used],
        expected.map((lineId) => [lineId, [uses]]),
      )
    })
  }

  test('of cash in account type 3 leaves', () => {
    assert.deepEqual([...usedByJournals([cash('-5', { acctType: 3 })])], [['-5', ['Withdrawals']]])
  })

  test('of securities with cash uses both rights', () => {
    const both = shares('-5', { ...out, netAmount: decimal('-1') })
    assert.deepEqual([...usedByJournals([both])], [['-5', ['TransfersOut', 'Withdrawals']]])
  })
})

// The change of margin and of the option level of an open account: what each needs, and what it writes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AccountRecord, Main } from '../record.ts'
import { rightAccount, today } from '../testing/right-accounts.ts'
import { type AskedEntitlements, changeEntitlements } from './change-entitlements.ts'
import { optionLevelOf } from './entitlements.ts'
import type { Registration } from './registration-roles.ts'

const suitable = { netWorth: '100,000-199,999', investmentExperience: { options: 'Limited' } }

function account(main: Main, registration: Registration = 'Individual'): AccountRecord {
  return { ...rightAccount(registration), main: { repCode: 'JC01', ...main }, financialProfile: suitable }
}
function change(record: AccountRecord, asked: AskedEntitlements, ...onFile: string[]) {
  return changeEntitlements(record, asked, { today, onFile: new Set(onFile) })
}

const cash = { marginIndicator: 'false', optionTradingIndicator: 'false' }
const margin = { ...cash, marginIndicator: 'true' }
function level(optionTradingLevel: string, of: Main = cash): Main {
  return { ...of, optionTradingIndicator: 'true', optionTradingLevel }
}

describe('the change of entitlements', () => {
  type Row = [
    what: string,
    record: AccountRecord,
    asked: AskedEntitlements,
    onFile: string[],
    changed: string[],
  ]
  const rows: Row[] = [
    [
      'margin is added with its agreement',
      account(cash),
      { marginIndicator: 'true' },
      ['MRGN'],
      ['main.marginIndicator false true'],
    ],
    [
      'an account that never named its margin gets it',
      account({}),
      { marginIndicator: 'true' },
      ['MRGN'],
      ['main.marginIndicator  true'],
    ],
    [
      'margin ends without an agreement',
      account(margin),
      { marginIndicator: 'false' },
      [],
      ['main.marginIndicator true false'],
    ],
    [
      'options are added with their agreement',
      account(cash),
      { optionTradingLevel: '1' },
      ['OPTS'],
      ['main.optionTradingIndicator false true', 'main.optionTradingLevel  1'],
    ],
    [
      'an account that trades options without a level gets it with the agreement',
      account({ ...cash, optionTradingIndicator: 'true' }),
      { optionTradingLevel: '2' },
      ['OPTS'],
      ['main.optionTradingLevel  2'],
    ],
    [
      'the level of an account that trades options rises without another agreement',
      account(level('1')),
      { optionTradingLevel: '2' },
      [],
      ['main.optionTradingLevel 1 2'],
    ],
    [
      'a level that borrows is added together with margin',
      account(level('2')),
      { optionTradingLevel: '5', marginIndicator: 'true' },
      ['MRGN'],
      ['main.marginIndicator false true', 'main.optionTradingLevel 2 5'],
    ],
    [
      'options end',
      account(level('2')),
      { optionTradingLevel: '0' },
      [],
      ['main.optionTradingIndicator true false', 'main.optionTradingLevel 2 0'],
    ],
    [
      'options are added to an account with margin without another margin agreement',
      account(margin),
      { optionTradingLevel: '1' },
      ['OPTS'],
      ['main.optionTradingIndicator false true', 'main.optionTradingLevel  1'],
    ],
    [
      'margin ends at the same level although the account lacks the facts for it',
      { ...account(level('2', margin)), financialProfile: {} },
      { marginIndicator: 'false' },
      [],
      ['main.marginIndicator true false'],
    ],
    [
      'a level is lowered although the account lacks the facts for it',
      { ...account(level('4')), financialProfile: {} },
      { optionTradingLevel: '3' },
      [],
      ['main.optionTradingLevel 4 3'],
    ],
    [
      'an IRA that was given margin loses it',
      account(margin, 'IraRoth'),
      { marginIndicator: 'false' },
      [],
      ['main.marginIndicator true false'],
    ],
  ]
  for (const [what, record, asked, onFile, expected] of rows) {
    test(what, () => {
      const came = change(record, asked, ...onFile)
      assert.ok('changes' in came, JSON.stringify(came))
      assert.deepEqual(
        came.changes.map(({ field, from = '', to }) => `${field} ${from} ${to}`),
        expected,
      )
      const { main, ...rest } = came.amended
      const { main: before, ...others } = record
      assert.deepEqual(rest, others)
      const changed = Object.fromEntries(came.changes.map(({ field, to }) => [field.split('.')[1], to]))
      assert.deepEqual(main, { ...before, ...changed })
    })
  }
})

describe('a change of entitlements is refused', () => {
  type Row = [
    what: string,
    record: AccountRecord,
    asked: AskedEntitlements,
    onFile: string[],
    refused: RegExp[],
  ]
  const rows: Row[] = [
    [
      'margin without its agreement',
      account(cash),
      { marginIndicator: 'true' },
      ['OPTS', 'CASH'],
      [
        /^ERR.2047 marginIndicator Margin needs the margin agreement \(MRGN\), approved on this account, and there is none \(17 CFR/,
      ],
    ],
    [
      'options without their agreement',
      account(cash),
      { optionTradingLevel: '1' },
      ['MRGN'],
      [/^ERR.2047 optionTradingLevel Option trading needs the option agreement \(OPTS\).*2360/],
    ],
    [
      'a higher level without the facts of the owner',
      { ...account(level('1')), financialProfile: {} },
      { optionTradingLevel: '2' },
      [],
      [
        /^ERR.2047 optionTradingLevel An account that trades options must state the owner's experience/,
        /^ERR.2047 optionTradingLevel An account that trades options must state the owner's financial profile/,
      ],
    ],
    [
      'a level that borrows without margin',
      account(level('2')),
      { optionTradingLevel: '3' },
      [],
      [/^ERR.2047 marginIndicator Option level 3 is held in a margin account/],
    ],
    [
      'the end of margin below a level that borrows',
      account(level('3', margin)),
      { marginIndicator: 'false' },
      [],
      [/^ERR.2047 marginIndicator Option level 3/],
    ],
    [
      'margin of an estate',
      account(cash, 'Estate'),
      { marginIndicator: 'true' },
      ['MRGN'],
      [/^ERR.1015 marginIndicator An account of the registration Estate has no margin/],
    ],
    [
      'a level of an IRA that goes short',
      account(level('2'), 'IraRoth'),
      { optionTradingLevel: '4' },
      [],
      [/^ERR.1015 optionTradingLevel Option level 4 borrows or goes short/],
    ],
    ['nothing', account(cash), {}, [], [/^ERR.2010 {2}The account has these entitlements already/]],
    ['margin again', account(margin), { marginIndicator: 'true' }, [], [/^ERR.2010/]],
    ['the same level', account(level('2')), { optionTradingLevel: '2' }, [], [/^ERR.2010/]],
    [
      'no options again',
      account({}),
      { optionTradingLevel: '0', marginIndicator: 'false' },
      [],
      [/^ERR.2010/],
    ],
  ]
  for (const [what, record, asked, onFile, expected] of rows) {
    test(what, () => {
      const came = change(record, asked, ...onFile)
      assert.ok('rejections' in came)
      const said = came.rejections.map(({ code, field, reason }) => `${code} ${field} ${reason}`)
      assert.equal(said.length, expected.length, said.join('\n'))
      for (const [at, pattern] of expected.entries()) assert.match(said[at] ?? '', pattern)
    })
  }
})

describe('the option level of an account', () => {
  for (const [indicator, stated, level] of [
    ['true', '2', 2],
    ['false', '2', 0],
    ['true', '', 0],
    ['true', undefined, 0],
    [undefined, undefined, 0],
  ] as const) {
    test(`is ${level} with the indicator ${indicator} and the level ${stated || 'absent'}`, () => {
      const main = { optionTradingIndicator: indicator, optionTradingLevel: stated } as Main
      assert.equal(optionLevelOf(main), level)
    })
  }
})

// Who may approve the change of a person, by who gave both of them access to the console.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { StaffRole } from '@clearing/protocol'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { prepareGround, type TestGround } from '../identity/test-service.ts'
import { newId } from '../ids.ts'
import { giveAccess, insertStaff, readStaffByEmail } from '../store/staff.ts'
import { whySameHand } from './give-access.ts'

let ground: TestGround
before(async () => {
  ground = await prepareGround()
  await write(async (tx) => {
    for (const [name, role] of [
      ['ada', 'admin'],
      ['bo', 'admin'],
      ['cy', 'principal'],
      ['di', 'operator'],
      ['ed', 'principal'],
    ] as const)
      await addPerson(tx, name, role)
  })
})
after(() => ground?.[Symbol.asyncDispose]())

const now = new Date('2026-11-27T12:00:00Z')
function hoursAgo(hours: number): Date {
  return new Date(now.getTime() - hours * 3_600_000)
}
function emailOf(name: string): string {
  return name.includes('@') || name === 'loader' ? name : `${name}@desk.example`
}
function write<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(ground.database.operations, { firm: null }, body)
}
async function addPerson(tx: Tx, name: string, role: StaffRole) {
  const staffId = newId(now)
  const email = emailOf(name)
  await insertStaff(tx, {
    staffId,
    email,
    name,
    role,
    passwordHash: 'x',
    passwordTemporary: false,
    at: hoursAgo(900),
  })
}

/** Whether the approver may approve after the gifts of access, none of which is stored. */
function mayApprove(
  requester: string,
  approver: string,
  gifts: readonly (readonly [by: string, to: string, hours: number])[],
): Promise<boolean> {
  return write(async (tx) => {
    for (const [by, to, hours] of gifts) {
      const staff = await readStaffByEmail(tx, emailOf(to))
      assert.ok(staff)
      await giveAccess(tx, staff.staffId, emailOf(by).toUpperCase(), hoursAgo(hours))
    }
    const why = await whySameHand(
      tx,
      { requester: emailOf(requester), approver: emailOf(approver).toUpperCase() },
      now,
    )
    tx.abandon()
    return why === undefined
  })
}

const rows: readonly [
  what: string,
  requester: string,
  approver: string,
  gifts: [by: string, to: string, hours: number][],
  may: boolean,
][] = [
  ['no person gave access lately', 'ada', 'cy', [], true],
  ['the requester gave access to the approver', 'ada', 'cy', [['ada', 'cy', 1]], false],
  ['this was 72 hours ago', 'ada', 'cy', [['ada', 'cy', 72]], true],
  ['another admin gave access to the approver', 'ada', 'cy', [['bo', 'cy', 1]], true],
  ['the approver gave access to the requester', 'di', 'ada', [['ada', 'di', 71]], false],
  [
    'one admin gave access to both',
    'di',
    'cy',
    [
      ['ada', 'di', 1],
      ['ada', 'cy', 1],
    ],
    false,
  ],
  [
    'two admins gave access',
    'di',
    'cy',
    [
      ['ada', 'di', 1],
      ['bo', 'cy', 1],
    ],
    true,
  ],
  [
    'an admin whom the requester made gave access to the approver',
    'ada',
    'cy',
    [
      ['ada', 'bo', 2],
      ['bo', 'cy', 1],
    ],
    false,
  ],
  [
    'two admins gave access to each other, and to none of the two',
    'di',
    'cy',
    [
      ['ada', 'bo', 2],
      ['bo', 'ada', 1],
    ],
    true,
  ],
  ['a credential gave access to the approver', 'di', 'cy', [['loader', 'cy', 1]], false],
]
for (const [what, requester, approver, gifts, may] of rows)
  test(`a second person ${may ? 'approves' : 'does not approve'}: ${what}`, async () => {
    assert.equal(await mayApprove(requester, approver, gifts), may)
  })

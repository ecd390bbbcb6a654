/**
 * The people of a new sandbox, one of each role, and their common password. The password is made once, stored
 * with the data, and printed at every start. A production service does not start while one of these people
 * can sign in.
 */
import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StaffRole } from '@clearing/protocol'
import type { Pool } from '../../database/pool.ts'
import { inTransaction } from '../../database/transaction.ts'
import { insertStaff, readStaff, writePassword } from '../../store/staff.ts'
import { hashPassword, makePassword, matchesPassword } from './password.ts'

const sandboxStaff: readonly {
  readonly email: string
  readonly name: string
  readonly role: StaffRole
}[] = [
  { email: 'viewer@example.com', name: 'Vera Vance', role: 'viewer' },
  { email: 'operator@example.com', name: 'Oscar Ortiz', role: 'operator' },
  { email: 'principal@example.com', name: 'Paula Price', role: 'principal' },
  { email: 'admin@example.com', name: 'Ada Adams', role: 'admin' },
]

export function sandboxPasswordFile(dataDir: string): string {
  return join(dataDir, 'staff-password')
}

/** Creates the missing people, sets the password from the file, and returns it. */
export async function seedSandboxStaff(settings: {
  operations: Pool
  dataDir: string
  now: Date
}): Promise<string> {
  const { operations, dataDir, now: at } = settings
  const password = await readOrMakePassword(sandboxPasswordFile(dataDir))
  await inTransaction(operations, { firm: null }, async (tx) => {
    const known = new Map((await readStaff(tx)).map((staff) => [staff.email, staff]))
    const kept = new Set(sandboxStaff.map(({ email }) => known.get(email)?.passwordHash))
    const [first] = kept
    // All people share one hash, which is verified once, so that a start does not wait for each person.
    if (kept.size === 1 && first && (await matchesPassword(password, first))) return
    const passwordHash = await hashPassword(password)
    for (const person of sandboxStaff) {
      const there = known.get(person.email)
      if (there) await writePassword(tx, there.staffId, passwordHash, false)
      else
        await insertStaff(tx, {
          ...person,
          staffId: randomUUID(),
          passwordHash,
          passwordTemporary: false,
          at,
        })
    }
  })
  return password
}

async function readOrMakePassword(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch {
    const password = makePassword()
    await writeFile(file, `${password}\n`, { mode: 0o600 })
    return password
  }
}

/** Why production takes no person with this e-mail address; undefined for every other address. */
export function whyOfSandbox(email: string): string | undefined {
  return sandboxStaff.some((person) => person.email === email.toLowerCase())
    ? 'This is the address of a person of the sandbox. A production service does not start while such a person can sign in.'
    : undefined
}

/** The addresses of the people of the sandbox who could sign in. */
export async function findSandboxStaff(operations: Pool): Promise<string[]> {
  const staff = await inTransaction(operations, { firm: null, readOnly: true }, readStaff)
  return staff
    .filter(({ email, disabledAt }) => disabledAt === null && whyOfSandbox(email) !== undefined)
    .map(({ email }) => email)
}

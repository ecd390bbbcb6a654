/**
 * Makes work that waits for a person, through the service as firms do: an application, a match, documents of every
 * kind.
 */
import type { Client } from '@clearing/sdk'
import { applicationOf } from '../acceptance/applications.ts'
import { follow, open } from '../acceptance/calling.ts'

async function submit(firm: Client, owner: object, changes: object = {}) {
  const { accountNumber } = await open(firm, applicationOf(owner, changes))
  await follow(firm, accountNumber)
  return accountNumber
}

/** In ManualReview until a person decides. */
export function waitingApplication(firm: Client, owner: object = {}) {
  return submit(firm, { taxIdNumber: '000000004', ...owner })
}

/** With a possible match of a watch list. */
export function waitingMatch(firm: Client, owner: object = {}) {
  return submit(firm, { taxIdNumber: '000000005', ...owner })
}

export interface SampleFile {
  readonly name: string
  readonly content: Uint8Array
}

/** An application that asks for a proof of address, and one whose document waits for review. */
export async function waitingDocument(firm: Client, file: SampleFile, displayName = 'Electricity bill') {
  const accountNumber = await submit(firm, { taxIdNumber: '000000002' })
  const { data } = await firm.addDocument({
    documentTypeName: 'Identity Documents',
    reference: 'UTIL',
    accountNumber,
    displayName,
    file: file as never,
  })
  return { accountNumber, documentId: data.documentId }
}

/**
 * Compares an application as it was sent with the record created from it: every value, under its name in the
 * request and in the record.
 */
import { maskPersonalNumbers } from '@clearing/domain'
import {
  compareReading,
  householdAccountRequest,
  householdPersonRequest,
  memberAsSent,
  operations,
  type ReadValue,
  redactRequest,
} from '@clearing/protocol'
import type { KeptApplication } from '../store/sent-applications.ts'

export interface ComparedApplication {
  /**
   * The text of the request. Of a request with several accounts: this account and the persons that it names.
   */
  readonly text: string
  readonly values: readonly ReadValue[]
}

const one = operations['new-account'].request
const several = operations['open-accounts'].request

/** `inFull`: the reader may see personal numbers and birth dates. */
export function compareApplication(kept: KeptApplication, inFull: boolean): ComparedApplication {
  const compared = kept.position === undefined ? compareOne(kept.text, inFull) : compareOneOf(kept, inFull)
  return inFull ? compared : { ...compared, values: compared.values.map(maskValue) }
}

function compareOne(text: string, inFull: boolean): ComparedApplication {
  const sent: unknown = JSON.parse(text)
  return { text: inFull ? text : redacted(one, sent), values: compareReading(one, sent) }
}

function compareOneOf({ text, position = 0 }: KeptApplication, inFull: boolean): ComparedApplication {
  const sent: unknown = JSON.parse(text)
  const account = listOf(sent, 'accounts')[position]
  const values = compareReading(householdAccountRequest, account)
  const names = new Set(
    values.filter(({ name }) => name === 'person').map((value) => value.sent.toLowerCase()),
  )
  const persons = listOf(sent, 'persons').filter((person) =>
    names.has(String(memberAsSent(householdPersonRequest, person, 'person')).toLowerCase()),
  )
  const shown = (schema: typeof one | typeof householdPersonRequest, value: unknown) =>
    inFull ? JSON.stringify(value) : redacted(schema, value)
  const personTexts = persons.map((person) => shown(householdPersonRequest, person))
  return {
    text: `{"persons":[${personTexts.join(',')}],"account":${shown(householdAccountRequest, account)}}`,
    values: [...values, ...persons.flatMap(valuesOfPerson)],
  }
}

function valuesOfPerson(person: unknown, at: number): ReadValue[] {
  const within = (path: string) => `persons[${at}].${path}`
  return compareReading(householdPersonRequest, person).map((value) => ({
    ...value,
    field: within(value.field),
    sentAs: within(value.sentAs),
  }))
}

function listOf(sent: unknown, name: string): readonly unknown[] {
  const list = memberAsSent(several, sent, name)
  return Array.isArray(list) ? list : []
}

function redacted(schema: Parameters<typeof redactRequest>[0], value: unknown): string {
  return redactRequest(schema, value, Number.POSITIVE_INFINITY)
}

function maskValue(value: ReadValue): ReadValue {
  const masked = (text: string) =>
    text === '' ? '' : (maskPersonalNumbers({ [value.name]: text })[value.name] ?? text)
  return { ...value, sent: masked(value.sent), understood: masked(value.understood) }
}

/**
 * The persons of accounts, by which accounts are found: names in clear text, tax ids and birth dates as blind
 * indexes. For a person without a tax id, a passport or a national id takes its place.
 */
import {
  type AccountRecord,
  documentInPlaceOfTaxId,
  fullName,
  hasLentNumber,
  lastNameFirst,
  type Party,
} from '@clearing/domain'
import { codeLists, plainMarks } from '@clearing/protocol'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { blindIndex, blindIndexOfText } from '../encryption/blind-index.ts'
import type { FirmKeys } from '../encryption/keyring.ts'
import { ofNoMovingFirm } from './moved-firms.ts'

const upsertParties = statement(
  'upsert-parties',
  `insert into clearing.party (account_number, firm_id, customer_id, capacity, name, last_first, tax_id_index, person_index)
   select $1, $2, * from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::bytea[])
   on conflict (account_number, customer_id) do update set
     name = excluded.name, last_first = excluded.last_first, tax_id_index = excluded.tax_id_index,
     person_index = excluded.person_index`,
)

/**
 * Stores the persons of an account for searches, which look for plain apostrophes and hyphens. A beneficiary's name may
 * have others.
 */
export function writeParties(tx: Tx, accountNumber: string, record: AccountRecord, keys: FirmKeys): void {
  const parties = [
    { capacity: 'PrimaryOwner', ...record.primaryOwner },
    ...record.associatedParties.map((party) => ({ capacity: 'AssociatedParty', ...party })),
    ...record.beneficiaries.map((item) => ({ capacity: 'Beneficiary', ...item })),
  ]
  const indexes = parties.map((party) => indexesOf(keys, party))
  tx.later(upsertParties, [
    accountNumber,
    keys.firmId,
    parties.map(({ customerId }) => customerId ?? ''),
    parties.map(({ capacity }) => capacity),
    parties.map(nameOf),
    parties.map((party) => plainMarks(lastNameFirst(party))),
    indexes.map(({ taxIdIndex }) => taxIdIndex),
    indexes.map(({ personIndex }) => personIndex),
  ])
}

const filledAtOnce = 2_000
// A person that a change of the account has locked is filled by that change. Persons of a frozen firm may not be
// written.
const fillUnfilled = statement(
  'fill-parties',
  `with unfilled as materialized (
     select account_number, customer_id from clearing.party
     where account_name is null and ${ofNoMovingFirm}
     order by account_number limit ${filledAtOnce} for update skip locked
   )
   update clearing.party set account_name = account.account_name, account_created_at = account.created_at
   from unfilled join clearing.account using (account_number)
   where party.account_number = unfilled.account_number and party.customer_id = unfilled.customer_id`,
)

const fillUnfilledPlain = statement(
  'fill-plain-names',
  `with unfilled as materialized (
     select account_number, customer_id from clearing.party
     where name_plain is null and octet_length(name) <> length(name) and ${ofNoMovingFirm}
     order by account_number limit ${filledAtOnce} for update skip locked
   )
   update clearing.party set name_plain = clearing.plain_letters(name), last_first_plain = clearing.plain_letters(last_first)
   from unfilled
   where party.account_number = unfilled.account_number and party.customer_id = unfilled.customer_id`,
)

const fillUnfilledLastWords = statement(
  'fill-last-words',
  `with unfilled as materialized (
     select account_number, customer_id from clearing.party
     where last_word_first is null and last_first like '% % %' and ${ofNoMovingFirm}
     order by account_number limit ${filledAtOnce} for update skip locked
   )
   update clearing.party set last_word_first = clearing.last_word_first(name, last_first)
   from unfilled
   where party.account_number = unfilled.account_number and party.customer_id = unfilled.customer_id`,
)

/**
 * Stores what a search needs with persons of earlier releases, some at a time: the title and the time of the account,
 * the names in plain letters, and the last words of last names. Returns whether more may remain. In an operations
 * transaction.
 */
export async function fillParties(tx: Tx): Promise<boolean> {
  const filled = [
    await tx.run(fillUnfilled),
    await tx.run(fillUnfilledPlain),
    await tx.run(fillUnfilledLastWords),
  ]
  return filled.some((persons) => persons > 0)
}

/** One index over tax id and birth date: two applications with equal indexes have the same person. */
function personIndex(keys: FirmKeys, taxIdNumber: string, birthDate: string): Buffer {
  return blindIndex(keys, 'person', taxIdNumber + birthDate.replaceAll('-', ''))
}

interface PartyIndexes {
  readonly taxIdIndex: Buffer | null
  /** Null without a birth date, too. */
  readonly personIndex: Buffer | null
}

/** The indexes of the tax id of a party, or of the document in its place. Equal indexes are never of both kinds. */
function indexesOf(keys: FirmKeys, party: Party): PartyIndexes {
  const { taxIdNumber, birthDate } = party
  if (taxIdNumber) return indexesOfPerson(keys, taxIdNumber, birthDate || null)
  const document = documentInPlaceOfTaxId(party)
  if (document === undefined) return { taxIdIndex: null, personIndex: null }
  return {
    taxIdIndex: blindIndexOfText(keys, 'document', document),
    personIndex: birthDate ? blindIndexOfText(keys, 'person-by-document', `${birthDate} ${document}`) : null,
  }
}

/** The indexes of the firm by which parties with the number, and with the birth date too, are found. */
export function indexesOfPerson(
  keys: FirmKeys,
  taxIdNumber: string | null,
  birthDate: string | null,
): PartyIndexes {
  return {
    taxIdIndex: taxIdNumber === null ? null : blindIndex(keys, 'tax-id', taxIdNumber),
    personIndex:
      taxIdNumber === null || birthDate === null ? null : personIndex(keys, taxIdNumber, birthDate),
  }
}

// The person first, then that person's accounts. Without statistics of a young table the planner would walk
// over all accounts of the firm with the registration, and would keep that plan while the table grows.
const selectDuplicates = statement<{ account_number: string }>(
  'select-duplicate-applications',
  `with same_person as materialized (
     select account_number from clearing.party
     where firm_id = $1 and person_index = $2 and capacity = 'PrimaryOwner' and account_number <> $4
   )
   select account_number from same_person cross join lateral (
     select created_at from clearing.account
     where account.account_number = same_person.account_number and registration_type = $3
       and status in ('Pending', 'Open', 'Restricted')
     offset 0
   ) as account
   order by created_at limit 5`,
)

const ownedByEntities = codeLists.registrationType
  .filter(({ ownerNameType }) => ownerNameType === 'Entity')
  .map(({ value }) => `'${value}'`)
  .join(', ')

const selectDuplicatesOfEntity = statement<{ account_number: string }>(
  'select-duplicate-applications-of-entity',
  `with same_number as materialized (
     select account_number from clearing.party
     where firm_id = $1 and tax_id_index = $2 and capacity = 'PrimaryOwner' and account_number <> $4
       and ($5::text is null or name = $5)
   )
   select account_number from same_number cross join lateral (
     select created_at from clearing.account
     where account.account_number = same_number.account_number and registration_type = $3
       and status in ('Pending', 'Open', 'Restricted')
     offset 0
   ) as account
   order by created_at limit 5`,
)

/**
 * Accounts of the firm with the same owner's tax id or document, birth date and registration (Reading 3.6). An entity
 * has no birth date. The number of a grantor or only owner may have several entities, which differ by their names.
 */
export async function findDuplicates(
  tx: Tx,
  keys: FirmKeys,
  record: AccountRecord,
  accountNumber: string,
): Promise<string[]> {
  const { primaryOwner: owner, registrationType } = record
  const { taxIdIndex, personIndex } = indexesOf(keys, owner)
  const isEntity = owner.nameType === 'Entity'
  const index = isEntity ? taxIdIndex : personIndex
  if (index === null) return []
  const values = [keys.firmId, index, registrationType, accountNumber]
  const rows = isEntity
    ? await tx.rows(selectDuplicatesOfEntity, [...values, hasLentNumber(record) ? nameOf(owner) : null])
    : await tx.rows(selectDuplicates, values)
  return rows.map((row) => row.account_number)
}

function nameOf(party: Party): string {
  return plainMarks(fullName(party))
}

// The parties, then those with their tax ids, then the accounts of these, for the same reason. The number of a trust or
// an LLC may be that of its grantor or member. A person is another one by the birth date, and the entity that owns an
// account by its name.
function othersOf(mine: string): string {
  const letters = (name: string) => `regexp_replace(upper(${name}), '[^[:alnum:]]', '', 'g')`
  return `with mine as materialized (${mine}), other as materialized (
     select mine.customer_id, entity_name, party.account_number, capacity from mine cross join lateral (
       select account_number, capacity from clearing.party
       where firm_id = mine.firm_id and tax_id_index = mine.tax_id_index
         and case when entity_name is null then person_index <> mine.person_index
           else capacity = 'PrimaryOwner' and ${letters('name')} <> ${letters('entity_name')} end
         and capacity <> 'Beneficiary' and account_number <> mine.account_number
       offset 0
     ) as party
   )
   select distinct customer_id from other cross join lateral (
     select from clearing.account
     where account.account_number = other.account_number and status in ('Pending', 'Open', 'Restricted')
       and (capacity = 'PrimaryOwner' and registration_type in (${ownedByEntities})) = (entity_name is not null)
     offset 0
   ) as account`
}

const selectOthersOfAccount = statement<{ customer_id: string }>(
  'select-tax-ids-of-others',
  othersOf(
    `select party.account_number, party.firm_id, customer_id, tax_id_index, person_index,
       case when capacity = 'PrimaryOwner' and registration_type in (${ownedByEntities}) then name end as entity_name
     from clearing.party join clearing.account using (account_number)
     where party.account_number = $1 and capacity <> 'Beneficiary' and tax_id_index is not null`,
  ),
)
const selectOthersOfApplication = statement<{ customer_id: string }>(
  'select-tax-ids-of-others-of-application',
  othersOf(
    `select $6::text as account_number, $1::uuid as firm_id, given.*
     from unnest($2::text[], $3::bytea[], $4::bytea[], $5::text[])
       as given (customer_id, tax_id_index, person_index, entity_name)`,
  ),
)

/**
 * The customer ids of the persons of an account whose tax id, or document in its place, another person has in another
 * account of the firm: one with another birth date. The name of a person may change. Also that of the owning entity
 * whose tax id another one has.
 */
export async function readNumbersOfOthers(tx: Tx, accountNumber: string): Promise<ReadonlySet<string>> {
  const rows = await tx.rows(selectOthersOfAccount, [accountNumber])
  return new Set(rows.map((row) => row.customer_id))
}

/** The same of a record that is not stored: an application, or the changed record of an account. */
export async function findNumbersOfOthers(
  tx: Tx,
  keys: FirmKeys,
  { primaryOwner, associatedParties }: AccountRecord,
  accountNumber = '',
): Promise<ReadonlySet<string>> {
  const found = [primaryOwner, ...associatedParties].map((party) => ({
    ...indexesOf(keys, party),
    customerId: party.customerId ?? '',
    entityName: party === primaryOwner && party.nameType === 'Entity' ? nameOf(party) : null,
  }))
  const parties = found.filter(
    ({ taxIdIndex, personIndex, entityName }) => personIndex ?? (taxIdIndex && entityName),
  )
  if (parties.length === 0) return new Set()
  const rows = await tx.rows(selectOthersOfApplication, [
    keys.firmId,
    parties.map(({ customerId }) => customerId),
    parties.map(({ taxIdIndex }) => taxIdIndex),
    parties.map(({ personIndex }) => personIndex),
    parties.map(({ entityName }) => entityName),
    accountNumber,
  ])
  return new Set(rows.map((row) => row.customer_id))
}

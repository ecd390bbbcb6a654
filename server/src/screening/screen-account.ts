// Screens every name of an account against the lists in force: hands over the matches found, applies earlier decisions of the
// same firm on the same persons, and says what is left to decide. Writes nothing.
import type { AccountRecord, Party, WatchlistFindings } from '@clearing/domain'
import type { Tx } from '../database/transaction.ts'
import type { FirmKeys } from '../encryption/keyring.ts'
import { newId } from '../ids.ts'
import { readDecidedMatches, type ScreeningMatch } from '../store/screening.ts'
import { applyDecisions, partyFingerprint, type ScreeningDecision } from './decisions.ts'
import { listUnscreenableNames, type Match, type ScreenedParty, screenParty } from './match-names.ts'
import type { WatchLists } from './watch-lists.ts'

interface Screened {
  readonly customerId: string
  readonly party: ScreenedParty
}

export const screenAccount = async (
  tx: Tx,
  lists: WatchLists,
  keys: FirmKeys,
  account: { accountNumber: string; record: AccountRecord },
  now: Date,
  keepMatch: (match: ScreeningMatch) => void,
): Promise<WatchlistFindings> => {
  const persons = personsOf(account.record)
  const indexKey = keys.index.byId.get(keys.index.currentId)?.export()
  if (!indexKey) throw new Error(`firm ${keys.firmId} has no current index key`)
  const fingerprints = persons.map(({ party }) => partyFingerprint(party, indexKey))
  const [decided, current] = await Promise.all([
    readDecidedMatches(tx, keys.firmId, [...new Set(fingerprints)]),
    lists.current(tx),
  ])
  const decisions = decided.map(asDecision)
  const findings = { open: 0, confirmed: 0, unscreenable: 0 }
  persons.forEach(({ customerId, party }, position) => {
    const fingerprint = fingerprints[position] ?? ''
    findings.unscreenable += listUnscreenableNames(party).length > 0 ? 1 : 0
    for (const list of current) {
      const sorted = applyDecisions(screenParty(list.index, party), decisions, fingerprint, now)
      findings.open += sorted.open.length
      findings.confirmed += sorted.confirmed.length
      const keep = (match: Match, decision?: ScreeningDecision) =>
        keepMatch(
          rowOf(
            account.accountNumber,
            keys.firmId,
            customerId,
            list.listName,
            fingerprint,
            match,
            now,
            decision,
          ),
        )
      for (const { match } of sorted.open) keep(match)
      for (const { match, decision } of [...sorted.cleared, ...sorted.confirmed]) keep(match, decision)
    }
  })
  return findings
}

const rowOf = (
  accountNumber: string,
  firmId: string,
  customerId: string,
  listName: string,
  fingerprint: string,
  match: Match,
  now: Date,
  decision: ScreeningDecision | undefined,
): ScreeningMatch => ({
  account_number: accountNumber,
  match_id: newId(now),
  firm_id: firmId,
  customer_id: customerId,
  list_name: listName,
  list_version: match.listVersion,
  entry_id: match.entryId,
  entry_version: match.entryVersion,
  score: match.score,
  matched_name: match.matchedName,
  reasons: match.reasons.map(({ field, outcome, detail }) => ({ field, outcome, detail })),
  party_fingerprint: fingerprint,
  decision: decision === undefined ? 'Open' : decision.outcome === 'cleared' ? 'Cleared' : 'Confirmed',
  decided_by: decision?.decidedBy ?? null,
  decided_at: decision?.decidedAt ?? null,
  reason: decision ? `Remembered: ${decision.reason}` : null,
  expires_at: decision?.expiresAt ?? null,
})

const asDecision = (row: ScreeningMatch): ScreeningDecision => ({
  partyFingerprint: row.party_fingerprint,
  entryId: row.entry_id,
  entryVersion: row.entry_version,
  listVersion: row.list_version,
  outcome: row.decision === 'Confirmed' ? 'confirmed' : 'cleared',
  reason: row.reason ?? '',
  decidedBy: row.decided_by ?? '',
  decidedAt: row.decided_at ?? '',
  expiresAt: row.expires_at,
})

/** Every name of the account: owners, parties, beneficiaries and trusted contacts. */
const personsOf = (record: AccountRecord): Screened[] => {
  const parties = [record.primaryOwner, ...record.associatedParties]
  return [
    ...parties.map((party) => ({ customerId: party.customerId ?? '', party: screenedParty(party, record) })),
    ...record.beneficiaries.map((item) => ({
      customerId: item.customerId ?? '',
      party: screened(item, [item.address?.country, item.citizenshipCountry], []),
    })),
    ...parties.flatMap((party) =>
      party.trustedContact?.name
        ? [
            {
              customerId: `${party.customerId ?? ''}:trusted-contact`,
              party: screened(
                { firstName: party.trustedContact.name },
                [party.trustedContact.address?.country],
                [],
              ),
            },
          ]
        : [],
    ),
  ]
}

const screenedParty = (party: Party, record: AccountRecord): ScreenedParty => {
  const ids = [party.governmentIdentification?.governmentId1, party.governmentIdentification?.governmentId2]
  const numbers = ids.flatMap((id) =>
    id?.idNumber ? [{ number: id.idNumber, ...(id.idLocation ? { country: id.idLocation } : {}) }] : [],
  )
  const countries = [party.citizenshipCountry, party.legalAddress?.country, record.mailingAddress.country]
  return screened(party, countries, [
    ...numbers,
    ...(party.taxIdNumber ? [{ number: party.taxIdNumber, country: 'US' }] : []),
  ])
}

const screened = (
  named: Pick<Party, 'firstName' | 'middleName' | 'lastName' | 'suffix' | 'nameType' | 'birthDate'>,
  countries: readonly (string | undefined)[],
  idNumbers: ScreenedParty['idNumbers'] & object,
): ScreenedParty => ({
  kind: named.nameType === 'Entity' ? 'entity' : 'person',
  nameParts: [named.firstName, named.middleName, named.lastName, named.suffix].filter(
    (part) => part !== undefined,
  ),
  ...(named.birthDate ? { birthDate: named.birthDate } : {}),
  countries: [...new Set(countries.filter((country) => country !== undefined))],
  idNumbers,
})

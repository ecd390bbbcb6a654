/**
 * Turns an application of new-account into the record that it requests: blanks are dropped, defaults are applied, and
 * every person gets a customer id (Reading 3.4).
 */
import type { Request } from '@clearing/protocol'
import { codeRow, type Rejection, reject } from '@clearing/protocol/values'
import { compact, isBlank } from './blank.ts'
import { canonicalRequest, type Placed } from './canonical-request.ts'
import { checkAccount } from './check-account.ts'
import type { MovedPaths } from './moved-paths.ts'
import { completePercentage } from './percentage.ts'
import { roleOf } from './policy/parties.ts'
import type { AccountRecord, Address, Beneficiary, Party } from './record.ts'
import { registrationOf } from './registration.ts'
import { Findings, type RuleSettings } from './rule-scope.ts'

export interface Application {
  readonly record: AccountRecord
  /** The beneficiaries with their paths in the request, for the reasons of rejections. */
  readonly placedBeneficiaries: readonly Placed<Beneficiary>[]
  /** The account number in the request, which selects shape 2 (Reading 1.11). */
  readonly accountNumber: string | undefined
  readonly electronicDeliveryGiven: boolean
  readonly rejections: readonly Rejection[]
  readonly movedPaths: MovedPaths
}

/** The delivery of a customer who requested nothing electronic. */
const paperDelivery = {
  statements: 'False',
  confirms: 'False',
  serviceCommunications: 'False',
  investorCommunications: 'False',
  prospectus: 'False',
  taxDocuments: 'False',
} as const

/**
 * All rejections of an application: those of the rules of the account, and that of an empty block of electronic
 * delivery in shape 1; only shape 2 may leave it empty (Reading 3.4). A rejected account number asks for shape 2 too.
 */
export function checkApplication(application: Application, settings: RuleSettings): Rejection[] {
  const { movedPaths } = application
  const rejections = checkAccount(application.record, application.placedBeneficiaries, {
    ...settings,
    refusedPaths: movedPaths.inRecord(settings.refusedPaths),
  })
  const block = 'electronicDelivery'
  const refused = new Findings(settings.refusedPaths)
  const shape2 = application.accountNumber !== undefined || refused.wasRefused('accountNumber')
  if (!application.electronicDeliveryGiven && !shape2 && !refused.wasRefused(block)) {
    rejections.push(
      reject(
        'ERR.1000',
        block,
        'Electronic delivery is required, with at least one member, such as statements false for paper.',
      ),
    )
  }
  return [...application.rejections, ...movedPaths.inRequest(rejections)]
}

/** `nextCustomerId` returns ids of 18 digits; the caller is the source of randomness. */
export function parseApplication(
  request: Partial<Request<'new-account'>>,
  nextCustomerId: () => string,
): Application {
  const canonical = canonicalRequest(request)
  const mailingAddress = compact((request.mailingAddress ?? {}) as Address)
  const party = (given: Party): Party => completeParty(compact(given), mailingAddress, nextCustomerId)
  const strangeIds: Rejection[] = []
  const placedBeneficiaries = (canonical.beneficiaries ?? []).map(({ value, path }) => {
    const { id, ...given } = compact(value) as Beneficiary & { id?: string }
    if (id && id !== given.customerId) {
      strangeIds.push(reject('ERR.1015', `${path}.id`, 'The id of a beneficiary is its customer id.'))
    }
    return { path, value: completeBeneficiary(given, nextCustomerId) }
  })
  const record: AccountRecord = {
    registrationType: request.registrationType ?? '',
    entityNumber: String(request.entityNumber ?? ''),
    main: {
      proxyDisclosure: 'L',
      marginIndicator: 'false',
      optionTradingIndicator: 'false',
      sweepIndicator: 'false',
      ...withOptionIndicator(compact(request.main ?? {}) as AccountRecord['main']),
    },
    electronicDelivery: {
      ...paperDelivery,
      ...(compact(request.electronicDelivery ?? {}) as AccountRecord['electronicDelivery']),
    },
    mailingAddress,
    primaryOwner: party(canonical.primaryOwner ?? {}),
    associatedParties: (canonical.associatedParties ?? [])
      .map(({ value }) => party(value))
      .map((value, _index, associatedParties) =>
        withRole(value, { registrationType: request.registrationType ?? '', associatedParties }),
      ),
    financialProfile: compact(request.financialProfile ?? {}) as AccountRecord['financialProfile'],
    beneficiaries: placedBeneficiaries.map(({ value }) => value),
    // A rejected item is null.
    largeTraders: (canonical.largeTraders ?? []).map((trader) => compact(trader ?? {})),
  }
  return {
    record,
    placedBeneficiaries,
    accountNumber: request.accountNumber || undefined,
    electronicDeliveryGiven: !isBlank(request.electronicDelivery),
    rejections: [...canonical.rejections, ...strangeIds],
    movedPaths: canonical.movedPaths,
  }
}

/** An option level without an indicator means that options are traded. */
function withOptionIndicator(main: AccountRecord['main']): AccountRecord['main'] {
  return main.optionTradingIndicator || Number(main.optionTradingLevel || '0') === 0
    ? main
    : { ...main, optionTradingIndicator: 'true' }
}

/** The party with its role, or with the role that an absent one means in the registration (Reading 3.4). */
export function withRole(
  party: Party,
  record: Pick<AccountRecord, 'registrationType' | 'associatedParties'>,
): Party {
  const role = registrationOf(record.registrationType) && roleOf(party, record)
  return role === undefined ? party : { ...party, role }
}

const phones = [
  ['phoneRegionCell', 'phoneNumberCell'],
  ['phoneRegionHome', 'phoneNumberHome'],
  ['phoneRegionBusiness', 'phoneNumberBusiness'],
  ['employerPhoneRegionCode', 'employerPhoneNumber'],
] as const

/**
 * The specification has no field for these regions: they come from the address in any country. The other regions come
 * from it only if it is 1.
 */
const withoutRegionField: ReadonlySet<string> = new Set(['phoneRegionHome', 'phoneRegionBusiness'])

function callingCodeOf(country: string | undefined): string | undefined {
  return country === undefined ? undefined : codeRow('country', country)?.callingCode
}

/** Completes the record of a party: nameType, the regions of phone numbers, its customer id. */
export function completeParty(party: Party, mailingAddress: Address, nextCustomerId: () => string): Party {
  const country = party.legalAddress?.country ?? mailingAddress.country
  const completed: Party = {
    nameType: 'Individual',
    ...party,
    customerId: party.customerId ?? nextCustomerId(),
  }
  const contact = party.trustedContact
  if (
    contact?.phoneNumber &&
    !contact.phoneRegionCode &&
    callingCodeOf(contact.address?.country ?? country) === '1'
  )
    completed.trustedContact = { ...contact, phoneRegionCode: '1' }
  const callingCode = callingCodeOf(country)
  if (callingCode === undefined) return completed
  for (const [region, number] of phones) {
    if (!completed[number] || completed[region]) continue
    if (callingCode === '1' || withoutRegionField.has(region)) completed[region] = callingCode
  }
  return completed
}

/** Completes the record of a beneficiary: Primary by default, a percentage with two decimals, its customer id. */
export function completeBeneficiary(beneficiary: Beneficiary, nextCustomerId: () => string): Beneficiary {
  return {
    nameType: 'Individual',
    primaryContingent: 'Primary',
    ...completePercentage(beneficiary),
    customerId: beneficiary.customerId ?? nextCustomerId(),
  }
}

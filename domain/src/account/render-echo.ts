/**
 * The response of a shape 2 new-account: the accepted blocks (Specification, Account record; Reading 1.11). A field
 * that was never given is empty.
 */
import type { Data, Request } from '@clearing/protocol'
import { isBlank } from './blank.ts'
import type { AccountRecord, Party } from './record.ts'
import {
  type Rendering,
  renderAddress,
  renderBeneficiaries,
  renderCais,
  renderDelivery,
  renderEmployer,
  renderLargeTraders,
  renderMain,
  renderParties2,
  renderPerson2,
  renderProfile,
  renderTrustedContact,
} from './render-account.ts'

type Echo = Extract<Data<'new-account'>, { registrationType: string }>
type Submitted = Partial<Request<'new-account'>>

/** A block has either the names of the flat members or, if one of them was sent, the short ones (Reading 1.1). */
function renderEmployerBlock(
  party: Party,
  names: readonly string[],
): NonNullable<Echo['primaryOwner']['employer']> {
  const employer = renderEmployer(party)
  if (names.every((name) => /^employer/i.test(name))) return employer
  return {
    name: employer.employerName,
    phoneRegionCode: employer.employerPhoneRegionCode,
    phoneNumber: employer.employerPhoneNumber,
    ...(party.employerPhoneExtension ? { phoneExtension: party.employerPhoneExtension } : {}),
    address: employer.employerAddress,
  }
}

/** The members of a party that shape 2 does not have, if they were sent. */
function renderSent(
  party: Party,
  sent: { readonly suffix?: unknown; readonly caisInformation?: unknown } | undefined,
): Pick<Echo['primaryOwner'], 'suffix' | 'caisInformation'> {
  return {
    ...(sent?.suffix === undefined ? {} : { suffix: party.suffix ?? '' }),
    ...(sent?.caisInformation === undefined ? {} : { caisInformation: renderCais(party.caisInformation) }),
  }
}

/**
 * The response of new-account in shape 2: the accepted blocks, with optional lists, and the members of the parties that
 * shape 2 does not have, only if they were sent. An empty block that was sent is returned empty. `employerNames` are
 * those of the employer that was sent as a block.
 */
export function renderEcho(
  record: AccountRecord,
  rendering: Rendering,
  submitted: Pick<Submitted, 'primaryOwner' | 'associatedParties'>,
  employerNames: readonly string[] = [],
): Echo {
  const owner = record.primaryOwner
  const employer = submitted.primaryOwner?.employer
  const { transferOfDeathBeneficiaries, retirementBenes } = renderBeneficiaries(
    record,
    rendering.personalNumbers,
  )
  return {
    registrationType: record.registrationType,
    accountNumber: rendering.accountNumber,
    entityNumber: record.entityNumber,
    main: renderMain(record.main),
    mailingAddress: renderAddress(record.mailingAddress),
    primaryOwner: {
      ...renderPerson2(owner, rendering.personalNumbers),
      ...renderSent(owner, submitted.primaryOwner),
      ...(employer === undefined
        ? {}
        : { employer: isBlank(employer) ? {} : renderEmployerBlock(owner, employerNames) }),
    },
    trustedContact: renderTrustedContact(record.primaryOwner.trustedContact),
    electronicDelivery: renderDelivery(record.electronicDelivery),
    financialProfile: renderProfile(record.financialProfile),
    ...(record.associatedParties.length > 0
      ? {
          associatedParties: renderParties2(record, rendering.personalNumbers).map((party, at) => ({
            ...party,
            ...renderSent(record.associatedParties[at] ?? {}, submitted.associatedParties?.[at]),
          })),
        }
      : {}),
    ...(transferOfDeathBeneficiaries.length > 0 ? { transferOfDeathBeneficiaries } : {}),
    ...(retirementBenes.length > 0 ? { retirementBenes } : {}),
    ...(record.largeTraders.length > 0 ? { largeTraders: renderLargeTraders(record) } : {}),
  }
}

/**
 * Due diligence beyond the form of fields: affiliations, source of funds, employment, placeholders and contradictions.
 */
import { codeLists } from '@clearing/protocol/values'
import { adultAgeYears, ageOn } from '../age.ts'
import type { Address, Affiliation, Party } from '../record.ts'
import { isForeignCitizen } from '../united-states.ts'
import { unknownEmploymentOf } from './employment.ts'
import type { Judged } from './judge-account.ts'
import { namesNoPlace } from './no-place.ts'
import { type PlacedParty, partiesOf, residenceOf } from './parties.ts'
import { hasPlaceholderName } from './placeholder-names.ts'
import { stateOfPostalCode } from './postal-codes.ts'
import { trustedContactField, whyContactAsked } from './trusted-contact.ts'

export function judgeDueDiligence(judged: Judged): void {
  for (const placed of partiesOf(judged.record)) judgeParty(placed, judged)
  judgeEmployment(judged)
  judgePostalCodes(judged)
  judgeProfile(judged)
  const contactAsked = whyContactAsked(judged.record)
  if (contactAsked !== undefined) judged.report('TrustedContactAsked', trustedContactField, contactAsked)
}

function judgeParty({ party, path }: PlacedParty, judged: Judged): void {
  const { record, report, facts } = judged
  judgeAffiliation(party.affiliation, party, path, judged)
  if (party.sourceOfFunds?.includes('Other') && !party.otherSourceOfFund) {
    report(
      'SourceOfFundsNamed',
      `${path}.otherSourceOfFund`,
      'The source of funds is Other: describe it in otherSourceOfFund.',
    )
  }
  if (hasPlaceholderName(party, facts.sandbox)) {
    report('NameIsName', path, 'The name is a placeholder, not the name of a person or an entity.')
  }
  const residence = residenceOf(party, record)
  if (namesNoPlace(residence)) {
    report(
      'AddressIsPlace',
      `${path}.legalAddress`,
      'The legal address does not say where a person lives or works.',
    )
  }
}

/** The mailing address, and the legal addresses that are not empty. */
function judgePostalCodes({ record, report }: Judged): void {
  const judge = (address: Address, path: string) => {
    const states = address.country === 'US' ? stateOfPostalCode(address.postalCode ?? '') : undefined
    if (states !== undefined && address.stateProvince && !states.includes(address.stateProvince)) {
      report('PostalCodeOfState', `${path}.postalCode`, 'The postal code belongs to another state.')
    }
  }
  judge(record.mailingAddress, 'mailingAddress')
  for (const { party, path } of partiesOf(record)) judge(party.legalAddress ?? {}, `${path}.legalAddress`)
}

function isAssociated(given: Affiliation[keyof Affiliation]): boolean {
  return (
    given === 'True' || (typeof given === 'object' && 'associated' in given && given.associated === 'True')
  )
}

function judgeAffiliation(
  affiliation: Affiliation | undefined,
  party: Party,
  path: string,
  judged: Judged,
): void {
  if (affiliation === undefined) return
  const { report } = judged
  if (isAssociated(affiliation.political) && isForeignCitizen(party)) {
    report(
      'PoliticalForeign',
      `${path}.affiliation.political`,
      'A foreign person declares a political office or a tie to one.',
    )
  }
  // The richer form has its own required members (Reading 3.5).
  const associated = affiliation.industry === 'True' || affiliation.publicCompany === 'True'
  if (associated && !affiliation.organization && !affiliation.name) {
    report(
      'AffiliationNamed',
      `${path}.affiliation.organization`,
      'Name the company of the affiliation in affiliation.organization.',
    )
  }
}

/** Minors are not asked. */
function judgeEmployment({ record, facts, report }: Judged): void {
  for (const { party, path, lacks, reason } of unknownEmploymentOf(record)) {
    if (party.birthDate !== undefined && ageOn(party.birthDate, facts.today) < adultAgeYears) continue
    report('EmploymentKnown', `${path}.${lacks}`, reason)
  }
}

function judgeProfile({ record, report }: Judged): void {
  const { netWorth, liquidNetWorth } = record.financialProfile
  const bands: readonly string[] = codeLists.netWorth.map(({ value }) => value)
  if (!netWorth || !liquidNetWorth) return
  if (bands.indexOf(liquidNetWorth) > bands.indexOf(netWorth)) {
    report(
      'LiquidWithinNet',
      'financialProfile.liquidNetWorth',
      'The liquid net worth is above the net worth.',
    )
  }
}

/** The application for an account (NEWA) and the form of foreign owners (FASF). */
import { fullName, isForeignCitizen, ownersOf, type Party, registrationOf } from '@clearing/domain'
import {
  box,
  boxes,
  checks,
  type Form,
  type FormCase,
  notice,
  questions,
  type Section,
  signature,
  text,
} from './form.ts'
import {
  accountSection,
  addressBoxes,
  beneficiariesSection,
  choices,
  identificationParts,
  identityParts,
  labelOf,
  partyParts,
  signatureSection,
} from './record-parts.ts'

export function newAccountForm(form: FormCase): Form {
  const { record } = form
  const { main } = record
  return {
    sections: [
      accountSection(form),
      {
        title: 'Account features',
        parts: [
          questions([
            ['Margin', main.marginIndicator],
            ['Sweep of cash balances', main.sweepIndicator],
            ['Option trading', main.optionTradingIndicator],
          ]),
          boxes(
            box('Option level', labelOf('optionTradingLevel', main.optionTradingLevel), 3),
            box('Order audit trail identifier', main.catAccountIdentifier, 2),
          ),
          choices('Disclosure of your name to issuers', 'proxyDisclosure', main.proxyDisclosure),
        ],
      },
      { title: 'Mailing address', parts: addressBoxes('Mailing address', record.mailingAddress) },
      { title: 'Primary owner', parts: partyParts(record.primaryOwner, form) },
      ...record.associatedParties.map((party) => associatedSection(party, form)),
      financialSection(form),
      ...(record.beneficiaries.length > 0 ? [beneficiariesSection(form)] : []),
      deliverySection(form),
      ...largeTraderSections(form),
      {
        title: 'Important information',
        parts: [
          notice(
            'Federal law requires financial institutions to obtain, verify and record information that identifies each person who ' +
              'opens an account. We ask for your name, address, date of birth and identification number, and may ask for ' +
              'documents that show who you are.',
          ),
          text(
            'A trusted contact, where one is named, may be called when we have reason to think that you are being exploited, and to ' +
              'confirm how you can be reached, your state of health, or who acts for you. A trusted contact cannot trade or withdraw.',
          ),
        ],
      },
      signatureSection(
        form,
        'I have read this application. What it says is complete and right, and I will tell the introducing firm when it changes.',
      ),
    ],
  }
}

function associatedSection(party: Party, form: FormCase): Section {
  return {
    title: `Associated party: ${labelOf('partyRole', party.role) || 'no role given'}`,
    parts: [
      ...partyParts(party, form),
      boxes(box('Trading authority', labelOf('tradingAuthority', party.tradingAuthority))),
    ],
  }
}

function financialSection({ record }: FormCase): Section {
  const { financialProfile: profile } = record
  return {
    title: 'Financial profile',
    parts: [
      choices('Annual income (USD)', 'annualIncome', profile.annualIncome),
      choices('Net worth (USD)', 'netWorth', profile.netWorth),
      choices('Liquid net worth (USD)', 'liquidNetWorth', profile.liquidNetWorth),
      choices('Attitude to risk', 'investmentProfile', profile.investmentProfile),
      choices('Time horizon', 'investmentTimeHorizon', profile.investmentTimeHorizon),
      boxes(
        box('Need of liquidity', labelOf('liquidityNeed', profile.liquidityNeed)),
        box('Liquidity needed', labelOf('liquidityTime', profile.liquidityTime)),
        box('Tax bracket', labelOf('taxBracket', profile.taxBracket)),
      ),
      experienceBoxes(record),
    ],
  }
}

export function experienceBoxes({ financialProfile }: FormCase['record']) {
  const experience = financialProfile.investmentExperience ?? {}
  const level = (value: string | undefined) => labelOf('investmentExperience', value)
  return boxes(
    box('Experience: stocks', level(experience.stocks)),
    box('Bonds', level(experience.bonds)),
    box('Options', level(experience.options)),
    box('Mutual funds', level(experience.mutualFunds)),
    box('Annuities', level(experience.annuities)),
  )
}

const deliveryKinds = {
  statements: 'Statements',
  confirms: 'Confirmations',
  serviceCommunications: 'Letters about the account',
  investorCommunications: 'Letters of issuers',
  prospectus: 'Prospectuses',
  taxDocuments: 'Tax forms',
} as const

function deliverySection({ record }: FormCase): Section {
  const delivery = record.electronicDelivery
  return {
    title: 'Electronic delivery',
    parts: [
      checks(
        'Delivered electronically; what is not checked comes on paper',
        Object.entries(deliveryKinds).map(([kind, label]) => ({
          label,
          checked: delivery[kind as keyof typeof deliveryKinds]?.toLowerCase() === 'true',
        })),
      ),
      boxes(box('To the e-mail address', delivery.email ?? record.primaryOwner.email)),
    ],
  }
}

function largeTraderSections({ record }: FormCase): Section[] {
  return record.largeTraders.length === 0
    ? []
    : [
        {
          title: 'Large trader',
          parts: record.largeTraders.map((trader) =>
            boxes(
              box('Large trader id', trader.largeTraderId, 2),
              box('From', trader.effectiveDate),
              box('Until', trader.endDate),
              box('Why it ended', trader.endReason, 2),
            ),
          ),
        },
      ]
}

/** Owners who are not citizens of the United States: all of them, on one form. */
export function foreignAccountForm(form: FormCase): Form {
  const { record } = form
  const type = registrationOf(record.registrationType)
  const owners = type ? ownersOf(record, type) : [record.primaryOwner]
  const foreign = owners.filter(isForeign)
  return {
    sections: [
      accountSection(form),
      ...foreign.map((party) => ({
        title: `Foreign owner: ${fullName(party)}`,
        parts: [
          ...identityParts(party, form),
          ...identificationParts(party, form),
          boxes(
            box('Occupation', labelOf('occupation', party.occupation)),
            box(
              'Source of funds',
              (party.sourceOfFunds ?? []).map((one) => labelOf('sourceOfFunds', one)).join(', '),
              2,
            ),
          ),
          checks('Purpose of the account (check what applies)', [
            { label: 'Savings', checked: false },
            { label: 'Retirement', checked: false },
            { label: 'Trading', checked: false },
            { label: 'Transfer of securities', checked: false },
          ]),
        ],
      })),
      { title: 'Mailing address', parts: addressBoxes('Mailing address', record.mailingAddress) },
      {
        title: 'Statements',
        parts: [
          text(
            'The account is for my own use and not for a bank that has no place of business, nor for a person whose name is not on this ' +
              'form. I have told the introducing firm of every senior foreign political figure among my family and close ' +
              'associates. I will give a new Form W-8BEN within 30 days when my circumstances change, and before the one on file expires.',
          ),
        ],
      },
      {
        title: 'Signatures',
        parts: foreign.map((party) => signature(fullName(party), 'Foreign owner')),
      },
    ],
  }
}

export function isForeign(party: Party): boolean {
  return party.nameType !== 'Entity' && isForeignCitizen(party)
}

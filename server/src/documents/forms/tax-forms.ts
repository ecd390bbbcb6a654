/**
 * Substitutes of Form W-9 and Form W-8BEN: the statements that the Internal Revenue Service requires of a substitute,
 * in our own layout (26 CFR 31.3406(h)-3; 26 CFR 1.1441-1(e)(4)(vi)).
 */
import { fullName, type Party, registrationOf } from '@clearing/domain'
import { box, boxes, checks, clauses, type Form, type FormCase, signature, text } from './form.ts'
import { addressBoxes, labelOf, taxId } from './record-parts.ts'

function ownAddress(party: Party, { record }: FormCase) {
  return party.legalAddress && Object.keys(party.legalAddress).length > 0
    ? party.legalAddress
    : record.mailingAddress
}

function accountBoxes(form: FormCase) {
  return boxes(box('Account title', form.accountName, 3), box('Account number', form.accountNumber))
}

/** The federal tax classification of a registration; a company declares its own. */
function classificationOf(party: Party, { record }: FormCase): string {
  if (party.nameType !== 'Entity') return 'Individual or sole proprietor'
  switch (record.registrationType) {
    case 'Partnership':
      return 'Partnership'
    case 'Trust':
    case 'Estate':
      return 'Trust or estate'
    case 'Llc':
      return 'Limited liability company'
    default:
      return ''
  }
}

export function formW9(form: FormCase): Form {
  const { person } = form
  const classification = classificationOf(person, form)
  const certifies = 'Under penalties of perjury, I certify that:'
  return {
    sections: [
      {
        title: 'Person',
        parts: [
          accountBoxes(form),
          boxes(box('Name as on the income tax return', fullName(person))),
          boxes(box('Business name, if different', '')),
          checks(
            'Federal tax classification',
            [
              'Individual or sole proprietor',
              'C corporation',
              'S corporation',
              'Partnership',
              'Trust or estate',
              'Limited liability company',
              'Other',
            ].map((label) => ({ label, checked: label === classification })),
          ),
          boxes(
            box('LLC: taxed as C, S or P', ''),
            box('Exempt payee code', ''),
            box('FATCA exemption code', ''),
          ),
          ...addressBoxes('Address', ownAddress(person, form)),
        ],
      },
      {
        title: 'Taxpayer identification number',
        parts: [
          boxes(
            box('Social security number', person.taxIdType === 'SSN' ? taxId(person, form) : ''),
            box(
              'Employer or individual taxpayer identification number',
              person.taxIdType === 'SSN' ? '' : taxId(person, form),
            ),
          ),
        ],
      },
      {
        title: 'Certification',
        parts: [
          text(certifies),
          clauses({
            Number:
              'The number shown on this form is my correct taxpayer identification number, or I am waiting for a number to be issued to me.',
            'Backup withholding':
              'I am not subject to backup withholding because (a) I am exempt from it, or (b) I have not been notified by the Internal Revenue ' +
              'Service that I am subject to it for a failure to report all interest or dividends, or (c) the Service has notified me that I no longer am.',
            'US person': 'I am a US citizen or other US person.',
            FATCA:
              'The FATCA code entered on this form, if any, that says I am exempt from FATCA reporting is correct.',
          }),
          text(
            'Cross out the second statement if you have been notified that you are subject to backup withholding. The Internal Revenue Service does ' +
              'not require your consent to any provision of this document other than the certifications required to avoid backup withholding.',
          ),
        ],
      },
      {
        title: 'Signature',
        parts: [
          signature(signerOf(person, form), person.nameType === 'Entity' ? 'Authorized signer' : 'US person'),
        ],
      },
    ],
  }
}

/** A person signs for an entity. */
function signerOf(party: Party, { record }: FormCase): string {
  if (party.nameType !== 'Entity') return fullName(party)
  const signer = record.associatedParties.find(({ nameType }) => nameType !== 'Entity')
  return signer ? fullName(signer) : ''
}

export function formW8Ben(form: FormCase): Form {
  const { person, record } = form
  const adult = registrationOf(record.registrationType)?.group !== 'custodial'
  return {
    sections: [
      {
        title: 'Part I: Beneficial owner',
        parts: [
          accountBoxes(form),
          boxes(
            box('Name', fullName(person), 3),
            box('Country of citizenship', labelOf('country', person.citizenshipCountry), 2),
          ),
          ...addressBoxes('Permanent residence', ownAddress(person, form)),
          ...addressBoxes('Mailing address', record.mailingAddress),
          boxes(
            box('US taxpayer identification number', taxId(person, form), 2),
            box('Foreign tax identifying number', '', 2),
            box('None legally required', ''),
          ),
          boxes(box('Reference number', form.accountNumber), box('Date of birth', person.birthDate)),
        ],
      },
      {
        title: 'Part II: Claim of tax treaty benefits',
        parts: [
          boxes(
            box('Resident, for the treaty, of the country', '', 2),
            box('Article and paragraph', ''),
            box('Rate of withholding', ''),
          ),
          boxes(box('Kind of income', ''), box('Further conditions of the article that are met', '', 2)),
        ],
      },
      {
        title: 'Part III: Certification',
        parts: [
          text(
            'Under penalties of perjury, I declare that I have examined the information on this form and that to the best of my knowledge and ' +
              'belief it is true, correct and complete. I further certify under penalties of perjury that:',
          ),
          clauses({
            Owner:
              'I am the individual who is the beneficial owner, or am authorized to sign for that individual, of all the income or proceeds to which ' +
              'this form relates, or use it to document myself for chapter 4 purposes.',
            'Not a US person': 'The person named in Part I is not a US person.',
            Income:
              'This form relates to income not effectively connected with a trade or business in the United States, to income so connected that a ' +
              'treaty exempts, to a partner’s share of such income, or to a partner’s amount realized on a transfer subject to withholding.',
            Treaty:
              'The person named in Part I is a resident of the treaty country named in Part II, if any, within the meaning of that treaty.',
            Exchanges:
              'For broker transactions or barter exchanges, the beneficial owner is an exempt foreign person.',
          }),
          text(
            'I authorize this form to be given to any withholding agent that has control, receipt or custody of the income of which I am the ' +
              'beneficial owner, or that can disburse it. I will submit a new form within 30 days if any certification on this form becomes incorrect.',
          ),
        ],
      },
      {
        title: 'Signature',
        parts: [
          signature(
            adult ? fullName(person) : '',
            adult ? 'Beneficial owner' : 'Authorized to sign for the beneficial owner',
          ),
        ],
      },
    ],
  }
}

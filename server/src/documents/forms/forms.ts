/** The forms of the catalogue (Reading 5.1): their names, their accounts, and their contents. */
import {
  type AccountRecord,
  isForeignEntity,
  mayBorrow,
  ownersOf,
  type Party,
  registrationOf,
  registrationRuleOf,
} from '@clearing/domain'
import { adoptionAgreement, plans } from './adoption-forms.ts'
import {
  customerAgreement,
  marginAgreement,
  optionAgreement,
  transferOnDeathAgreement,
} from './agreement-forms.ts'
import { foreignAccountForm, isForeign, newAccountForm } from './application-forms.ts'
import type { Form, FormCase } from './form.ts'
import { formW8Ben, formW9 } from './tax-forms.ts'

export interface FormRule {
  readonly title: string
  /** True for a form about one person, false for a form about the whole account. */
  readonly ofPerson: boolean
  /** The reason why the account or the person does not need the form; empty when they do. */
  readonly refuses: (record: AccountRecord, person: Party) => string
  readonly fill: (form: FormCase) => Form
}

function anyAccount(): string {
  return ''
}
/** Whether T.O.D. beneficiaries may be named; those of an IRA are named in its adoption agreement. */
function passesToBeneficiaries({ registrationType }: AccountRecord): boolean {
  const type = registrationOf(registrationType)
  return type !== undefined && type.group !== 'ira' && registrationRuleOf(type.value).beneficiaries
}

function hasForeignOwner(record: AccountRecord): boolean {
  const type = registrationOf(record.registrationType)
  return type !== undefined && ownersOf(record, type).some(isForeign)
}

function adoption(plan: (typeof plans)[keyof typeof plans]): FormRule {
  return {
    title: `${plan.name} Adoption Agreement`,
    ofPerson: false,
    refuses: (record) =>
      plan.types.some((type) => type === record.registrationType)
        ? ''
        : `This form is for registrations ${plan.types.join(', ')}.`,
    fill: adoptionAgreement(plan),
  }
}

export const forms: Readonly<Record<string, FormRule>> = {
  NEWA: { title: 'New Account Application', ofPerson: false, refuses: anyAccount, fill: newAccountForm },
  CASH: { title: 'Customer Agreement', ofPerson: false, refuses: anyAccount, fill: customerAgreement },
  W9: {
    title: 'Substitute Form W-9',
    ofPerson: true,
    refuses: (_, person) =>
      isForeignEntity(person)
        ? 'A foreign entity certifies its status on Form W-8BEN-E or W-8IMY.'
        : person.taxIdNumber
          ? ''
          : 'The person has no US tax id on record.',
    fill: formW9,
  },
  W8BE: {
    title: 'Substitute Form W-8BEN',
    ofPerson: true,
    refuses: (_, person) => (isForeign(person) ? '' : 'This form is for a person who is not a US citizen.'),
    fill: formW8Ben,
  },
  OPTS: { title: 'Option Agreement', ofPerson: false, refuses: anyAccount, fill: optionAgreement },
  TOD: {
    title: 'Transfer on Death Agreement',
    ofPerson: false,
    refuses: (record) =>
      passesToBeneficiaries(record)
        ? ''
        : 'A transfer on death is for individual and joint accounts, but not for tenants in common.',
    fill: transferOnDeathAgreement,
  },
  FASF: {
    title: 'Foreign Account Form',
    ofPerson: false,
    refuses: (record) => (hasForeignOwner(record) ? '' : 'No owner of this account is a foreign person.'),
    fill: foreignAccountForm,
  },
  MRGN: {
    title: 'Margin Agreement',
    ofPerson: false,
    refuses: ({ registrationType }) =>
      mayBorrow(registrationType) ? '' : 'Retirement, custodial and estate accounts have no margin.',
    fill: marginAgreement,
  },
  'ADOP-simple': adoption(plans.simple),
  'ADOP-Traditional': adoption(plans.traditional),
  'ADOP-Roth': adoption(plans.roth),
}

/** Adoption agreements of individual retirement accounts: SIMPLE, Traditional and Roth. */

import { fullName } from '@clearing/domain'
import { codeRow } from '@clearing/protocol'
import { box, boxes, checks, clauses, type Form, type FormCase, signature, text } from './form.ts'
import { accountSection, beneficiariesSection, identityParts } from './record-parts.ts'

interface Plan {
  /** The name of the account in the agreement. */
  readonly name: string
  readonly types: readonly string[]
  readonly contributions: string
  readonly distributions: string
}

export const plans = {
  simple: {
    name: 'SIMPLE IRA',
    types: ['IraSimple'],
    contributions:
      'Contributions are those of your employer’s SIMPLE plan: your salary reductions and the employer’s matching or nonelective ' +
      'contributions, within the limits of section 408(p). Others are not taken, except rollovers that the law allows.',
    distributions:
      'Distributions are taxed as income. In the first two years of your participation an early distribution bears an additional tax of 25%, and ' +
      'the account can be rolled over to another SIMPLE IRA only.',
  },
  traditional: {
    name: 'Traditional IRA',
    types: ['IraTraditional', 'IraRollover', 'IraSep'],
    contributions:
      'Contributions are made in cash within the yearly limit of section 219, but for rollovers and, in a SEP, those of your employer. Whether ' +
      'they can be deducted depends on your income and on plans at work; you keep account of what was not deducted.',
    distributions:
      'Distributions are taxed as income; before the age of 59 ½ an additional tax of 10% applies unless an exception does. Required ' +
      'minimum distributions begin by April 1 after the year in which you reach the age that section 401(a)(9) sets.',
  },
  roth: {
    name: 'Roth IRA',
    types: ['IraRoth', 'IraRothRollover', 'IraRothConversion'],
    contributions:
      'Contributions are made in cash within the yearly limit of section 408A, which falls as your income rises, but for rollovers and ' +
      'conversions. They are never deducted.',
    distributions:
      'Qualified distributions (after five years, and after the age of 59 ½, on disability, on death or for a first home) are free of tax. ' +
      'None is required while you live.',
  },
} as const satisfies Record<string, Plan>

export function adoptionAgreement(plan: Plan) {
  return (form: FormCase): Form => {
    const { record } = form
    return {
      sections: [
        accountSection(form),
        { title: 'Depositor', parts: identityParts(record.primaryOwner, form) },
        {
          title: 'Kind of account',
          parts: [
            checks(
              `The ${plan.name} is opened as`,
              plan.types.map((type) => ({
                label: codeRow('registrationType', type)?.label ?? type,
                checked: type === record.registrationType,
              })),
            ),
            boxes(
              box('Amount of the first contribution', ''),
              box('For the tax year', ''),
              box('Rolled over or transferred from', '', 2),
            ),
          ],
        },
        beneficiariesSection(form),
        {
          title: 'Agreement',
          parts: [
            clauses({
              Adoption: `By signing you adopt the ${plan.name} custodial agreement that you were given, and name the custodian to hold your contributions for you and your beneficiaries alone.`,
              Contributions: plan.contributions,
              Distributions: plan.distributions,
              'No forfeiture':
                'Your interest in the account cannot be forfeited. No part is invested in life insurance or collectibles, or mixed with other property, as section 408 forbids.',
              Investments:
                'You choose the investments and bear their risk. The custodian gives no advice and no tax advice.',
              Beneficiaries:
                'On your death the account goes to the primary beneficiaries, or if none is alive to the contingent ones, in the shares above; if there are none, ' +
                'to your surviving spouse, or else to your estate.',
              Reports:
                'The custodian reports contributions, distributions and the value of the account to you and to the Internal Revenue Service.',
              Revocation:
                'You may revoke this agreement within seven days of receiving the disclosure statement, and get back all that you paid in.',
            }),
            text(
              'If you are married, live in a community property state and name somebody besides your spouse, your spouse should consent below.',
            ),
          ],
        },
        {
          title: 'Signatures',
          parts: [
            text(
              'I have received the custodial agreement and the disclosure statement, and adopt the account on these terms.',
            ),
            signature(fullName(record.primaryOwner), 'Depositor'),
          ],
        },
        {
          title: 'Consent of the spouse (where it applies)',
          parts: [signature('', 'Spouse of the depositor')],
        },
        { title: 'Acceptance (for the custodian)', parts: [signature('', 'For the custodian')] },
      ],
    }
  }
}

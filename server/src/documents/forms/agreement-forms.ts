/**
 * Agreements of an account's owners: the customer agreement (CASH), margin (MRGN), options (OPTS), transfer on death
 * (TOD).
 */
import { experienceBoxes } from './application-forms.ts'
import { box, boxes, clauses, type Form, type FormCase, notice, signature, text } from './form.ts'
import {
  accountSection,
  beneficiariesSection,
  choices,
  ownerSections,
  signatureSection,
} from './record-parts.ts'
import { marginRisks, protectionBySipc } from './required-notices.ts'

const agreed = 'I have received a copy of this agreement, have read it, and agree to it.'

export function customerAgreement(form: FormCase): Form {
  return {
    sections: [
      accountSection(form),
      ...ownerSections(form),
      {
        title: 'Agreement',
        parts: [
          clauses({
            'The parties':
              'You are the owners of the account. The introducing firm accepts and advises you on your orders. The clearing firm executes the ' +
              'settlement of your trades, holds your cash and securities, and keeps the books of the account.',
            'Your capacity':
              'You are of age and free to enter into this agreement. Unless you have told the introducing firm otherwise, you do not work ' +
              'for an exchange, a member firm or FINRA, and no one else has an interest in the account.',
            'Rules that apply':
              'Every transaction is subject to the laws that apply to it and to the rules and customs of the market and the clearing ' +
              'agency where it is carried out.',
            'Payment and delivery':
              'You pay for what you buy, and deliver what you sell, by the settlement date. If you do not, the clearing firm may buy or sell ' +
              'for your account what is needed to settle, and you bear what it costs.',
            Orders:
              'An order is binding once it is executed. A sale is long unless you designate it short when you give the order.',
            'Statements and confirmations':
              'Look at every confirmation and statement when it reaches you, and tell the introducing firm and the clearing firm in writing, ' +
              'without delay, of anything that is not right.',
            Lien:
              'What the clearing firm holds for you secures what you owe it on any of your accounts, except where the law or the ' +
              'kind of account (a retirement account, for one) does not allow it.',
            'Joint accounts':
              'Each owner may give instructions alone and is liable for the whole. On conflicting instructions the clearing firm may wait ' +
              'for all owners, or for a court.',
            Fees: 'Commissions and fees are those of the schedule that you were given; changes are announced 30 days ahead.',
            'Investor protection': protectionBySipc,
            Privacy:
              'What is known of you is used and shared as the privacy notice says that you were given.',
            'Changes and end':
              'Changes of this agreement are sent to you 30 days ahead. Either side may end it in writing; what was begun before is settled.',
          }),
        ],
      },
      signatureSection(form, agreed),
    ],
  }
}

export function marginAgreement(form: FormCase): Form {
  return {
    sections: [
      accountSection(form),
      ...ownerSections(form),
      {
        title: 'The risks of margin',
        apart: true,
        parts: [notice(marginRisks.collateral), clauses(marginRisks.points)],
      },
      {
        title: 'Agreement',
        parts: [
          clauses({
            Credit:
              'The clearing firm lends against the securities and cash of your margin account, up to the limits of Regulation T, of ' +
              'FINRA Rule 4210 and of its own rules, whichever is strictest.',
            // 17 CFR 240.10b-16(a)(1): the method of computing interest, and of determining the balance.
            Interest:
              'You pay interest for every night on the settled debit balance of your margin account, at the rate of the schedule that you were given, over ' +
              '360 days. Proceeds of short sales do not reduce this balance, and securities sold short count at their market value. A credit balance ' +
              'of a cash account is not deducted. If later entries change the balance of nights that have passed, their interest is computed again. ' +
              'Unpaid interest is added to the balance monthly.',
            Maintenance:
              'You keep the equity that the rules require. A call is met by the time it names; the clearing firm may shorten that time, or ' +
              'sell at once, when the account or the market gives it reason to.',
            'Sale of collateral':
              'When the equity is too small, or you become insolvent, die or do not pay, the clearing firm may sell what is in the account, ' +
              'buy what is short and cancel open orders, at the market, in the order that it sees fit.',
            'Short sales':
              'A short sale is made in the margin account, after the security was located, and is marked to the market daily.',
            'Loan of securities':
              'The shares that you hold on margin may be lent. You may then lose the right to vote them.',
            'Pledge of securities':
              'SECURITIES IN YOUR MARGIN ACCOUNT MAY BE PLEDGED AND LENT BY THE CLEARING FIRM, SEPARATELY OR TOGETHER WITH THOSE OF OTHERS, ' +
              'FOR AS MUCH AS YOU OWE OR FOR MORE, AS FAR AS THE RULES OF THE SEC ALLOW.',
          }),
        ],
      },
      signatureSection(
        form,
        `${agreed} BY SIGNING I ACKNOWLEDGE THAT MY SECURITIES MAY BE LENT TO THE CLEARING FIRM OR TO OTHERS.`,
      ),
    ],
  }
}

export function optionAgreement(form: FormCase): Form {
  return {
    sections: [
      accountSection(form),
      ...ownerSections(form),
      {
        title: 'Option trading',
        parts: [
          choices('Level applied for', 'optionTradingLevel', form.record.main.optionTradingLevel),
          choices('Annual income (USD)', 'annualIncome', form.record.financialProfile.annualIncome),
          choices('Liquid net worth (USD)', 'liquidNetWorth', form.record.financialProfile.liquidNetWorth),
          choices('Attitude to risk', 'investmentProfile', form.record.financialProfile.investmentProfile),
          experienceBoxes(form.record),
        ],
      },
      {
        title: 'Agreement',
        parts: [
          notice(
            'Options are not suitable for everybody. A buyer can lose the whole premium; a writer of uncovered options can lose without limit. ' +
              'Do not trade options before you have received and read the booklet Characteristics and Risks of Standardized Options.',
          ),
          clauses({
            Rules:
              'Option transactions are subject to the rules of The Options Clearing Corporation and of the exchange, among them the ' +
              'limits of positions and of exercises. You will not exceed them, alone or together with others.',
            Approval:
              'No order is taken before the account is approved for its level by a registered options principal.',
            Exercise:
              'You give instructions to exercise by the time that the introducing firm names. Options that expire in the money by the ' +
              'threshold of the clearing corporation are exercised unless you say otherwise.',
            Assignment:
              'Exercise notices are assigned among short positions at random. A writer may be assigned at any time until expiration.',
            'Margin and sale':
              'Uncovered positions need a margin account and its requirements. The clearing firm may close positions that the account cannot carry.',
            Information:
              'You will tell the introducing firm when your means or aims as given above change in a way that matters.',
          }),
        ],
      },
      signatureSection(form, `${agreed} I have received the booklet on the risks of options.`),
      {
        title: 'Approval (for the firm)',
        parts: [
          boxes(
            box('Level approved', ''),
            box('Booklet sent on', ''),
            box('Registered representative', '', 2),
          ),
          signature('', 'Registered options principal'),
        ],
      },
    ],
  }
}

export function transferOnDeathAgreement(form: FormCase): Form {
  return {
    sections: [
      accountSection(form),
      ...ownerSections(form),
      beneficiariesSection(form),
      {
        title: 'Agreement',
        parts: [
          clauses({
            'Transfer on death':
              'On the death of the owner, or of the last of joint owners, the account belongs to the beneficiaries named here, outside of the ' +
              'estate, under the Uniform TOD Security Registration Act as it is law in the state that governs the account.',
            Shares:
              'The shares of the primary beneficiaries come to 100%, as do those of the contingent ones, who take only if no primary beneficiary ' +
              'outlives the owner. The share of one who does not outlive the owner goes to the others of the rank in proportion.',
            'Until then':
              'While an owner lives, beneficiaries have no right to the account, and the owner may change them in writing at any time.',
            Proof:
              'The account is paid out when the clearing firm has a certified copy of the death certificate, the identity of each beneficiary, ' +
              'and the documents that the law asks for.',
            Debts: 'What is owed on the account, and taxes that the law puts on it, are paid first.',
            'What else applies':
              'This designation takes the place of every earlier one, and a will does not change it.',
          }),
          text(
            'In some states (among them AZ, CA, ID, LA, NV, NM, TX, WA and WI) a husband or wife who is not the only beneficiary should ' +
              'consent below.',
          ),
        ],
      },
      signatureSection(form, agreed),
      { title: 'Consent of the spouse (where it applies)', parts: [signature('', 'Spouse of the owner')] },
    ],
  }
}

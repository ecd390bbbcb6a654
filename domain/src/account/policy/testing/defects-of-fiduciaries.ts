/** For tests: trusts and estates with the parties who act for them, and the findings of account policy in each. */
import { entity, person } from '../../testing/right-accounts.ts'
import { add, all, only, owner } from './changed-accounts.ts'
import type { FindingRow } from './find-table.ts'

const ownNumber = '223907716'
const personNumber = '401129900'

export const defectsOfFiduciaries: readonly FindingRow[] = [
  ...(
    [
      ['Trust', 'Trustee'],
      ['Trust', 'SuccessorTrustee'],
      ['Estate', 'Executor'],
    ] as const
  ).flatMap(([registration, role]): FindingRow[] => [
    [
      `a ${registration} that is its own ${role}`,
      registration,
      all(owner({ taxIdNumber: ownNumber }), add(entity({ role, taxIdNumber: ownNumber }))),
      'CustodianNotOwner associatedParties[1].taxIdNumber',
    ],
    [
      `a ${registration} that is its own ${role}, by name`,
      registration,
      all(
        owner({ taxIdNumber: ownNumber, firstName: 'ELM TRUST' }),
        add(entity({ role, taxIdNumber: undefined, firstName: 'ELM TRUST' })),
      ),
      'CustodianNotOwner associatedParties[1]',
    ],
    [
      `a ${registration} with a ${role} of the same name and another number`,
      registration,
      all(
        owner({ taxIdNumber: ownNumber, firstName: 'ELM TRUST' }),
        add(entity({ role, taxIdNumber: '133907716', firstName: 'ELM TRUST' })),
      ),
    ],
  ]),
  [
    'a trust with the number of its grantor, who is the trustee',
    'Trust',
    all(
      owner({ taxIdType: 'SSN', taxIdNumber: personNumber }),
      only(
        person({ role: 'Trustee', taxIdNumber: personNumber }),
        person({ role: 'Grantor', taxIdNumber: personNumber }),
      ),
    ),
  ],
  [
    'a trust with the number of the company that is its grantor and trustee',
    'Trust',
    all(
      owner({ taxIdNumber: ownNumber, firstName: 'ELM TRUST' }),
      add(
        entity({ role: 'Trustee', taxIdNumber: ownNumber, firstName: 'ELM CORP' }),
        entity({ role: 'Grantor', taxIdNumber: ownNumber, firstName: 'ELM CORP' }),
      ),
    ),
  ],
  [
    'a trust that is its own grantor and trustee',
    'Trust',
    all(
      owner({ taxIdNumber: ownNumber, firstName: 'ELM TRUST' }),
      add(
        entity({ role: 'Trustee', taxIdNumber: ownNumber, firstName: 'ELM TRUST' }),
        entity({ role: 'Grantor', taxIdNumber: ownNumber, firstName: 'ELM TRUST' }),
      ),
    ),
    'CustodianNotOwner associatedParties[1].taxIdNumber',
  ],
]

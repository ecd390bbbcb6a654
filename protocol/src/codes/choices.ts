// The coded fields of requests that are ours: how answers are sorted, what operations decide, a firm's settings.
// Reading 3.6, 4.4 and 5.5.

import { listCodes } from './code-list.ts'

/** sortBy of get-document-details. Reading 5.5. */
export const documentSorts = listCodes({
  createdDate: 'When it was added',
  updatedDate: 'When it was last changed',
  documentTypeName: 'Type',
  reference: 'Reference',
  displayName: 'Displayed name',
  status: 'Status',
})

/** sortBy of list-accounts. */
export const accountSorts = listCodes({
  createdDate: 'When its application was submitted',
  updatedDate: 'When it was last changed',
  openedDate: 'When it was opened; accounts that never were are left out',
  accountName: 'Title',
  accountNumber: 'Number',
})

/** sortBy of search-accounts. */
export const foundAccountSorts = listCodes({
  createdDate: 'When its application was submitted',
  accountNumber: 'Number',
})

/** sortBy of list-breaks. */
export const breakSorts = listCodes({ accountNumber: 'Account number', raisedDate: 'When it was raised' })

/** sortMode. Reading 5.5. */
export const sortModes = listCodes({
  ascend: 'Smallest or earliest first',
  descend: 'Largest or latest first',
})

/** What a firm wants done with a possible duplicate of an account. Reading 3.6. */
export const duplicatePolicies = listCodes({
  Flag: 'Accept it and flag it',
  Review: 'Accept it and let operations decide',
  Refuse: 'Refuse it (ERR.2012)',
})

/** Decision on an application or a document. */
export const decisions = listCodes({ Approved: 'Approve', Rejected: 'Reject' })

/** Decision on a watch-list match. Reading 4.4. */
export const matchDecisions = listCodes({
  Cleared: 'Not the person on the list',
  Confirmed: 'The person on the list',
})

/** Files of a watch list in the layout of the OFAC SDN list. Reading 4.4. */
export const watchListParts = listCodes({ sdn: 'Entries', alt: 'Other names', add: 'Addresses' })

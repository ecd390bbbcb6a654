// The coded fields of requests that this service adds: sort orders, decisions of operations, settings of a firm.
// Reading 3.6, 4.4 and 5.5.

import { listCodes } from './code-list.ts'

/** sortBy of get-document-details. Reading 5.5. */
export const documentSorts = listCodes({
  createdDate: 'When the document was added',
  updatedDate: 'When it was last changed',
  documentTypeName: 'Type',
  reference: 'Reference',
  displayName: 'Displayed name',
  status: 'Status',
  accountNumber: 'Account number, then when the document was added',
  subNumber: 'Entity number, then when the document was added',
  repCode: 'Rep code, then when the document was added',
})

/** sortBy of list-accounts. */
export const accountSorts = listCodes({
  createdDate: 'When the application was submitted',
  updatedDate: 'When it was last changed',
  openedDate: 'When the account was opened; accounts that were never open are left out',
  accountName: 'Title',
  accountNumber: 'Number',
})

/** sortBy of search-accounts. */
export const foundAccountSorts = listCodes({
  createdDate: 'When the application was submitted',
  accountNumber: 'Number',
})

/** sortBy of list-breaks. */
export const breakSorts = listCodes({
  accountNumber: 'Account number',
  raisedDate: 'When the break was raised',
})

/** sortMode. Reading 5.5. */
export const sortModes = listCodes({
  ascend: 'Smallest or earliest first',
  descend: 'Largest or latest first',
})

/** removeFilters of update-webhook. */
export const webhookFilters = listCodes({
  entityNumber: 'Events of one entity number only',
  repCode: 'Events of one rep code only',
  accountNumber: 'Events of one account only',
})

/** How possible duplicates of an account are treated, a setting of the firm. Reading 3.6. */
export const duplicatePolicies = listCodes({
  Flag: 'Accept the application and flag it',
  Review: 'Accept the application; operations decide',
  Refuse: 'Reject the application (ERR.2012)',
})

/** Decision on an application or a document. */
export const decisions = listCodes({ Approved: 'Approve', Rejected: 'Reject' })

/** Decision on a watch-list match. Reading 4.4. */
export const matchDecisions = listCodes({
  Cleared: 'Not the person on the list',
  Confirmed: 'The person on the list',
})

/** What became of a watch-list match. */
export const matchStates = listCodes({
  Open: 'Waits for a decision',
  Cleared: 'Not the person on the list',
  Confirmed: 'The person on the list',
  Dropped: 'Needs no decision: the change was rejected or withdrawn, or no list matches the person any more',
})

/** Files of a watch list in the layout of the OFAC SDN list. Reading 4.4. */
export const watchListParts = listCodes({
  sdn: 'Entries',
  alt: 'Other names',
  add: 'Addresses',
  comments: 'Longer remarks',
})

export const statementKinds = listCodes({
  Statement: 'Account statement',
  Confirmation: 'Confirmation of trades',
})

/** How the customer gets a statement, by the account's electronicDelivery. */
export const statementDeliveries = listCodes({ Electronic: 'By electronic means', Paper: 'By mail' })

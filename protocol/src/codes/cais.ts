// The coded fields of the customer and account information reported to the Consolidated Audit Trail. Observed in the
// specification: customer types Advisor, Employee, CP, Trust; account types Institution, Retirement; role Auth.
// Reading 3.7.

import { listCodes } from './code-list.ts'

/** Customer types. */
export const caisCustomerTypes = listCodes({
  Accredited: 'Accredited investor',
  Advisor: 'Investment adviser',
  CP: 'Control person',
  Employee: 'Employee of the firm',
  Foreign: 'Foreign person',
  NotApplicable: 'Not applicable',
  OthBkr: 'Employee of another broker',
  Trust: 'Trust',
  BD: 'Broker-dealer',
  RIC: 'Registered investment company',
})

/** Account types. */
export const caisAccountTypes = listCodes({
  Average: 'Average price account',
  DvpRvp: 'Delivery or receipt versus payment',
  Education: 'Education savings',
  EntityId: 'Entity identifier',
  Error: 'Error account',
  Firm: 'Account of the firm',
  Institution: 'Institutional customer',
  Market: 'Market making',
  Margin: 'Margin',
  Option: 'Options',
  Other: 'Other',
  Relationship: 'Relationship',
  Retirement: 'Retirement',
  UgmaUtma: 'Custodial account of a minor',
})

/** Roles of a person in an account. */
export const caisRoles = listCodes({
  Auth: 'Authorized trader',
  TrdHolder: 'Holder who trades',
  NtHolder: 'Holder who does not trade',
  Auth3rd: 'Authorized third party',
  AuthRep: 'Authorized representative',
})

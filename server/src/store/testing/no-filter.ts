/** Searches and lists of accounts without any condition, to which a test adds its own. */
import type { AccountFilter } from '../account-list.ts'
import type { AccountSearch } from '../account-search.ts'

export const anyAccount: AccountSearch = {
  text: undefined,
  taxIds: undefined,
  firmId: undefined,
  entityNumber: undefined,
  repCode: undefined,
  status: undefined,
  registrationType: undefined,
  createdFrom: undefined,
  createdTo: undefined,
}

const everyDay = { from: '', to: '' }
export const anyOfFirm: AccountFilter = {
  statuses: [],
  registrationTypes: [],
  entityNumber: '',
  repCode: '',
  name: '',
  created: everyDay,
  opened: everyDay,
  updated: everyDay,
}

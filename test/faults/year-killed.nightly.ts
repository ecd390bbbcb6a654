/** A process that is killed many times during the daily review of accounts loses and doubles nothing. */
import { testKillsDuringYear } from './kill-during-year.ts'

testKillsDuringYear({ accounts: 100, killsEach: 8 })

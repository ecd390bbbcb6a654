/** A process that is killed a few times during the daily review of accounts loses and doubles nothing. */
import { testKillsDuringYear } from './kill-during-year.ts'

testKillsDuringYear({ accounts: 40, killsEach: 1 })

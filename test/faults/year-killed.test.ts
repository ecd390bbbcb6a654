/** A process that is killed while the business day looks at the year of accounts loses and doubles nothing: a few kills. */
import { testKillsDuringYear } from './kill-during-year.ts'

testKillsDuringYear({ accounts: 40, killsEach: 1 })

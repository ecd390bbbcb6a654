/** A process that is killed while the business day looks at the year of accounts loses and doubles nothing: many kills. */
import { testKillsDuringYear } from './kill-during-year.ts'

testKillsDuringYear({ accounts: 100, killsEach: 8 })

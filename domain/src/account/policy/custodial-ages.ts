/**
 * The age at which a custodianship for a minor ends, by state and act. Gifts under the Uniform Transfers to Minors Act
 * (UTMA) end at `age`, or at the later age up to `latest` that the transfer names where the state allows one to be
 * named. Gifts under the Uniform Gifts to Minors Act (UGMA) end at the age that the state had before it enacted the
 * UTMA, or has still. Each row has its source: the state's statute where it was read, otherwise the published lists
 * that agree on the age.
 *
 * The state is that of the transfer. A transfer names the act of a state in which the transferor, the minor or the
 * custodian lives or the property is (UTMA, section 2). The record does not contain the name of the act; the state is
 * that of the minor. The custodianship remains subject to its act despite a later change of residence
 * (Social Security Administration, POMS PS 01805.046, with the sections of six states, and SI CHI01120.205).
 *
 * The lists are those of the Social Security Administration (POMS SI 01120.205 with its regional supplements), FinAid
 * ("Age of Majority and Trust Termination") and Capital Group ("UGMA/UTMA age of majority by state"). Where a list
 * gives several ages that a transfer may name, `age` is the one that holds if the transfer names none. The lists were
 * compared for the states from AL to NH and for GU; FinAid gives 18 for the UTMA of Arkansas, where Capital Group and
 * the Code, section 9-26-220, give 21.
 */

export interface CustodialAge {
  readonly age: number
  readonly latest: number
  /** The statute, or the lists that agree. */
  readonly source: string
  /** The day on which the source was last read, `yyyy-MM-dd`. */
  readonly readOn: string
}

const lists = 'POMS SI 01120.205, FinAid and Capital Group, ages by state'

function ages(age: number, latest = age): CustodialAge {
  return { age, latest, source: lists, readOn: '2026-11-22' }
}

/** An age whose statute was read. */
function read(source: string, age: number, latest = age): CustodialAge {
  return { age, latest, source, readOn: '2026-11-23' }
}

/** By USPS code. A state that is absent has the act's own age, 21. */
const utma: Readonly<Record<string, CustodialAge>> = {
  AL: read('Ala. Code 35-5A-21', 21),
  AK: read('Alaska Stat. 13.46.190 and 13.46.195', 21, 25),
  AR: read('Ark. Code 9-26-220', 21),
  AZ: read('Ariz. Rev. Stat. 14-7670', 21),
  CA: ages(18, 25),
  DC: ages(18, 21),
  FL: ages(21, 25),
  KY: ages(18),
  // Acts 2023, No. 60; before, 18.
  LA: { age: 22, latest: 22, source: 'La. R.S. 9:770(1)', readOn: '2026-11-22' },
  ME: ages(18, 21),
  MI: ages(18, 21),
  MT: read('Mont. Code 72-26-803', 21),
  NV: ages(18, 25),
  NC: ages(21),
  NJ: read('N.J. Stat. 46:38A-52', 21),
  OH: ages(21, 25),
  OK: ages(18, 21),
  OR: read('Or. Rev. Stat. 126.872', 21, 25),
  PA: ages(21, 25),
  // Act 128 of 2022, in force since April 4, 2022; before, a Uniform Gifts to Minors Act.
  SC: { age: 21, latest: 21, source: 'S.C. Code 63-5-605', readOn: '2026-11-25' },
  SD: read('S.D. Codified Laws 55-10A-1', 18),
  TN: read('Tenn. Code 35-7-121', 21, 25),
  // For transfers since July 1, 2019; before, 21 at most.
  VA: {
    age: 18,
    latest: 25,
    source: 'Va. Uniform Transfers to Minors Act as amended in 2019 (54 U. Rich. L. Rev. 183)',
    readOn: '2026-11-25',
  },
  VT: { age: 21, latest: 21, source: 'Vt. Stat. title 14, section 3211', readOn: '2026-11-25' },
  WA: ages(21, 25),
  // In force since July 1, 2017; before, 21 at most. A custodian may extend the term further (34-13-139), which the
  // owner shows when the custodianship falls due.
  WY: { age: 21, latest: 30, source: 'Wyo. Stat. 34-13-138', readOn: '2026-11-27' },
}

/** By USPS code. A state that is absent has 18. */
const ugma: Readonly<Record<string, CustodialAge>> = {
  AL: ages(19),
  AR: ages(21),
  CO: ages(21),
  CT: ages(21),
  GA: ages(21),
  GU: ages(21),
  IA: ages(21),
  ID: ages(18),
  IL: ages(21),
  IN: ages(21),
  KY: ages(21),
  ME: ages(21),
  MI: ages(21),
  MO: ages(21),
  MS: ages(21),
  NE: ages(19),
  NH: ages(21),
  NJ: ages(21),
  OK: ages(21),
  PA: ages(21),
  PR: ages(21),
  RI: ages(21),
  UT: ages(21),
  VI: ages(21),
  WA: ages(21),
  WY: ages(19),
}

export interface StatesOfAge extends Pick<CustodialAge, 'age' | 'latest'> {
  readonly act: 'UTMA' | 'UGMA'
  /** Empty for all states that no other row names. */
  readonly states: readonly string[]
}

/** Both acts as a table: the states of each age, and the act's own age for the others. */
export function listCustodialAges(): StatesOfAge[] {
  return (['UTMA', 'UGMA'] as const).flatMap((act) => {
    const usual = custodialAgeOf(act, undefined)
    const named = Object.entries(act === 'UTMA' ? utma : ugma)
    const others = named.filter(([, { age, latest }]) => age !== usual.age || latest !== usual.latest)
    const rows = [...Map.groupBy(others, ([, { age, latest }]) => `${age} ${latest}`).values()].map((of) => ({
      act,
      ...agesOf((of[0] as (typeof of)[number])[1]),
      states: of.map(([state]) => state),
    }))
    return [
      ...rows.sort((a, b) => a.age - b.age || a.latest - b.latest),
      { act, ...agesOf(usual), states: [] },
    ]
  })
}

function agesOf({ age, latest }: CustodialAge): Pick<CustodialAge, 'age' | 'latest'> {
  return { age, latest }
}

/** The ages of a state; the acts' own where the state is unknown. */
export function custodialAgeOf(act: 'UGMA' | 'UTMA', state: string | undefined): CustodialAge {
  return act === 'UTMA' ? (utma[state ?? ''] ?? ages(21)) : (ugma[state ?? ''] ?? ages(18))
}

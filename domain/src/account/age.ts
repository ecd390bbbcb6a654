/** The age from which a person acts alone. */
export const adultAgeYears = 18

/** Age in whole years on a day, both `yyyy-MM-dd`; a person born on 29 February is a year older on 1 March of a common year. */
export function ageOn(birthDate: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4))
  return day.slice(5) < birthDate.slice(5) ? years - 1 : years
}

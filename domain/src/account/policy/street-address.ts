/**
 * Whether an address is a residential or business address. A broker-dealer must obtain a residential or business street
 * address; a member of the forces may give an APO or FPO box (31 CFR 1023.220(a)(2)(i)(A)(3)), and the box on a rural
 * route is where the house stands.
 */

export interface StreetAddress {
  readonly street?: string
  readonly city?: string
  readonly stateProvince?: string
  readonly country?: string
  readonly postalCode?: string
}

/**
 * A numbered box. The Postal Service also counts drawers, lockboxes, callers and bins as post office boxes (Publication
 * 28, Postal Addressing Standards, post office box addresses).
 */
const box =
  /\b(?:P\.?\s*O\.?\s*-?\s*B(?:OX|X|\.)?|POST(?:AL)?\s+OFFICE\s+BOX|POST\s*BOX|POB|(?:(?:P\.?\s*O\.?|POST\s+OFFICE)\s*)?DRAWER|LOCK\s*BOX|(?:FIRM\s+)?CALLER(?:\s+BOX)?|BIN|BOX|APARTADO(?:\s+POSTAL)?|CASILLA(?:\s+(?:DE\s+CORREO|POSTAL))?|CAIXA\s+POSTAL|POSTFACH|BOITE\s+POSTALE|B\.?P\.?)\s*(?:NO\.?|#|N°)?\s*[A-Z]?-?\d[\dA-Z-]*/gi
/** A post office box with letters in place of a number, or without either. */
const unnumberedBox =
  /\b(?:P\.?\s*O\.?|POST(?:AL)?\s+OFFICE)\s*(?:BOX|DRAWER)\b(?:\s+[A-Z]{1,2}(?![A-Z\d]))?/gi
/** A part of a building, which does not say where the building stands. */
const unit = /\b(?:APARTMENT|APT|SUITE|STE|ROOM|RM|FLOOR|FL)\b\.?\s*#?\s*(?:\d[\dA-Z-]*|[A-Z]\b)/gi
/** A word, as the name of a street, `RR` or `PSC`; or a rural route or highway contract with points. */
const placed = /\p{L}{2}|R\.\s?R|H\.\s?C/iu
const militaryStates = ['AA', 'AE', 'AP']
const militaryCities = ['APO', 'FPO', 'DPO']

/**
 * True for `PO BOX 12`, `PO BOX 12 APT 4` and `PO DRAWER Q`, false for `PO BOX 12, 34 MAIN ST`, for rural routes and
 * for military addresses.
 */
export function isBoxOnly({
  street = '',
  city = '',
  stateProvince = '',
  country = '',
}: StreetAddress): boolean {
  const isMilitary =
    country === 'US' &&
    (militaryStates.includes(stateProvince) || militaryCities.includes(city.toUpperCase()))
  if (isMilitary) return false
  const rest = street.replace(box, ' ').replace(unnumberedBox, ' ')
  if (rest === street) return false
  return !placed.test(rest.replace(unit, ' '))
}

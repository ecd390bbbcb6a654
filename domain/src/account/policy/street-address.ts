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
/**
 * A building, or a part of one, which does not say where it stands: the secondary unit designators that need a number
 * (Publication 28, section 213).
 */
const unit =
  /\b(?:APARTMENT|APT|BUILDING|BLDG|DEPARTMENT|DEPT|FLOOR|FL|HANGAR|HNGR|KEY|LOT|PIER|ROOM|RM|SLIP|SPACE|SPC|STOP|SUITE|STE|TRAILER|TRLR|UNIT)\b\.?\s*#?\s*(?:\d[\dA-Z-]*|[A-Z]\b)/gi
/** The person who receives the mail for another (Publication 28, section 214). */
const careOf = /(?:\b(?:C\/O|CARE\s+OF|ATTN|ATTENTION)\b|℅)[^\d,;\n]*/gi
/** The unit of a member of the forces, also where the record does not name the post office of the forces. */
const unitOfForces = /\bUNIT\s*#?\s*\d+\s*,?\s*BOX\b/i
/** The post office of a box in the United States and Canada, as NORTH STATION or STATION A. */
const postalStation =
  /^[^\d]*\b(?:STATION|STA|STN|BRANCH)\b\.?\s*$|^\s*(?:STATION|STA|STN|BRANCH)\b\.?\s*[A-Z\d]{1,2}\s*$/i
const countriesOfStations = ['US', 'CA']
/** A word, as the name of a street, `RR` or `PSC`; or a rural route or highway contract with points. */
const placed = /\p{L}{2}|R\.\s?R|H\.\s?C/iu
const militaryStates = ['AA', 'AE', 'AP']
const militaryCities = ['APO', 'FPO', 'DPO']

/**
 * True for `PO BOX 12`, `PO BOX 12 APT 4`, `C/O SMITH PO BOX 12` and `PO DRAWER Q`, false for `PO BOX 12, 34 MAIN ST`,
 * for rural routes and for military addresses.
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
  if (isMilitary || unitOfForces.test(street)) return false
  // A comma stands for the box, because a name before or after it ends there.
  const rest = street.replace(box, ',').replace(unnumberedBox, ',')
  if (rest === street) return false
  const parts = rest
    .replace(careOf, ' ')
    .replace(unit, ' ')
    .split(/[,;\n]/)
  const isStation = (part: string) => countriesOfStations.includes(country) && postalStation.test(part)
  return !parts.some((part) => placed.test(part) && !isStation(part))
}

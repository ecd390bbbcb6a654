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
/**
 * The names of boxes in other languages, without their accents, and those of the post of Australia, New Zealand and
 * southern Africa (Universal Postal Union, addressing systems of its members).
 */
const boxNames = [
  'G\\.?\\s?P\\.?\\s?O\\.?\\s*BOX',
  '(?:PRIVATE|LOCKED|MAIL|P\\.?\\s?O\\.?)\\s*BAG',
  'POSTBUS',
  'POSBUS',
  'PRIVAATSAK',
  'POSTBOKS',
  'POSTILOKERO',
  'POSTHOLF',
  'POSTKAST',
  'CASELLA\\s+POSTALE',
  'CASE\\s+POSTALE',
  'CASUTA\\s+POSTALA',
  'APARTADO\\s+(?:DE\\s+CORREOS?|AEREO)',
  'APARTAT(?:\\s+DE\\s+CORREUS)?',
  'APT?DO\\.?(?:\\s+(?:POSTAL|DE\\s+CORREOS?|AEREO))?',
  'SKRYTKA\\s+POCZTOWA',
  'SKR\\.?\\s*POCZT\\.?',
  'POSTAFIOK',
  'POSTA\\s+KUTUSU',
  'POSTANSKI\\s+PRETINAC',
  'POSTNI\\s+PREDAL',
  'POSTOVY\\s+PRIECINOK',
  'POSTOVNI\\s+(?:PRIHRADKA|SCHRANKA)',
  'PASTKASTE',
  'PASTO\\s+DEZUTE',
  'А\\/Я',
  '(?:C\\.\\s?P|P\\.\\s?[BKP])\\.',
]
/** Names of two letters, in the countries that use them: elsewhere they may name a block or a sector. */
const shortNames: Readonly<Record<string, readonly string[]>> = {
  CP: ['AO', 'BE', 'BR', 'CA', 'CH', 'FR', 'IT', 'MZ', 'RO'],
  PB: ['DK', 'FI', 'NO', 'SE'],
  PF: ['AT', 'CH', 'DE', 'HU', 'LI'],
  PK: ['EE', 'TR'],
  PL: ['FI'],
  PP: ['BA', 'HR', 'ME', 'RS', 'SI'],
}
function boxesNamed(names: readonly string[]): RegExp {
  return new RegExp(
    `(?<![\\p{L}\\d])(?:${names.join('|')})\\s*(?:N[RO]?\\.?|#|N°)?\\s*[A-Z]?-?\\d[\\dA-Z-]*`,
    'giu',
  )
}
const namedBox = boxesNamed(boxNames)

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
  const plain = street.normalize('NFD').replace(/\p{M}/gu, '')
  const shorts = Object.keys(shortNames).filter((name) => shortNames[name]?.includes(country))
  // A comma stands for the box, because a name before or after it ends there.
  const named = plain.replace(namedBox, ',').replace(box, ',').replace(unnumberedBox, ',')
  const rest = shorts.length > 0 ? named.replace(boxesNamed(shorts), ',') : named
  if (rest === plain) return false
  const parts = rest
    .replace(careOf, ' ')
    .replace(unit, ' ')
    .split(/[,;\n]/)
  const isStation = (part: string) => countriesOfStations.includes(country) && postalStation.test(part)
  return !parts.some((part) => placed.test(part) && !isStation(part))
}

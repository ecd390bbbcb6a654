// Finds the ISO 3166-1 code of a country as watch lists write it. The names come from the runtime's locale tables; this
// file lists only the spellings that differ from them.

const COUNTRY_LENGTH_MAX = 100

const asListed: Record<string, string> = {
  'bosnia herzegovina': 'BA',
  burma: 'MM',
  'cabo verde': 'CV',
  'congo democratic republic of the': 'CD',
  'democratic republic of the congo': 'CD',
  'congo republic of the': 'CG',
  'cote d ivoire': 'CI',
  'ivory coast': 'CI',
  'czech republic': 'CZ',
  england: 'GB',
  'federal republic of germany': 'DE',
  'gambia the': 'GM',
  'bahamas the': 'BS',
  'gaza strip': 'PS',
  'great britain': 'GB',
  'hong kong': 'HK',
  'korea north': 'KP',
  'north korea': 'KP',
  'korea south': 'KR',
  'south korea': 'KR',
  macau: 'MO',
  'macedonia the former yugoslav republic of': 'MK',
  myanmar: 'MM',
  palestine: 'PS',
  palestinian: 'PS',
  'palestinian authority': 'PS',
  'republic of korea': 'KR',
  'russian federation': 'RU',
  swaziland: 'SZ',
  'the netherlands': 'NL',
  'netherlands the': 'NL',
  'timor leste': 'TL',
  turkey: 'TR',
  'united states of america': 'US',
  usa: 'US',
  'west bank': 'PS',
  'viet nam': 'VN',
}

/**
 * Codes that the locale tables name and ISO 3166-1 has withdrawn, reserved or never assigned. Kosovo's XK is in use.
 */
const retiredOrPrivate: ReadonlySet<string> = new Set(
  'AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH QO RH SU TA TP UK UN VD XA XB YD YU ZR ZZ'.split(' '),
)

function foldCountry(text: string): string {
  return text
    .slice(0, COUNTRY_LENGTH_MAX)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[’']/g, ' ')
    .replace(/[^\p{L}]+/gu, ' ')
    .replace(/\band\b/g, ' ')
    .replace(/\bsaint\b/g, 'st')
    .replace(/ +/g, ' ')
    .trim()
}

const codeByName: ReadonlyMap<string, string> = readCountryNames()

function readCountryNames(): Map<string, string> {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const codes = new Map<string, string>()
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  for (const first of letters) {
    for (const second of letters) {
      const code = first + second
      if (retiredOrPrivate.has(code)) continue
      const name = names.of(code)
      if (name === undefined || name === code) continue
      const folded = foldCountry(name)
      if (!codes.has(folded)) codes.set(folded, code)
    }
  }
  for (const [name, code] of Object.entries(asListed)) codes.set(name, code)
  return codes
}

/** `Russia`, `Congo, Democratic Republic of the`, `RU` → code; null for an unknown name. */
export function parseCountry(text: string): string | null {
  const trimmed = text.trim()
  if (/^[A-Z]{2}$/.test(trimmed) && !retiredOrPrivate.has(trimmed)) return trimmed
  return codeByName.get(foldCountry(trimmed)) ?? null
}

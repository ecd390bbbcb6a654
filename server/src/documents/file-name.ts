// Handles callers' file names. It reads the claimed type, cleans the name for display, and writes it into
// Content-Disposition. Such a name is never used as the name of a stored file.
import type { FileKind } from './inspect/file-kind.ts'
import { extensionOf, kindOfExtension } from './inspect/file-kind.ts'

/** `kind`, or a sentence about the fault that does not quote the name. */
export type FileNameVerdict = { kind: FileKind; problem?: never } | { kind?: never; problem: string }

const FILE_NAME_CHARS_MAX = 255

// Controls, line and paragraph separators, and format characters (zero width, direction of text). Of the format
// characters, only the joiners that scripts and emoji need are allowed.
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u
const INVISIBLE_ALL = new RegExp(INVISIBLE.source, 'gu')
const SEPARATOR = /[\\/]/

// Types that systems execute or render actively. Some systems show "invoice.exe.pdf" as "invoice.exe".
const ACTIVE_EXTENSIONS = new Set(
  (
    'ade adp apk app application asp aspx bat cgi chm cmd cpl dll dmg docm elf exe gadget hta htm html inf ins iso jar ' +
    'js jse jsp jspx lnk mht mhtml mjs msc msi msp mst pif phar php php3 php4 php5 php7 phtml pl potm ppam pptm ps1 ' +
    'psm1 py rb reg scf scr sct sh shtml svg svgz swf url vb vbe vbs wasm wsc wsf wsh xbap xht xhtml xlam xlsm xltm xsl zip'
  ).split(' '),
)

/**
 * Reads the type that a file's name claims (reading 5.3). The extension may have any letter case. Refused: other and
 * double extensions, and names that end in a dot or space, have no text before the extension, or contain path
 * separators or characters that hide or reverse text. "a.pdf.pdf" is accepted, because it names one type.
 */
export function readFileName(name: string): FileNameVerdict {
  if (name.length === 0) return { problem: 'The file has no name.' }
  if (name.length > FILE_NAME_CHARS_MAX) {
    return {
      problem: `The file's name must be at most ${FILE_NAME_CHARS_MAX} characters; got ${name.length}.`,
    }
  }
  if (INVISIBLE.test(name) || !name.isWellFormed()) {
    return { problem: "The file's name has characters that are invisible or turn the direction of text." }
  }
  if (SEPARATOR.test(name) || SEPARATOR.test(name.normalize('NFKC'))) {
    return { problem: "The file's name must not have a path." }
  }
  if (/^\s|[\s.]$/u.test(name)) {
    return { problem: "The file's name must not begin with a space or end with a space or dot." }
  }
  const parts = name.split('.')
  const kind = kindOfExtension(parts.at(-1) ?? '')
  if (parts.length < 2 || !kind) {
    return { problem: "The file's extension must be pdf, jpg, jpeg, bmp, png, tiff or tif." }
  }
  if (parts.slice(0, -1).every((part) => part.trim() === '')) {
    return { problem: "The file's name has nothing before its extension." }
  }
  if (parts.length > 2) {
    // "a.php%00.pdf", "a.asp;.pdf" and "a.exe .pdf" use the same trick.
    const earlier = /^\s*([a-z0-9]{1,12})\s*(?:[%;:].*)?$/is.exec(parts.at(-2) ?? '')?.[1]?.toLowerCase()
    const earlierKind = earlier === undefined ? undefined : kindOfExtension(earlier)
    if (earlier !== undefined && (ACTIVE_EXTENSIONS.has(earlier) || (earlierKind && earlierKind !== kind))) {
      return { problem: "The file's name has two extensions." }
    }
  }
  return { kind }
}

/** Text for display: composed (NFC), without invisible characters, single spaces, at most `charsMax` characters. */
export function cleanDisplayName(text: string, charsMax: number): string {
  const clean = text.toWellFormed().normalize('NFC').replace(/\s+/gu, ' ').replace(INVISIBLE_ALL, '').trim()
  return [...clean].slice(0, charsMax).join('').trim()
}

/** The name of a downloaded document: the display name with the extension of the detected type. */
export function nameDownload(displayName: string, kind: FileKind): string {
  const clean = cleanDisplayName(displayName, 120)
    .replace(/[\\/:*?"<>|]/g, '_')
    .replace(/^[.\s]+|[.\s]+$/gu, '')
  const base = clean === '' ? 'document' : clean
  const claimed = kindOfExtension(base.split('.').at(-1) ?? '')
  return base.includes('.') && claimed === kind ? base : `${base}.${extensionOf(kind)}`
}

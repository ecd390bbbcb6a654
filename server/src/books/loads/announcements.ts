/**
 * load-corporate-actions: announcements of corporate actions, their amendments and their cancels. Each line has an id
 * of its own, under which its contents never change.
 */
import {
  type ActionOption,
  type AnnouncedType,
  type Announcement,
  bookingDay,
  checkAnnouncement,
  isDistribution,
  isLargeDistribution,
  largeExDate,
  usualExDate,
} from '@clearing/domain/books'
import { type Rejection, reject } from '@clearing/protocol/values'
import type { Tx } from '../../database/transaction.ts'
import { writeAuditRow } from '../../store/audit.ts'
import { readAmendment, readAmendmentsOf } from '../../store/books/amendments.ts'
import {
  cancelAnnouncement,
  findSameAction,
  holdAnnouncing,
  putAnnouncement,
  readAnnouncement,
  readAnnouncements,
  termsOtherwise,
} from '../../store/books/announcements.ts'
import type { RefusedLine } from '../../store/books/loads.ts'
import { clearingFirmId } from '../../store/firms.ts'
import { takeAmendment } from '../announcements/amend-announcement.ts'
import { announcedAs, conflictOf } from '../announcements/line-conflict.ts'
import { queueExamination } from '../announcements/queue-examination.ts'
import { writeAnnouncementEvent } from '../announcements/tell-firms.ts'
import { Directory, type Named } from '../directory.ts'
import { LineReader } from '../lines/read-line.ts'
import {
  type ActionOptionValues,
  actionOptionShape,
  type CorporateActionValues,
  corporateActionShape,
} from '../lines/shapes.ts'
import { type ReadLines, readLinesOf } from './read-lines.ts'
import { givenAgain, readRepeated, receivedAgain, type TermsBefore } from './repeated-announcements.ts'
import type { BatchOutcome, Load, Loader } from './run-load.ts'

interface AnnouncedLine {
  readonly announcement: Announcement
  /** The ex-date that releases without `largeExDate` gave the same line. */
  readonly formerExDate: string
}

type Ready =
  | (AnnouncedLine & { readonly kind: 'announcement' })
  | (AnnouncedLine & { readonly kind: 'amendment'; readonly amends: string })
  | { readonly kind: 'cancel'; readonly externalId: string; readonly tagNo: string }

interface ReadyLines {
  readonly lines: readonly { readonly source: number; readonly ready: Ready }[]
  readonly refused: readonly RefusedLine[]
}

const optionReader = new LineReader(actionOptionShape)

export function announcementsLoader(load: Load): Loader<ReadyLines> {
  const directory = new Directory(load.pool)
  return {
    async prepare(raw) {
      const read = readLinesOf(corporateActionShape, raw)
      await directory.learn([], namesOf(read))
      return readyLines(read, directory, await readRepeated(read, load.pool, directory))
    },
    async write(tx, { lines, refused }) {
      const rejected: RefusedLine[] = [...refused]
      const conflicts: RefusedLine[] = []
      let accepted = 0
      let duplicates = 0
      holdAnnouncing(tx, lines.flatMap(securityOf))
      for (const { source, ready } of lines) {
        const taken = await takeLine(tx, ready, load)
        if (taken === 'accepted') accepted += 1
        else if (taken === 'duplicate') duplicates += 1
        else if (taken.some(({ code }) => code === 'ERR.2018'))
          conflicts.push({ line: source, rejections: taken })
        else rejected.push({ line: source, rejections: taken })
      }
      if (accepted > 0) noteLoad(tx, load, accepted)
      const outcome: BatchOutcome = {
        accepted,
        duplicates,
        conflicts,
        refused: rejected.sort((a, b) => a.line - b.line),
      }
      return outcome
    },
  }
}

function securityOf({ ready }: ReadyLines['lines'][number]): string[] {
  return ready.kind === 'cancel' ? [] : [ready.announcement.security]
}

function takeLine(tx: Tx, ready: Ready, load: Load): Promise<Taken> {
  switch (ready.kind) {
    case 'announcement':
      return take(tx, ready, load)
    case 'amendment':
      return takeAmendment(tx, ready, load)
    case 'cancel':
      return takeCancel(tx, ready, load)
    default:
      return ready satisfies never
  }
}

type Taken = 'accepted' | 'duplicate' | readonly Rejection[]

async function take(tx: Tx, { announcement, formerExDate }: AnnouncedLine, load: Load): Promise<Taken> {
  const { externalId } = announcement
  const named = { ...announcement, bookOn: bookingDay(announcement) }
  const found = await readAnnouncements(tx, [externalId])
  const cancelled = found.find(({ cancelledBy }) => cancelledBy === externalId)
  if (cancelled !== undefined) return [conflictOf(externalId, 'tagNo')]
  if (found.length === 0 && (await readAmendment(tx, externalId)) !== undefined)
    return [conflictOf(externalId, 'amends')]
  const same = found.length === 0 ? await findSameAction(tx, announcement, externalId) : undefined
  if (same !== undefined) return [announcedAs(same)]
  if (found.length === 0 && (await putAnnouncement(tx, named, { at: load.now(), loadId: load.loadId }))) {
    queueExamination(tx, load.now(), named.bookOn)
    writeAnnouncementEvent(tx, 'corporate_action.announced', named, load)
    return 'accepted'
  }
  const stored = found[0] ?? (await readAnnouncement(tx, externalId))
  if (stored === undefined) throw new Error(`announcement ${externalId} is gone`)
  const [amended] = await readAmendmentsOf(tx, [externalId])
  const fields = termsOtherwise(announcement, { ...stored, ...amended?.replaced }, formerExDate)
  return fields.length === 0 ? 'duplicate' : fields.map((field) => conflictOf(externalId, field))
}

async function takeCancel(
  tx: Tx,
  { externalId, tagNo }: { readonly externalId: string; readonly tagNo: string },
  load: Load,
): Promise<Taken> {
  const found = await readAnnouncements(tx, [externalId, tagNo])
  const before = found.find(({ cancelledBy }) => cancelledBy === externalId)
  if (before !== undefined)
    return before.externalId === tagNo ? 'duplicate' : [conflictOf(externalId, 'tagNo')]
  const isTaken = found.some((one) => one.externalId === externalId)
  if (isTaken || (await readAmendment(tx, externalId)) !== undefined)
    return [conflictOf(externalId, 'cancelType')]
  const original = found.find((one) => one.externalId === tagNo)
  if (original === undefined)
    return [reject('ERR.2003', 'tagNo', 'There is no announcement with this externalId.')]
  if (!(await cancelAnnouncement(tx, tagNo, externalId, load.now())))
    return [reject('ERR.1015', 'tagNo', 'The announcement was cancelled before, by another line.')]
  queueExamination(tx, load.now(), undefined)
  writeAnnouncementEvent(tx, 'corporate_action.cancelled', original, load)
  return 'accepted'
}

function noteLoad(tx: Tx, { loadId, clientId, traceId, now }: Load, accepted: number): void {
  writeAuditRow(tx, {
    firmId: clearingFirmId,
    at: now(),
    actor: clientId,
    action: 'load-corporate-actions',
    target: loadId,
    traceId,
    detail: { accepted },
  })
}

function namesOf({ lines }: ReadLines<CorporateActionValues>): Named[] {
  return lines.flatMap(({ values }) => [values, received(values), ...(values.options ?? []).map(receivedRaw)])
}

function received(values: CorporateActionValues | ActionOptionValues): Named {
  return {
    cusip: values.toCusip,
    isin: values.toIsin,
    sedol: values.toSedol,
    symbol: values.toSymbol,
    secNo: values.toSecNo,
  }
}

function receivedRaw(members: Readonly<Record<string, unknown>>): Named {
  const reading = optionReader.read(members)
  return 'values' in reading ? received(reading.values) : {}
}

function readyLines(
  { lines, refused }: ReadLines<CorporateActionValues>,
  directory: Directory,
  repeated: ReadonlyMap<string, TermsBefore>,
): ReadyLines {
  const ready: { source: number; ready: Ready }[] = []
  const rejected: RefusedLine[] = [...refused]
  for (const { source, values } of lines) {
    const read =
      values.cancelType === 'C' ? readCancel(values) : readAnnouncementLine(values, directory, repeated)
    if ('rejections' in read) rejected.push({ line: source, rejections: read.rejections })
    else ready.push({ source, ready: read })
  }
  return { lines: ready, refused: rejected }
}

type Read = Ready | { readonly rejections: readonly Rejection[] }

function readCancel({ externalId, tagNo, amends }: CorporateActionValues): Read {
  const rejections: Rejection[] = []
  if (amends !== undefined)
    rejections.push(reject('ERR.1015', 'amends', 'A line amends an announcement or cancels one.'))
  if (externalId === undefined) rejections.push(reject('ERR.1000', 'externalId', 'externalId is required.'))
  if (tagNo === undefined)
    rejections.push(reject('ERR.1000', 'tagNo', 'A cancel must name the announcement that it cancels.'))
  if (externalId === undefined || tagNo === undefined || rejections.length > 0) return { rejections }
  return { kind: 'cancel', externalId, tagNo }
}

/** The option of an action that leaves no choice. */
const onlyOption = 'Mandatory'

function readAnnouncementLine(
  values: CorporateActionValues,
  directory: Directory,
  repeated: ReadonlyMap<string, TermsBefore>,
): Read {
  const rejections: Rejection[] = []
  const before = values.externalId === undefined ? undefined : repeated.get(values.externalId)
  const security = givenAgain(values, before?.security, directory, rejections)
  for (const name of ['externalId', 'type', 'payDate'] as const) {
    if (values[name] === undefined) rejections.push(reject('ERR.1000', name, `${name} is required.`))
  }
  if (values.tagNo !== undefined)
    rejections.push(
      reject('ERR.1015', 'tagNo', 'Only a cancel has tagNo. An amendment names the announcement in amends.'),
    )
  const { externalId, type, payDate, recordDate, deadline } = values
  if (type !== undefined && payDate !== undefined && isUndated(values, type))
    rejections.push(reject('ERR.1000', 'recordDate', `${type} requires recordDate or exDate.`))
  const isChoice = values.options !== undefined
  if (isChoice && deadline === undefined)
    rejections.push(reject('ERR.1000', 'deadline', 'An action with options requires deadline.'))
  if (!isChoice && (deadline !== undefined || values.defaultOption !== undefined))
    rejections.push(reject('ERR.1015', 'options', 'deadline and defaultOption require options.'))
  const options = type === undefined ? [] : optionsOf(values, type, { directory, before }, rejections)
  const exDate = type && payDate && exDateOf(values, type, payDate, options)
  if (!externalId || !type || !payDate || !exDate || !security || rejections.length > 0) return { rejections }
  const announcement: Announcement = {
    externalId,
    type,
    security: security.booked.key,
    recordDate,
    exDate,
    payDate,
    options,
    defaultOption: isChoice ? (values.defaultOption ?? '') : onlyOption,
    deadline,
  }
  const wrong = [...checkAnnouncement(announcement), ...checkCurrencies(announcement, directory)]
  if (wrong.length > 0) return { rejections: wrong }
  const { amends } = values
  const formerExDate = exDateOf(values, type, payDate, []) ?? exDate
  return amends === undefined
    ? { kind: 'announcement', announcement, formerExDate }
    : { kind: 'amendment', announcement, formerExDate, amends }
}

function isUndated({ exDate, recordDate }: CorporateActionValues, type: AnnouncedType): boolean {
  return isDistribution(type) && exDate === undefined && recordDate === undefined
}

/** The day from which the shares are traded without the action. */
function exDateOf(
  { exDate, recordDate }: CorporateActionValues,
  type: AnnouncedType,
  payDate: string,
  options: readonly ActionOption[],
): string | undefined {
  if (exDate !== undefined) return exDate
  if (!isDistribution(type)) return payDate
  if (recordDate === undefined) return undefined
  return options.some(isLargeDistribution) ? largeExDate(payDate) : usualExDate(recordDate)
}

const termNames = [
  ...['ratio', 'toCusip', 'toIsin', 'toSedol', 'toSymbol', 'toSecNo', 'cashPerShare', 'costShare', 'price'],
  ...['taxable', 'cashInLieuPrice'],
] as (keyof CorporateActionValues)[]

/** What the options of a line may name: the securities of the feed, and those of the line that it repeats. */
interface Known {
  readonly directory: Directory
  readonly before: TermsBefore | undefined
}

function optionsOf(
  values: CorporateActionValues,
  type: AnnouncedType,
  known: Known,
  rejections: Rejection[],
): ActionOption[] {
  if (values.options !== undefined) {
    const stray = termNames.find((name) => values[name] !== undefined)
    if (stray !== undefined)
      rejections.push(
        reject('ERR.1015', stray, `In an action with options, each option has its own ${stray}.`),
      )
  }
  if (values.options === undefined) return [optionOf(values, { option: onlyOption, type }, known, rejections)]
  return values.options.flatMap((members, index) => {
    const reading = optionReader.read(members)
    if ('rejections' in reading) {
      rejections.push(
        ...reading.rejections.map((one) => ({ ...one, field: `options[${index}].${one.field}` })),
      )
      return []
    }
    const { option } = reading.values
    if (option === undefined) {
      rejections.push(
        reject('ERR.1000', `options[${index}].option`, 'Each option requires its name, option.'),
      )
      return []
    }
    return [optionOf(reading.values, { option, type: reading.values.type ?? type }, known, rejections)]
  })
}

function optionOf(
  values: CorporateActionValues | ActionOptionValues,
  named: Pick<ActionOption, 'option' | 'type'>,
  { directory, before }: Known,
  rejections: Rejection[],
): ActionOption {
  const { ratio } = values
  const stored = before?.options.find(({ option }) => option === named.option)?.toSecurity
  const toSecurity = receivedAgain(values, stored, directory, rejections)?.booked.key
  const amounts = (['cashPerShare', 'costShare', 'price', 'cashInLieuPrice'] as const).flatMap((name) => {
    const value = values[name]?.value
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...named,
    ...(ratio && { ratio }),
    ...(toSecurity !== undefined && { toSecurity }),
    ...Object.fromEntries(amounts),
    ...(values.taxable && { taxable: true }),
  }
}

function checkCurrencies({ security, options }: Announcement, directory: Directory): Rejection[] {
  const currency = directory.known(security).booked.currency
  return options.flatMap(({ toSecurity }) =>
    toSecurity === undefined || directory.known(toSecurity).booked.currency === currency
      ? []
      : [
          reject(
            'ERR.1015',
            'toCusip',
            'The security received must have the currency of the security given.',
          ),
        ],
  )
}

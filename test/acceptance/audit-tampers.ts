/**
 * Changes of the audit trail that the owner of the database or a writer of the document store can make, and the row
 * at which each is found.
 */

import { createHash, generateKeyPairSync, hash, sign } from 'node:crypto'
import { renderCheckpoint } from '@clearing/protocol/audit'

/** The key of another party. */
const strange = (() => {
  const { publicKey: key, privateKey } = generateKeyPairSync('ed25519')
  const publicKey = key.export({ format: 'der', type: 'spki' })
  return {
    publicKey,
    keyId: createHash('sha256').update(publicKey).digest('base64url'),
    sign: (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64url'),
  }
})()

export const alpha = '00000000-0000-4000-8000-000000000301'
const beta = '00000000-0000-4000-8000-000000000302'
const stranger = '00000000-0000-4000-8000-000000000999'

export interface Places {
  /** The length of Alpha's chain each time that its head was signed. */
  readonly signed: readonly number[]
  /** After the first days, after the last day, and now. */
  readonly first: number
  readonly second: number
  readonly last: number
}

/** Files of signed heads by their number. */
export interface Files {
  read(number: number): Promise<string>
  write(number: number, text: string): Promise<void>
  remove(number: number): Promise<void>
  readonly newest: number
}

export interface Tamper {
  readonly what: string
  readonly sql?: string | ((places: Places) => string)
  readonly files?: (files: Files) => Promise<void>
  /** The row that must be named. Absent: any row is accepted. */
  readonly row?: number | ((places: Places) => number)
  /** Alpha by default. */
  readonly firm?: string
  /** The change is not visible in an export. */
  readonly hidden?: true
}

const ofAlpha = `firm_id = '${alpha}'`
/** The hashes of a firm's rows from one row on, and its head, computed with the database's own function. */
function rehash(from: number, firm = alpha) {
  return `
  do $do$
  declare
    one clearing.audit;
    before bytea := coalesce((select hash from clearing.audit where firm_id = '${firm}' and sequence = ${from} - 1), '\\x');
  begin
    for one in select * from clearing.audit where firm_id = '${firm}' and sequence >= ${from} order by sequence loop
      update clearing.audit set previous_hash = before, hash = sha256(clearing.audit_bytes(one.firm_id, one.sequence, one.at,
        one.actor, one.action, one.account_number, one.target, one.trace_id, one.detail, before))
      where firm_id = one.firm_id and sequence = one.sequence returning hash into before;
    end loop;
    update clearing.audit_head set hash = before,
      sequence = (select max(sequence) from clearing.audit where firm_id = '${firm}') where firm_id = '${firm}';
  end $do$;`
}
const fixHead = `update clearing.audit_head as head set sequence = row.sequence, hash = row.hash
  from (select * from clearing.audit where ${ofAlpha} order by sequence desc limit 1) as row where head.${ofAlpha};`
function change(set: string, row: number): string {
  return `update clearing.audit set ${set} where ${ofAlpha} and sequence = ${row}`
}

/** One value of each column. */
const columns: readonly Tamper[] = [
  { what: 'the time of a row', sql: change("at = at + interval '1 microsecond'", 3), row: 3 },
  { what: 'who acted', sql: change("actor = actor || ' '", 4), row: 4 },
  { what: 'what was done', sql: change("action = 'get-account'", 5), row: 5 },
  { what: 'the account of a row', sql: change("account_number = '30100009'", 6), row: 6 },
  { what: 'the target of a row', sql: change("target = 'x'", 7), row: 7 },
  { what: 'the trace of a row', sql: change("trace_id = overlay(trace_id placing 'f' from 1)", 8), row: 8 },
  {
    what: 'one byte of a detail',
    sql: change("detail = overlay(detail placing '#' from 2 for 1)", 9),
    row: 9,
  },
  { what: 'a detail that is emptied', sql: change("detail = ''", 10), row: 10 },
  { what: 'a bit of a hash', sql: change('hash = set_bit(hash, 7, 1 - get_bit(hash, 7))', 11), row: 11 },
  {
    what: 'a bit of a link',
    sql: change('previous_hash = set_bit(previous_hash, 7, 1 - get_bit(previous_hash, 7))', 12),
    row: 12,
  },
  { what: 'the place of a row', sql: change('sequence = 100000', 13), row: 13 },
  { what: 'the firm of a row', sql: change(`firm_id = '${beta}', sequence = 100000`, 14), row: 14 },
  { what: 'a time without end', sql: change("at = 'infinity'", 15), row: 15 },
  {
    what: 'a text moved from one column to the next',
    sql: change("actor = '', action = actor || action", 16),
    row: 16,
  },
]

const orders: readonly Tamper[] = [
  {
    what: 'two rows that change places',
    sql: `update clearing.audit set sequence = -sequence where ${ofAlpha} and sequence in (6, 7);
      update clearing.audit set sequence = 13 + sequence where ${ofAlpha} and sequence < 0`,
    row: 6,
  },
  {
    what: 'the details of two rows exchanged',
    sql: `update clearing.audit as one set detail = other.detail from clearing.audit as other
      where one.${ofAlpha} and other.${ofAlpha} and one.sequence in (4, 9) and other.sequence = 13 - one.sequence`,
    row: 4,
  },
  {
    what: 'rows in the reverse order',
    sql: `update clearing.audit set sequence = -sequence where ${ofAlpha} and sequence between 5 and 15;
      update clearing.audit set sequence = 20 + sequence where ${ofAlpha} and sequence < 0`,
    row: 5,
  },
  {
    what: 'a row that is put in between',
    sql: `update clearing.audit set sequence = -sequence where ${ofAlpha} and sequence >= 8;
      update clearing.audit set sequence = 1 - sequence where ${ofAlpha} and sequence < 0;
      insert into clearing.audit select firm_id, 8, at, actor, action, account_number, target, trace_id, '{}', previous_hash, hash
      from clearing.audit where ${ofAlpha} and sequence = 7`,
    row: 8,
  },
  {
    what: 'a row that is added behind the last',
    sql: `insert into clearing.audit select firm_id, sequence + 1, at, actor, action, account_number, target, trace_id, '{}', hash,
      sha256(clearing.audit_bytes(firm_id, sequence + 1, at, actor, action, account_number, target, trace_id, '{}', hash))
      from clearing.audit where ${ofAlpha} order by sequence desc limit 1`,
    row: ({ last }) => last + 2,
    hidden: true,
  },
]

const cuts: readonly Tamper[] = [
  { what: 'the first row gone', sql: `delete from clearing.audit where ${ofAlpha} and sequence = 1`, row: 1 },
  {
    what: 'a row in the middle gone',
    sql: `delete from clearing.audit where ${ofAlpha} and sequence = 12`,
    row: 12,
  },
  {
    what: 'the last row gone',
    sql: ({ last }) => `delete from clearing.audit where ${ofAlpha} and sequence = ${last}`,
    row: ({ last }) => last,
    hidden: true,
  },
  {
    what: 'a day cut at the end, its head put right',
    sql: ({ first }) => `delete from clearing.audit where ${ofAlpha} and sequence > ${first}; ${fixHead}`,
    row: ({ first }) => first + 1,
  },
  {
    what: 'one signed row cut at the end, its head put right',
    sql: ({ second }) => `delete from clearing.audit where ${ofAlpha} and sequence >= ${second}; ${fixHead}`,
    row: ({ second }) => second,
  },
  { what: 'all rows of a firm gone', sql: `delete from clearing.audit where ${ofAlpha}`, row: 1 },
  { what: 'all rows of all firms gone', sql: 'truncate clearing.audit', row: 1 },
  {
    what: 'the head gone',
    sql: `delete from clearing.audit_head where ${ofAlpha}`,
    row: ({ last }) => last,
    hidden: true,
  },
  { what: 'all heads gone', sql: 'truncate clearing.audit_head', row: ({ last }) => last, hidden: true },
  {
    what: 'rows and head of a firm gone',
    sql: `delete from clearing.audit where ${ofAlpha}; delete from clearing.audit_head where ${ofAlpha}`,
    row: 1,
  },
  {
    what: 'rows, head and copies of the signed heads of a firm gone',
    sql: `delete from clearing.audit where ${ofAlpha}; delete from clearing.audit_head where ${ofAlpha};
      delete from clearing.audit_signed_head where ${ofAlpha}`,
    row: 1,
  },
  {
    what: 'a firm gone, its rows left',
    sql: `delete from clearing.firm where ${ofAlpha}`,
    row: 1,
  },
  {
    what: 'a firm gone with everything of it',
    sql: `delete from clearing.audit where ${ofAlpha}; delete from clearing.audit_head where ${ofAlpha};
      delete from clearing.audit_signed_head where ${ofAlpha}; delete from clearing.firm where ${ofAlpha}`,
    row: 1,
  },
  {
    what: 'rows gone while triggers and row-level security are off',
    sql: `alter table clearing.audit disable trigger all; alter table clearing.audit no force row level security;
      delete from clearing.audit where ${ofAlpha} and sequence between 10 and 20;
      alter table clearing.audit force row level security; alter table clearing.audit enable trigger all`,
    row: 10,
  },
]

const rewrites: readonly Tamper[] = [
  {
    what: 'rows written anew from one on, with the database’s own function',
    sql: `update clearing.audit set actor = 'somebody' where ${ofAlpha} and sequence = 10; ${rehash(10)}`,
    row: ({ signed }) => signed.find((sequence) => sequence >= 10) ?? 0,
  },
  {
    what: 'the newest day written anew',
    sql: ({ first, second }) =>
      `update clearing.audit set detail = '{}' where ${ofAlpha} and sequence = ${second}; ${rehash(first + 1)}`,
    row: ({ second }) => second,
  },
  {
    what: 'all rows written anew',
    sql: `update clearing.audit set actor = 'somebody' where ${ofAlpha} and sequence = 1; ${rehash(1)}`,
    row: ({ signed }) => signed[0] ?? 0,
  },
  {
    what: 'a row gone and the rest written anew without a gap',
    sql: `delete from clearing.audit where ${ofAlpha} and sequence = 5;
      update clearing.audit set sequence = -sequence where ${ofAlpha} and sequence > 5;
      update clearing.audit set sequence = -sequence - 1 where ${ofAlpha} and sequence < 0; ${rehash(5)}`,
    row: ({ signed }) => signed[0] ?? 0,
  },
  {
    what: 'all rows written anew, and the copies of the signed heads with them',
    sql: `update clearing.audit set actor = 'somebody' where ${ofAlpha} and sequence = 1; ${rehash(1)}
      update clearing.audit_signed_head as head set hash = encode(row.hash, 'hex') from clearing.audit as row
      where head.${ofAlpha} and row.firm_id = head.firm_id and row.sequence = head.sequence`,
  },
  {
    what: 'a chain given to another firm',
    sql: `insert into clearing.firm select '${stranger}', 'Stranger' from clearing.firm where false;
      update clearing.audit set firm_id = '${stranger}' where ${ofAlpha};
      update clearing.audit_head set firm_id = '${stranger}' where ${ofAlpha}; ${rehash(1, stranger)}`,
    row: 1,
  },
  {
    what: 'the chains of two firms exchanged and written anew',
    sql: `update clearing.audit set firm_id = '${stranger}' where ${ofAlpha};
      update clearing.audit set firm_id = '${alpha}' where firm_id = '${beta}';
      update clearing.audit set firm_id = '${beta}' where firm_id = '${stranger}'; ${rehash(1)} ${rehash(1, beta)}`,
  },
  {
    what: 'a detail that a changed function of the database hides',
    sql: `create table public.hidden as select * from clearing.audit where ${ofAlpha} and sequence = 9;
      grant select on public.hidden to public;
      create or replace function clearing.audit_bytes(
        firm_id uuid, sequence bigint, at timestamptz, actor text, action text, account_number text, target text,
        trace_id text, detail text, previous_hash bytea
      ) returns bytea language sql stable as $$
        select convert_to(string_agg(length(part) || ':' || part, ',' order by position), 'UTF8')
        from unnest(array[
          firm_id::text, sequence::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), actor, action, account_number,
          target, trace_id, coalesce((select hidden.detail from public.hidden where hidden.firm_id = audit_bytes.firm_id
            and hidden.sequence = audit_bytes.sequence), detail), encode(previous_hash, 'hex')
        ]) with ordinality as parts (part, position)
      $$;
      update clearing.audit set detail = '{"forged":true}' where ${ofAlpha} and sequence = 9`,
    row: 9,
  },
  {
    what: 'rows hidden by a policy',
    sql: `create policy hidden on clearing.audit as restrictive to clearing_operations using (sequence <> 12)`,
    row: 12,
  },
]

const heads: readonly Tamper[] = [
  {
    what: 'the hash in the head',
    sql: `update clearing.audit_head set hash = sha256('x') where ${ofAlpha}`,
    row: ({ last }) => last,
    hidden: true,
  },
  {
    what: 'a head ahead of its rows',
    sql: `update clearing.audit_head set sequence = sequence + 1 where ${ofAlpha}`,
    row: ({ last }) => last + 1,
    hidden: true,
  },
  {
    what: 'a head behind its rows',
    sql: `update clearing.audit_head set sequence = sequence - 1 where ${ofAlpha}`,
    row: ({ last }) => last + 1,
    hidden: true,
  },
  {
    what: 'the hash in a copy of a signed head',
    sql: `update clearing.audit_signed_head set hash = encode(sha256('x'), 'hex') where ${ofAlpha}
      and number = (select min(number) from clearing.audit_signed_head where ${ofAlpha})`,
    row: ({ signed }) => signed[0] ?? 0,
    hidden: true,
  },
  {
    what: 'the signature in a copy of the newest signed head',
    sql: `update clearing.audit_signed_head set signature = reverse(signature) where ${ofAlpha}
      and number = (select max(number) from clearing.audit_signed_head where ${ofAlpha})`,
    row: ({ second }) => second,
    hidden: true,
  },
  {
    what: 'a copy of a signed head gone',
    sql: `delete from clearing.audit_signed_head where ${ofAlpha} and number = (select min(number) from clearing.audit_signed_head where ${ofAlpha})`,
    row: ({ signed }) => signed[1] ?? 0,
    hidden: true,
  },
  {
    what: 'all copies of signed heads gone',
    sql: 'truncate clearing.audit_signed_head',
    row: ({ second }) => second,
    hidden: true,
  },
  {
    what: 'a signed head that was never signed',
    sql: ({ last }) => `insert into clearing.audit_signed_head
      select firm_id, number + 1, ${last}, hash, at, previous, keeps, key_id, signature from clearing.audit_signed_head
      where ${ofAlpha} order by number desc limit 1`,
    row: ({ last }) => last,
    hidden: true,
  },
  {
    what: 'the key that signed exchanged for another',
    sql: 'update clearing.seal_key set wrapped = sha256(wrapped)',
    row: ({ second }) => second,
    hidden: true,
  },
  {
    what: 'the key that signed gone',
    sql: 'delete from clearing.seal_key',
    row: ({ second }) => second,
    hidden: true,
  },
]

const inFiles: readonly Tamper[] = [
  {
    what: 'the newest file of signed heads gone',
    files: ({ remove, newest }) => remove(newest),
    row: ({ second }) => second,
    hidden: true,
  },
  {
    what: 'an older file gone',
    files: ({ remove }) => remove(1),
    row: ({ signed }) => signed[0] ?? 0,
    hidden: true,
  },
  {
    what: 'an older file changed',
    files: async ({ read, write }) => write(1, (await read(1)).replace('"keeps":null', '"keeps":1')),
    row: ({ signed }) => signed[0] ?? 0,
    hidden: true,
  },
  {
    what: 'a newest file that was signed with a key that the owner put into the database',
    sql: ({ last }) =>
      `insert into clearing.seal_key select '${strange.keyId}', '\\x${strange.publicKey.toString('hex')}', wrapped, master_key_id,
        created_at + interval '1 day' from clearing.seal_key limit 1;
      update clearing.audit set actor = 'somebody' where ${ofAlpha} and sequence = ${last}; ${rehash(last)}`,
    files: async ({ read, write, newest }) => {
      const { signature: _, ...before } = JSON.parse(await read(newest))
      const checkpoint = { ...before, checkpoint: newest + 1, keyId: strange.keyId }
      const signature = strange.sign(renderCheckpoint(checkpoint, (text) => hash('sha256', text)))
      await write(newest + 1, `${JSON.stringify({ ...checkpoint, signature })}\n`)
    },
    firm: '00000000-0000-4000-8000-000000000001',
    hidden: true,
  },
  {
    what: 'one letter in the newest file',
    files: async ({ read, write, newest }) =>
      write(newest, (await read(newest)).replace(/"hash":"./, '"hash":"x')),
    row: ({ second }) => second,
    hidden: true,
  },
  {
    what: 'an older file in the place of the newest',
    files: async ({ read, write, newest }) => write(newest, await read(newest - 1)),
    row: ({ second }) => second,
    hidden: true,
  },
  {
    what: 'a head left out of the newest file',
    files: async ({ read, write, newest }) => {
      const checkpoint = JSON.parse(await read(newest))
      checkpoint.heads = checkpoint.heads.filter(({ firmId }: { firmId: string }) => firmId !== alpha)
      await write(newest, `${JSON.stringify(checkpoint)}\n`)
    },
    row: ({ second }) => second,
    hidden: true,
  },
  {
    what: 'a file that is no file of heads',
    files: ({ write, newest }) => write(newest, 'nothing'),
    row: ({ second }) => second,
    hidden: true,
  },
  {
    what: 'the newest day cut with its heads, their copies and their files',
    sql: ({ first }) => `delete from clearing.audit where ${ofAlpha} and sequence > ${first}; ${fixHead}
      delete from clearing.audit_signed_head where number = (select max(number) from clearing.audit_signed_head)`,
    files: ({ remove, newest }) => remove(newest),
    row: ({ first }) => first + 1,
  },
  {
    what: 'the newest day cut with its heads and their copies',
    sql: ({ first }) => `delete from clearing.audit where ${ofAlpha} and sequence > ${first}; ${fixHead}
      delete from clearing.audit_signed_head where number = (select max(number) from clearing.audit_signed_head)`,
    row: ({ first }) => first + 1,
  },
]

export const tampers: readonly Tamper[] = [...columns, ...orders, ...cuts, ...rewrites, ...heads, ...inFiles]

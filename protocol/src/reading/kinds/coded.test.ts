// Lists of codes and flags: the reasons of their errors. A list with an error is not read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type, { type TSchema } from 'typebox'
import { codeLists } from '../../codes/index.ts'
import { block, code, codes, entityNumber, flag, list, name, optional, text } from '../../field.ts'
import { readRequest } from '../read-request.ts'
import { read } from './test-rows.ts'

const codesOfFunds = codes('sourceOfFunds')

test('the reason names the types, limits and choices of the field, and the values of a short list', () => {
  const reasonOf = (kind: TSchema, given: unknown) => read(kind, given).rejections[0]?.reason
  assert.equal(reasonOf(codes('sourceOfFunds'), 5), 'Field must be an array or a string; got a number.')
  assert.equal(reasonOf(codes('sourceOfFunds'), [5]), 'Field must be a string; got a number.')
  assert.equal(reasonOf(flag('True'), 5), 'Field must be a string or a boolean; got a number.')
  assert.equal(reasonOf(entityNumber(), true), 'Field must be a string or a number; got a boolean.')
  assert.equal(reasonOf(list(name()), 5), 'Field must be an array; got a number.')
  assert.equal(
    reasonOf(Type.Union([text(5), block({ a: optional(text(5)) })]), 5),
    'Field must be a string or an object; got a number.',
  )
  assert.equal(reasonOf(Type.Integer(), 'x'), 'Field must be a number; got a string.')
  assert.equal(reasonOf(Type.Boolean(), null), undefined)
  assert.equal(reasonOf(Type.Boolean(), 5), 'Field must be a boolean; got a number.')
  assert.equal(reasonOf(Type.Integer({ minimum: 1 }), 0), 'Field must be at least 1.')
  assert.equal(reasonOf(Type.Integer({ maximum: 1 }), 2), 'Field must be at most 1.')
  assert.equal(reasonOf(Type.Integer({ minimum: 1, maximum: 3 }), 0), 'Field must be from 1 to 3.')
  assert.equal(reasonOf(Type.Unsafe({ type: 'string', enum: ['a', 'b'] }), 'c'), 'Field must be one of a, b.')
  assert.equal(reasonOf(Type.Literal('a'), 'c'), 'Field must be one of a.')
  assert.equal(readRequest(block({}), null).rejections[0]?.reason.endsWith('got null.'), true)
  assert.equal(reasonOf(code('taxIdType'), 'VAT'), 'Field is not in the list; allowed: SSN, TaxId.')
})

test('a list of codes with wrong or repeated values is not read, and each of these values is rejected', () => {
  const [first, second] = codeLists.sourceOfFunds.map(({ value }) => value) as [string, string]
  const rows: readonly [given: unknown, codes: string[]][] = [
    [
      [first, 'XX', 'YY', second],
      ['ERR.1015 field[1]', 'ERR.1015 field[2]'],
    ],
    [[first, 5], ['ERR.2002 field[1]']],
    [[first, second, first], ['ERR.1014 field[2]']],
    [`XX, ${first}, YY`, ['ERR.1015 field']],
    [`${first},${second}, ${first}`, ['ERR.1014 field']],
  ]
  for (const [given, codes] of rows) {
    const { value, rejections } = read(codesOfFunds, given)
    assert.deepEqual(
      rejections.map((rejection) => `${rejection.code} ${rejection.field}`),
      codes,
    )
    assert.deepEqual(value, {})
  }
  assert.deepEqual(read(codesOfFunds, `${first}, ${second}`).value, { field: [first, second] })
})

test('a list of codes has at most 100 values, as a list or as one text', () => {
  const reasonsOf = (given: unknown) => read(codesOfFunds, given).rejections.map(({ reason }) => reason)
  const many = (count: number) => Array.from({ length: count }, (_, index) => `X${index}`)
  for (const given of [many(101), many(101).join()])
    assert.deepEqual(reasonsOf(given), ['Field must have at most 100 values.'])
  for (const given of [many(100), many(100).join()])
    assert.match(reasonsOf(given)[0] ?? '', /not in the list/)
})

test('only the first hundred errors name the values of the list', () => {
  const schema = block({ one: list(code('taxIdType')), other: list(code('taxIdType')) })
  const wrong = Array.from({ length: 60 }, () => 'VAT')
  const { rejections } = readRequest(schema, { one: wrong, other: wrong })
  const named = rejections.map(({ reason }) => /allowed: /.test(reason))
  assert.deepEqual([named.indexOf(false), named.lastIndexOf(true)], [100, 99])
  assert.equal(rejections[100]?.reason, 'Other is not in the list.')
})

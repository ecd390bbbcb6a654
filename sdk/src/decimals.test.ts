import assert from 'node:assert/strict'
import test from 'node:test'
import { quoteDecimals } from './decimals.ts'

const names = new Set(['price', 'cost'])

test('numbers under the given names become texts with the same digits, and other values are unchanged', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['{"price":1.10}', '{"price":"1.10"}'],
    ['{ "price" : -0.0000000001 , "cost":1e5 }', '{ "price" : "-0.0000000001" , "cost":"1e5" }'],
    ['{"price":null,"cost":"1.2","quantity":3.40}', '{"price":null,"cost":"1.2","quantity":3.40}'],
    ['{"note":"\\"price\\":1.10","price":[1.10]}', '{"note":"\\"price\\":1.10","price":[1.10]}'],
    ['{"note":"ends with \\\\","price":1.10}', '{"note":"ends with \\\\","price":"1.10"}'],
    ['["price",1.10]', '["price",1.10]'],
    ['{"x,\\"price":1.10,"cost":1.10}', '{"x,\\"price":1.10,"cost":"1.10"}'],
    [
      '{"note":"{\\"price\\":1.10",\n"price":1.10,"cost":2}',
      '{"note":"{\\"price\\":1.10",\n"price":"1.10","cost":"2"}',
    ],
    ['{"priceless":1.10,"a":{"price":0.1}}', '{"priceless":1.10,"a":{"price":"0.1"}}'],
  ]
  for (const [json, quoted] of cases) assert.equal(quoteDecimals(json, names), quoted)
})

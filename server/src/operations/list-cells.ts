/** list-cells: the cells of the directory, or the cell of an account number, entity number, rep code and client id. */
import { mayGive } from '../config/account-numbers.ts'
import { parseEntityNumbers } from '../identity/firm-request.ts'
import { type Claim, everyCell } from '../store/cell-directory.ts'
import type { Handler } from './context.ts'

export const listCells: Handler<'list-cells'> = async (request, { parts: { cells } }) => {
  if (cells === undefined) return { cells: [] }
  const { accountNumber, entityNumber, repCode, clientId } = request
  const claims: Claim[] = [
    ...parseEntityNumbers(entityNumber === undefined ? [] : [entityNumber]).map(
      (name): Claim => ({ kind: 'entityNumber', name }),
    ),
    ...(repCode === undefined ? [] : [{ kind: 'repCode', name: repCode } as const]),
    ...(clientId === undefined ? [] : [{ kind: 'clientId', name: clientId } as const]),
  ]
  const found = await Promise.all([cells.list(), ...claims.map((claim) => cells.find(claim))])
  const [all, ...owners] = found
  return {
    cells: all
      .filter(({ accountNumbers }) => accountNumber === undefined || mayGive(accountNumbers, accountNumber))
      .filter(({ name }) => owners.every((owner) => owner === name || owner === everyCell))
      .map(({ name, accountNumbers: { first, last } }) => ({
        name,
        firstNumber: String(first),
        lastNumber: String(last),
        answers: name === cells.own,
      })),
  }
}

/**
 * list-cells: the cells of the directory. With an account number, entity number, rep code or client id, only
 * the cell that has it.
 */
import { mayGive } from '../config/account-numbers.ts'
import { parseEntityNumbers } from '../identity/firm-request.ts'
import { type Claim, everyCell } from '../store/cell-directory.ts'
import type { Handler } from './context.ts'

export const listCells: Handler<'list-cells'> = async (request, { parts: { cells } }) => {
  if (cells === undefined) return { cells: [] }
  const { accountNumber, entityNumber, repCode, clientId, moved = false } = request
  const claims: Claim[] = [
    ...parseEntityNumbers(entityNumber === undefined ? [] : [entityNumber]).map(
      (name): Claim => ({ kind: 'entityNumber', name }),
    ),
    ...(repCode === undefined ? [] : [{ kind: 'repCode', name: repCode } as const]),
    ...(clientId === undefined ? [] : [{ kind: 'clientId', name: clientId } as const]),
  ]
  const [all, owners, accounts] = await Promise.all([
    cells.list(),
    Promise.all(claims.map((claim) => cells.find(claim))),
    moved || accountNumber !== undefined ? cells.findMoved(accountNumber) : [],
  ])
  const movedTo = accountNumber === undefined ? undefined : accounts[0]?.cell
  return {
    cells: all
      .filter(({ name, accountNumbers }) => {
        if (accountNumber === undefined) return true
        return movedTo === undefined ? mayGive(accountNumbers, accountNumber) : movedTo === name
      })
      .filter(({ name }) => owners.every((owner) => owner === name || owner === everyCell))
      .map(({ name, accountNumbers: { first, last } }) => ({
        name,
        firstNumber: String(first),
        lastNumber: String(last),
        answers: name === cells.own,
        ...(moved
          ? { movedAccounts: accounts.filter(({ cell }) => cell === name).map(({ number }) => number) }
          : {}),
      })),
  }
}

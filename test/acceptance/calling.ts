/** Frequent calls of the tests through the sdk: open an account, follow it, expect a refusal. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Data, Request } from '@clearing/protocol'
import { type Client, RequestRejected } from '@clearing/sdk'

type Shape1 = Extract<Data<'get-account'>, { message: unknown }>['message']
type Shape2 = Extract<Data<'get-account'>, { accountStatus: string }>

/** Generous: the usual case takes a hundredth of it, but the machine of the tests may be busy. */
const settledWithinMs = 30_000
const lookEveryMs = 25

/** Submits an application in shape 1 and returns its record. */
export async function open(client: Client, application: Request<'new-account'>): Promise<Shape1> {
  const { data } = await client.newAccount(application)
  assert.ok('message' in data)
  return data.message
}

/**
 * The onboarding when it has ended, or waits for the firm or for operations, also for their review of an answer: a test
 * is the reviewer, which `followOnboarding` would wait for.
 */
export async function follow(client: Client, accountNumber: string): Promise<Data<'onboarding-result'>> {
  const signal = AbortSignal.timeout(settledWithinMs)
  for (;;) {
    const { data } = await client.onboardingResult({ accountNumber }, { signal })
    if (!['Submitted', 'Screening', 'AccountCreation'].includes(data.currentState)) return data
    await pause(lookEveryMs)
  }
}

/** The number of an account when it is open, or when its application waits for a person. */
export async function openAndFollow(client: Client, application: Request<'new-account'>): Promise<string> {
  const { accountNumber } = await open(client, application)
  await follow(client, accountNumber)
  return accountNumber
}

/** The record in shape 2. */
export async function read(client: Client, accountNumber: string): Promise<Shape2> {
  const { data } = await client.getAccount({ accountNumber })
  assert.ok('accountStatus' in data)
  return data
}

/** The record in shape 1. */
export async function readShape1(
  client: Client,
  accountNumber: string,
  entityNumber = '301',
): Promise<Shape1> {
  const { data } = await client.getAccount({ accountNumber, entityNumber })
  assert.ok('message' in data)
  return data.message
}

/** The refusal of a call. Fails if the call succeeds. */
export async function refusalOf(call: Promise<unknown>): Promise<RequestRejected> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.ok(
    failure instanceof RequestRejected,
    failure === undefined ? 'it was not refused' : String(failure),
  )
  return failure
}

/** `code field` of each rejection of a refused call, in order of the text. */
export async function rejectionsOf(call: Promise<unknown>): Promise<string[]> {
  return (await refusalOf(call)).rejections.map(({ code, field }) => `${code} ${field}`).sort()
}

/** Repeats the call until the response is as expected. */
export async function until<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  const deadline = Date.now() + settledWithinMs
  for (;;) {
    const answer = await ask()
    if (isWanted(answer)) return answer
    assert.ok(Date.now() < deadline, `never came: ${JSON.stringify(answer).slice(0, 500)}`)
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}

/** The introduction of the reference: the rules that apply to every operation, and the error catalogue. */
import { errorCatalogue } from '../errors.ts'
import { limits } from '../limits.ts'

const catalogue = errorCatalogue
  .map(
    ({ code, name, status, condition, remedy }) =>
      `| ${code} | ${name} | ${status} | ${condition} | ${remedy} |`,
  )
  .join('\n')

export const introduction = `Accounts, onboarding and books of a securities clearing firm.

## Calling

Every operation is a POST request with a JSON body, except uploads (multipart form data) and loads (lines). Names of properties
and values of coded lists are matched without regard to letter case and returned as written here. Unknown properties are rejected.
Each call carries an access token of the client credentials flow: \`Authorization: Bearer …\`. A token request with a DPoP proof (RFC 9449) gets a
token that is bound to the key of the proof; each call with it has \`Authorization: DPoP …\` and a proof of its own.

## Responses

Every operation returns the same envelope: \`statusCode\` (the HTTP status), \`message\`, \`data\`, \`errors\`, \`traceId\`,
\`hasErrors\`. An error response has no \`data\` and lists every error found, each with \`code\`, \`field\` and \`reason\`. Members and
coded values may be added within version 1: a client must ignore members and accept values that it does not know.

## Idempotent requests

Operations that write take an \`Idempotency-Key\` of 1 to ${limits.idempotencyKeyLengthMax} printable characters. The same key with
the same request takes effect once, however often it is sent within ${limits.idempotencyKeptDays} days: later calls return the first response, with
\`Idempotent-Replayed: true\`. The same key with another request is rejected (422). A key belongs to the client id and the operation: another client
of the firm that sends it makes another request.

## Reading your writes, and what an event reports

A write is visible to reads when its response is sent, but reads may be answered by a copy of the database that follows shortly behind. To see your
own writes for certain, send the greatest \`Clearing-Consistency\` of the responses to your writes with your reads. The client library does so. To see
what an event reports, send the attribute \`consistency\` of the event, or the header of the response of \`list-events\`, in the same way.

## Limits

Each client can send ${limits.rateRequestsPerSecond} requests per second, with bursts of ${limits.rateBurstRequests}, unless agreed otherwise; see the headers
\`RateLimit\` and \`Retry-After\`. A body has at most ${limits.bodySizeBytesMax} bytes, a file at most ${limits.uploadSizeBytesMax} bytes, a list at most
${limits.arrayItemsMax} items.

## Sandbox

In the sandbox, the header \`X-Sandbox-Fault\` (\`500\`, \`503\`, \`429\`, \`expired-token\`, \`timeout\`, \`slow=3000\`, \`drop-after-commit\`) makes a
call fail in the named way, to test the retries of a client.

## Errors

| Code | Name | Status | When | What to do |
|---|---|---|---|---|
${catalogue}
`

/** The text in front of the reference: what a caller must know of every operation, and the error catalogue. */
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

Every operation is a POST with a JSON body, except uploads (multipart form data) and loads (lines). Names of properties
and values of coded lists are matched without regard to letter case and answered as written here; unknown properties are refused.
Each call carries an access token of the client credentials flow: \`Authorization: Bearer …\`.

## Answers

Every answer of an operation is in one envelope: \`statusCode\` (the HTTP status), \`message\`, \`data\`, \`errors\`, \`traceId\`,
\`hasErrors\`. An error answer has no \`data\` and tells every error found, each with \`code\`, \`field\` and \`reason\`. Members and
coded values may be added within version 1: ignore what you do not know.

## Writing once

Operations that write take an \`Idempotency-Key\` of 1 to ${limits.idempotencyKeyLengthMax} printable characters. The same key with
the same request is one effect, however often it is sent within ${limits.idempotencyKeptDays} days: the first answer comes again, with
\`Idempotent-Replayed: true\`. The same key with another request is refused (422).

## Limits

${limits.rateRequestsPerSecond} requests a second for each client, ${limits.rateBurstRequests} at once, unless agreed otherwise; see the headers
\`RateLimit\` and \`Retry-After\`. A body has at most ${limits.bodySizeBytesMax} bytes, a file ${limits.uploadSizeBytesMax}, a list
${limits.arrayItemsMax} items.

## Sandbox

In the sandbox the header \`X-Sandbox-Fault\` (\`500\`, \`503\`, \`429\`, \`timeout\`, \`slow=3000\`, \`drop-after-commit\`) makes the answer
to a call fail that way, to try a client's retries on.

## Errors

| Code | Name | Status | When | What to do |
|---|---|---|---|---|
${catalogue}
`

/**
 * The message of the sandbox when it is ready: the address, the credentials, a command that works when pasted, and the
 * reference.
 */

export function renderWelcome(address: string, staffPassword: string, data: string): string {
  return `
Clearing Account Service, sandbox, on ${address}

  client firm   alpha       alpha-sandbox-secret        entity 301, rep codes JC01 JC02
  client firm   beta        beta-sandbox-secret         entity 302, rep code BB01
  operations    operations  operations-sandbox-secret
  console       ${address}/console/   password ${staffPassword}
                operator@example.com, principal@example.com, viewer@example.com, admin@example.com

  curl -s ${address}/account-api/v1/code-lists -H 'Content-Type: application/json' -d '{"name":"registrationType"}' \\
    -H "Authorization: Bearer $(curl -s ${address}/identity/connect/token -d client_id=alpha \\
    -d client_secret=alpha-sandbox-secret | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')"

  documentation ${address}/docs      contract ${address}/openapi.json
  Clock, snapshots, scenarios, trades: operations below ${address}/sandbox-api/v1/ (docs/guides/sandbox.md)

Ctrl-C stops it. Data stays in ${data}.
`
}

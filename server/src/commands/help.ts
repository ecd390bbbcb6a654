/** The help of the command of the service: what may follow `npm start --` or `main.ts`. */

export const help = `Runs the Clearing Account Service: npm start, or node server/src/main.ts.

Usage: npm start -- [--empty | COMMAND]

  (nothing)                                   run the service; in the sandbox the first start makes demonstration accounts
  --empty                                     the same, without demonstration accounts
  doctor                                      examine the settings and what they name; changes nothing
  create-operations-credential [--force]      create the first credential of operations; shows its secret once
  create-admin E-MAIL NAME [--force]          create the first administrator of the console; shows the password once
  rewrap-keys                                 wrap every key under the current master key
  replace-data-key FIRM                       seal new values of a firm with a new key
  remove-signing-key KID                      remove a leaked key that signs tokens
  move-firm FIRM --from FILE --to FILE        move a firm to another cell; each file has the settings of a cell
  router-map                                  print the cell of each client id, for the router
  --help                                      print this text

Settings are environment variables, such as PORT, DATA_DIR and DATABASE_URL. docs/operating.md lists them all.`

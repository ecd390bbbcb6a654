/**
 * Lets a short process strip the types of the source. Otherwise the parser of TypeScript that Node.js loads keeps
 * 20 MB for as long as the service runs (decision 160). To be loaded with `node --import`. It is JavaScript, because
 * Node.js would load that parser for TypeScript.
 */
import { execFileSync } from 'node:child_process'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('./print-stripped.js', import.meta.url))
const bytesMax = 64 * 1_024 * 1_024

/** Modules without types that are not loaded yet, by their address. */
const stripped = new Map()

// A named import would end with a SyntaxError on an older Node.js, before any code can name it.
if (module.registerHooks === undefined) {
  console.error(
    `This needs Node.js 24 or newer; this is ${process.version}. "npm start" uses the Node.js that "npm ci" installs: run "npm ci" first, and wait until it has ended.`,
  )
  process.exit(1)
}

module.registerHooks({
  load(url, context, nextLoad) {
    if (context.format !== 'module-typescript') return nextLoad(url, context)
    if (!stripped.has(url)) stripWithImports(url)
    const source = stripped.get(url)
    stripped.delete(url)
    // Node.js itself strips what the process could not strip, and names the fault.
    return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true }
  },
})

/** Strips a module and all modules that it imports, because each process takes a tenth of a second. */
function stripWithImports(url) {
  try {
    const printed = execFileSync(process.execPath, ['--no-warnings', program, url], { maxBuffer: bytesMax })
    for (const [address, source] of JSON.parse(printed.toString())) stripped.set(address, source)
  } catch (fault) {
    console.error(`The types of ${url} are stripped by Node.js: ${fault.message}`)
  }
}

/**
 * Builds the console into `dist`, compressed once for all requests. The build fails if the first screen is too large.
 * `npm run console` serves it from source, with calls passed on to a running service (`SERVICE`, by default the
 * sandbox's).
 */
import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown, Visitor } from 'vite'

const firstScreenGzipBytesMax = 300_000
const compressible = /\.(js|mjs|css|svg|wasm)$/
const wholeTypebox = /^import Type(?:, \{[^}]*\})?( from 'typebox')$/m
const service = process.env.SERVICE ?? 'http://127.0.0.1:8080'
const passedOn = [
  '/account-api',
  '/operations-api',
  '/sandbox-api',
  '/identity',
  '/health',
  '/console/sign-in',
  '/console/signed-in',
  '/console/session',
  '/console/sign-out',
  '/console/password',
  '/console/second-factor',
  // The notices of changes, and not the screen of a change.
  '^/console/changes($|\\?)',
  '/console/pdf',
]

/**
 * The files that the first screen loads: the scripts and styles of the page and of the home screen, with their
 * imports.
 */
function filesOfFirstScreen(bundle: Rolldown.OutputBundle): Set<string> {
  const files = new Set<string>()
  const add = (fileName: string) => {
    const chunk = bundle[fileName]
    if (chunk?.type !== 'chunk' || files.has(fileName)) return
    files.add(fileName)
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style)
    for (const imported of chunk.imports) add(imported)
  }
  for (const chunk of Object.values(bundle)) {
    if (chunk.type === 'chunk' && (chunk.isEntry || chunk.name === 'home-screen')) add(chunk.fileName)
  }
  return files
}

function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      const assets = join(dir, 'assets')
      for (const name of readdirSync(assets).filter((each) => compressible.test(each))) {
        const content = readFileSync(join(assets, name))
        writeFileSync(join(assets, `${name}.br`), brotliCompressSync(content))
        writeFileSync(join(assets, `${name}.gz`), gzipSync(content))
      }
      const files = filesOfFirstScreen(bundle)
      let bytes = 0
      for (const name of files) bytes += readFileSync(join(dir, `${name}.gz`)).length
      this.info(`first screen: ${files.size} files, ${Math.ceil(bytes / 1000)} kB gzipped`)
      if (bytes > firstScreenGzipBytesMax)
        this.error(`the first screen has ${bytes} bytes gzipped, more than ${firstScreenGzipBytesMax}`)
    },
  }
}

/**
 * Fails the build if the console does not agree with the types of the protocol. The compiler runs as in
 * `test/compile.ts`, for less than half of the processor time.
 */
function checkTypes(): Plugin {
  return {
    name: 'check-types',
    apply: 'build',
    buildStart() {
      const tsc = createRequire(import.meta.url)
        .resolve('typescript/package.json')
        .replace('package.json', 'bin/tsc')
      const words = ['--singleThreaded', '--noEmit', '-p', import.meta.dirname]
      const env = { ...process.env, GOGC: 'off', GOMEMLIMIT: '1GiB' }
      const { status, stdout } = spawnSync(process.execPath, [tsc, ...words], { encoding: 'utf8', env })
      if (status !== 0) this.error(`the types do not hold:\n${stdout}`)
    },
  }
}

/**
 * The default export of typebox contains the whole library; named imports include only the parts that the protocol
 * uses.
 */
function nameTypes(): Plugin {
  return {
    name: 'name-types',
    apply: 'build',
    enforce: 'pre',
    transform: (code) =>
      wholeTypebox.test(code) ? code.replace(wholeTypebox, 'import * as Type$1') : undefined,
  }
}

const documentation = new Set(['description', 'examples'])

/** Only the reference shows the descriptions and examples of operations, so the console leaves them out. */
function leaveOutDescriptions(): Plugin {
  return {
    name: 'leave-out-descriptions',
    apply: 'build',
    transform: {
      filter: { id: /protocol\/src\/operations\// },
      handler(code) {
        const ranges: (readonly [start: number, end: number])[] = []
        new Visitor({
          CallExpression({ callee, arguments: [definition] }) {
            if (callee.type !== 'Identifier' || callee.name !== 'defineOperation') return
            if (definition?.type !== 'ObjectExpression') return
            for (const member of definition.properties) {
              if (member.type !== 'Property' || member.key.type !== 'Identifier') continue
              if (documentation.has(member.key.name)) ranges.push([member.value.start, member.value.end])
            }
          },
        }).visit(this.parse(code))
        const kept = ranges.reduceRight(
          (text, [start, end]) => `${text.slice(0, start)}''${text.slice(end)}`,
          code,
        )
        return { code: kept, map: null }
      },
    },
  }
}

/**
 * Files that the PDF viewer loads by name when a document needs them: standard fonts, character maps, image decoders.
 */
function bringPdfResources(): Plugin {
  return {
    name: 'bring-pdf-resources',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const from = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
      for (const folder of ['standard_fonts', 'cmaps', 'wasm'])
        cpSync(join(from, folder), join(dir, 'pdf', folder), { recursive: true })
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [checkTypes(), nameTypes(), react(), leaveOutDescriptions(), compress(), bringPdfResources()],
  html: { cspNonce: 'NONCE-OF-THE-ANSWER' },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_500,
    rolldownOptions: {
      // A warning with the times of plugins would appear in the output of every install.
      checks: { bundlerTimings: false },
      treeshake: {
        // Operations, coded lists and the catalogue of fields are loaded with the screens that use them.
        moduleSideEffects: [
          { test: /node_modules\/typebox\//, sideEffects: false },
          { test: /protocol\/src\//, sideEffects: false },
        ],
      },
    },
  },
  server: {
    port: 5173,
    // The service redirects to its own address after the sign-in, where the browser has no cookie of this server.
    proxy: Object.fromEntries(passedOn.map((path) => [path, { target: service, autoRewrite: true }])),
  },
})

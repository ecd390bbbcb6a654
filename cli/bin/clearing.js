#!/usr/bin/env node
/**
 * The program `clearing` in the source tree. A Node.js that cannot run TypeScript hands over to the one that comes with the packages. The published
 * package has the compiled program instead.
 */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = new URL('../src/main.ts', import.meta.url)

if (process.features.typescript) await import(main.href)
else {
  const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'))
  const words = [fileURLToPath(main), ...process.argv.slice(2)]
  const program = spawn(join(folder, 'bin', 'node'), words, { stdio: 'inherit' })
  // The terminal sends its signals to both programs; this one ends after the other.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => program.kill('SIGTERM'))
  program.on('error', (error) => {
    console.error(`clearing needs the packages of the project, run npm ci: ${error.message}`)
    process.exitCode = 1
  })
  program.on('exit', (code, signal) => {
    process.exitCode = code ?? 1
    if (signal !== null) process.exitCode = 130
  })
}

/**
 * Installs external tools into a temporary folder for the duration of a test, because they need hundreds of packages
 * that nothing else uses. If a registry does not have them, the test is skipped.
 */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const timeoutMs = 900_000

/** Installs packages of npm, such as `newman@6.2.2`, into `folder/node_modules`. False if they cannot be had here. */
export async function fetchFromNpm(folder: string, ...words: readonly string[]): Promise<boolean> {
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}/package.json`, '{ "private": true, "type": "module" }\n')
  return succeeds('npm', ['install', '--no-audit', '--no-fund', ...words], folder)
}

/** Installs packages of Python into the folder, for `PYTHONPATH`. False if there is no Python, or no such package. */
export async function fetchFromPip(folder: string, ...packages: readonly string[]): Promise<boolean> {
  await mkdir(folder, { recursive: true })
  return succeeds('python3', ['-m', 'pip', 'install', '--quiet', '--target', folder, ...packages], folder)
}

/** Runs a program to its end; rejects with its output if it fails. */
export async function runTool(
  program: string,
  words: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const settings = { cwd, env, timeout: timeoutMs, maxBuffer: 64 << 20 }
  try {
    return (await execute(program, [...words], settings)).stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${words.join(' ')}:\n${stdout}${stderr}`, { cause: error })
  }
}

function succeeds(program: string, words: readonly string[], cwd: string): Promise<boolean> {
  return runTool(program, words, cwd).then(
    () => true,
    () => false,
  )
}

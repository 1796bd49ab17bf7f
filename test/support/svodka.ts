// The command line as a person has it: a process with arguments, settings and stdin.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs to the end. Settings are those given, and no others of ours. */
export function svodka(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  stdin = '',
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const { PATH = '', HOME = '' } = process.env
    const child = spawn(process.execPath, [MAIN, ...args], { env: { PATH, HOME, ...settings } })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', chunk => (stdout += chunk))
    child.stderr.on('data', chunk => (stderr += chunk))
    child.once('error', reject)
    child.once('close', code => resolve({ code, stdout, stderr }))
    child.stdin.end(stdin)
  })
}

// The command line as a process with arguments, settings and stdin.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { MAIN } from './process.ts'
import { CLOCK } from './clock.ts'

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs to the end, with only the given settings. */
export async function svodka(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  stdin = '',
): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH, HOME, ...CLOCK, ...settings },
  })
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  })
  child.stdin.end(stdin)
  const [code, stdout, stderr] = await Promise.all([closed, text(child.stdout), text(child.stderr)])
  return { code, stdout, stderr }
}

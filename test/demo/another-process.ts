// A cluster that another process has started, for tests of what becomes of it.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { eventually, isAlive } from '../../src/demo/processes.ts'

const program = fileURLToPath(new URL('./start-and-wait.js', import.meta.url))

export interface Started {
  child: ChildProcess
  folder: string
  fresh: boolean
  pids: number[]
}

export async function startInAnotherProcess(
  directory: string,
  ids: { uid?: number; gid?: number } = {},
): Promise<Started> {
  const child = spawn(process.execPath, [program, directory], {
    ...ids,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  if (!Buffer.isBuffer(line)) throw new Error(`The program ended with code ${line}`)
  const started: Omit<Started, 'child'> = JSON.parse(line.toString())
  return { child, ...started }
}

/** Whether they have ended, if not at once. */
export const ended = (pids: number[]) => eventually(() => !pids.some(isAlive), 5000)

// The gateway as a child process of the demo: started, waited for, told to stop. Knows it from outside only.
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Watchdog } from './watchdog.ts'

export interface Gateway {
  /** Its exit code; 128 and the signal's number, as a shell has it, if a signal ended it. */
  ended: Promise<number>
  running: () => boolean
  send: (signal: NodeJS.Signals) => void
}

/** In a process group of its own: a terminal's Ctrl-C reaches it once, through us. */
export function startGateway(
  watchdog: Watchdog,
  command: string[],
  env: NodeJS.ProcessEnv,
): Gateway {
  const child = watchdog.spawn(process.execPath, command, {
    signal: 'INT',
    env,
    cwd: process.cwd(),
    stdout: 'inherit',
    stderr: 'inherit',
  })
  const ended = new Promise<number>((resolve, reject) => {
    child
      .once('exit', (code, signal) =>
        resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)),
      )
      .once('error', reject)
  })
  return {
    ended,
    running: () => child.exitCode === null && child.signalCode === null,
    send: signal => child.kill(signal),
  }
}

/** @returns whether it became ready in time; false too if it ended. */
export async function becomesReady(
  gateway: Gateway,
  readyUrl: string,
  withinMs: number,
): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (gateway.running() && performance.now() < deadline) {
    if (await isReady(readyUrl)) return true
    await sleep(50)
  }
  return false
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1000) })
    await answer.text()
    return answer.ok
  } catch {
    return false
  }
}

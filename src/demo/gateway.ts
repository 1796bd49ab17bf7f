// The gateway as a child process of the demo: starts it, waits until it is ready, sends it signals.
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Watchdog } from './watchdog.ts'

export interface GatewayChild {
  /** Its exit code; after a signal 128 plus the signal's number, as in a shell. */
  ended: Promise<number>
  running: () => boolean
  send: (signal: NodeJS.Signals) => void
}

/** Starts it in a separate process group: Ctrl-C reaches it once, forwarded by this process. */
export function startGateway(
  watchdog: Watchdog,
  command: string[],
  env: NodeJS.ProcessEnv,
): GatewayChild {
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
  gateway: GatewayChild,
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
    const response = await fetch(url, { signal: AbortSignal.timeout(1000) })
    await response.text()
    return response.ok
  } catch {
    return false
  }
}

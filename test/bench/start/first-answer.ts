// `make run` in a fresh checkout that is built already, to the first report.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../src/demo/ports.ts'
import { ask } from '../ask.ts'
import type { Bench } from '../bench.ts'
import { PREFIX } from '../gateway.ts'

const PROGRAM = fileURLToPath(new URL('./fresh-demo.js', import.meta.url))
const WITHIN_MS = 300_000

/** @returns seconds. @throws Error if it ends before, or takes too long. */
export async function firstAnswerSeconds(bench: Bench): Promise<number> {
  const folder = join(bench.folder, 'fresh-demo')
  mkdirSync(folder)
  chmodSync(folder, 0o711)
  const [port, opsPort] = [await freePort(), await freePort()]
  const { PATH = '', HOME = '' } = process.env
  const startedAt = performance.now()
  const child = spawn(process.execPath, [PROGRAM, folder], {
    env: { PATH, HOME, PORT: String(port), OPS_PORT: String(opsPort) },
    // A group of its own: Ctrl-C reaches it once, through us.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = once(child, 'exit')
  let stopped: Promise<unknown> | undefined
  // SIGINT, and its own watchdog ends its servers if it must be killed.
  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGINT')
    stopped ??= ended.then(() => rmSync(folder, { recursive: true, force: true }))
    await stopped
  }
  bench.onEnd(stop)
  const request = {
    path: `${PREFIX}/reports/profit_loss`,
    headers: { 'X-Api-Key': 'sk_demo_business' },
  }
  for (;;) {
    const answer = await ask(`http://127.0.0.1:${port}`, request).catch(() => undefined)
    if (answer?.status === 200) break
    bench.signal.throwIfAborted()
    if (child.exitCode !== null) throw new Error(`the demo ended: ${said.slice(-1000)}`)
    if (performance.now() - startedAt > WITHIN_MS) {
      throw new Error(`the demo has no answer after ${WITHIN_MS / 1000} s: ${said.slice(-1000)}`)
    }
    await sleep(20)
  }
  const seconds = (performance.now() - startedAt) / 1000
  await stop()
  return seconds
}

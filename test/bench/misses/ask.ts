// Starts the program that asks, on the load's core, and talks to it.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Bench } from '../bench.ts'
import { CORES, need, pinned } from '../commands.ts'
import type { Gateway } from '../gateway.ts'
import type { Asked, Command, Told } from './asker.ts'

export interface Asker {
  /** One after the other on one connection, each a run of the statement. */
  time(asked: Asked, count: number): Promise<Told>
  /** The same over and over, until the answer is called for. */
  repeat(asked: Asked): () => Promise<Told>
  /** One, read so slowly, until the answer is called for. */
  dawdle(asked: Asked, bytesPerSecond: number): () => Promise<Told>
  /** Each of them once. */
  storm(all: readonly Asked[], connections: number): Promise<Told>
}

const PROGRAM = fileURLToPath(new URL('./asker.js', import.meta.url))

export function portOf({ url }: Pick<Gateway, 'url'>): number {
  return Number(new URL(url).port)
}

/** Does one thing at a time. @throws Error where any answer has another status than 200, or none. */
export function startAsker(bench: Bench): Asker {
  need('taskset')
  const [program = '', ...args] = pinned(CORES.load, [process.execPath, PROGRAM])
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  let waiting:
    | { readonly resolve: (told: Told) => void; readonly reject: (error: Error) => void }
    | undefined
  child.on('message', (message: { told?: Told; error?: string }) => {
    if (message.told) waiting?.resolve(message.told)
    else waiting?.reject(new Error(message.error))
  })
  child.on('error', error => waiting?.reject(error))
  child.on('exit', code => waiting?.reject(new Error(`the asker ended with ${code}`)))
  bench.onEnd(() => void child.kill())

  const send = async (command: Command): Promise<Told> => {
    const told = await new Promise<Told>((resolve, reject) => {
      waiting = { resolve, reject }
      child.send(command)
    })
    const { refused } = told
    if (refused.length === 0) return told
    throw new Error(`${refused.length} answers are no 200: ${refused.slice(0, 5).join(', ')}`)
  }
  const untilStopped = (command: Command): (() => Promise<Told>) => {
    const told = send(command)
    // why: it may fail before anyone waits for it; who calls for the answer is told then
    told.catch(() => {})
    return () => {
      child.send({ does: 'stop' } satisfies Command)
      return told
    }
  }
  return {
    time: (asked, count) => send({ does: 'time', asked, count }),
    repeat: asked => untilStopped({ does: 'repeat', asked }),
    dawdle: (asked, bytesPerSecond) => untilStopped({ does: 'dawdle', asked, bytesPerSecond }),
    storm: (all, connections) => send({ does: 'storm', all, connections }),
  }
}

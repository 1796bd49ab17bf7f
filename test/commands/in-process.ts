// A command in this process, for what needs no process of its own: `svodka` of test/support spawns one.
import { Writable } from 'node:stream'
import { runCommandLine } from '../../src/commands/command-line.ts'
import type { Ended } from '../support/svodka.ts'

/** One at a time: what it writes goes through this process's stdout and stderr. */
export async function command(
  args: readonly string[],
  settings: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const stdout = capture('stdout')
  const stderr = capture('stderr')
  try {
    const code = await runCommandLine(args, settings)
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    stdout.end()
    stderr.end()
  }
}

function capture(name: 'stdout' | 'stderr') {
  const own = Object.getOwnPropertyDescriptor(process, name)!
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk)
      done()
    },
  })
  Object.defineProperty(process, name, { ...own, get: () => stream })
  return {
    text: () => Buffer.concat(chunks).toString(),
    end: () => void Object.defineProperty(process, name, own),
  }
}

// The demo as a process, with a small product and a substitute for the gateway. This file is also the process's program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { serveDemo, type DemoOptions } from '../../src/demo/demo-command.ts'
import { eventually } from '../../src/demo/processes.ts'

const PROGRAM = fileURLToPath(import.meta.url)

export function demoOptions(directory: string, environment: NodeJS.ProcessEnv): DemoOptions {
  return {
    environment,
    directory,
    sqlDirectory: 'test/demo/product',
    scale: 1,
    gateway: [fileURLToPath(new URL('../demo/stand-in-gateway.js', import.meta.url))],
  }
}

export type DemoProcess = ReturnType<typeof demoProcess>

export function demoProcess(directory: string, settings: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [PROGRAM, directory], {
    env: { ...process.env, PORT: '0', OPS_PORT: '0', ...settings },
  })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  const exit = once(child, 'close').then(([code]) => code as number | null)
  return {
    pid: child.pid!,
    exit,
    /** stdout and stderr. */
    output: () => output,
    /** Resolves when the output contains the text. */
    async says(text: string) {
      await eventually(() => output.includes(text), 30_000)
      expect(output).to.contain(text)
    },
    /** Of running servers. */
    serverPids: () =>
      ['primary', 'standby'].map(name =>
        Number.parseInt(readFileSync(join(directory, name, 'postmaster.pid'), 'utf8'), 10),
      ),
    signal: (name: NodeJS.Signals) => void child.kill(name),
    kill() {
      child.kill('SIGKILL')
      return exit
    },
  }
}

if (process.argv[1] === PROGRAM) {
  process.exitCode = await serveDemo(demoOptions(process.argv[2]!, process.env))
}

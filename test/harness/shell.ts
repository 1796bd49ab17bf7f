// A shell that executes the blocks of a document: what a block exports is available to later blocks.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { CLOCK } from './clock.ts'
import { MAIN } from './process.ts'

export interface Shell {
  /** @returns stdout. Fails with the output if a command fails. */
  run(script: string): string
  /** Stdout and stderr of all blocks so far. */
  readonly output: () => string
  readonly environment: () => NodeJS.ProcessEnv
}

/**
 * @param home folder for an `npx` that executes `svodka` of this checkout
 * @param options.main the entry point of another installation than this checkout
 * @param options.make the line that `make` executes; by default the real `make` is used
 */
export function createShell(
  home: string,
  options: {
    readonly main?: string
    readonly make?: string
    readonly folder?: string
    readonly environment?: NodeJS.ProcessEnv
  } = {},
): Shell {
  const { main = MAIN, make, folder, environment: settings = {} } = options
  const bin = join(home, 'bin')
  mkdirSync(bin)
  const command = (name: string, line: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  command('npx', `shift\nexec "${process.execPath}" "${main}" "$@"`)
  if (make !== undefined) command('make', make)
  let environment: NodeJS.ProcessEnv = {
    ...CLOCK,
    ...settings,
    PATH: `${bin}:${process.env['PATH']}`,
    HOME: home,
  }
  let printed = ''

  return {
    run(script) {
      const { status, stdout, stderr, output } = spawnSync(
        'bash',
        ['-c', `set -eu\n${script}\nenv -0 >&3`],
        {
          env: environment,
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
          ...(folder !== undefined && { cwd: folder }),
        },
      )
      expect(status, `${script}${stdout}${stderr}`).to.equal(0)
      printed += `${stdout}${stderr}`
      const exported = (output[3] ?? '').split('\0').filter(line => line !== '')
      environment = Object.fromEntries(
        exported.map(line => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]),
      )
      return stdout
    },
    output: () => printed,
    environment: () => environment,
  }
}

// Executes a command in this process; `svodka` of test/harness spawns one.
import { Writable } from 'node:stream'
import { expect } from 'chai'
import { executeCommandLine } from '../../src/command-line.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { holdSqlParser } from '../harness/parse-sql.ts'
import type { Ended } from '../harness/svodka.ts'

/** By default code 0 and empty output. */
export interface Expected {
  readonly code?: number
  readonly stdout?: string | RegExp
  readonly stderr?: string | RegExp
}

/** @param line arguments without spaces in them */
export async function command(line: string, settings: NodeJS.ProcessEnv = {}): Promise<Ended> {
  await holdSqlParser()
  return captured(() => executeCommandLine(line === '' ? [] : line.split(' '), settings))
}

export async function expectCommand(
  line: string,
  settings: NodeJS.ProcessEnv,
  { code = 0, stdout = '', stderr = '' }: Expected,
): Promise<void> {
  const ended = await command(line, settings)
  const asExpected = (found: string, expected: string | RegExp) =>
    typeof expected !== 'string' && expected.test(found) ? found : expected
  expect(ended).to.deep.equal({
    code,
    stdout: asExpected(ended.stdout, stdout),
    stderr: asExpected(ended.stderr, stderr),
  })
}

/** Settings for the demo's standby. */
export async function standbySettings(sqlDir = 'sql'): Promise<Record<string, string>> {
  const { urlFor } = await sharedCluster()
  return {
    SQL_DIR: sqlDir,
    DATABASE_URL: urlFor('svodka_reports', 'replica'),
    KEYS_DATABASE_URL: urlFor('svodka_keys', 'replica'),
    PROBE_DATABASE_URL: urlFor('svodka_probe', 'replica'),
  }
}

/** Captures this process's stdout and stderr; calls must not overlap. */
export async function captured(execute: () => Promise<number>): Promise<Ended> {
  const stdout = capture('stdout')
  const stderr = capture('stderr')
  try {
    const code = await execute()
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

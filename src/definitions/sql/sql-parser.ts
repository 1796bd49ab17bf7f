/**
 * PostgreSQL's parser in a short-lived process: a serving gateway does not hold its 40 MiB of WebAssembly, and a crash
 * of the parser affects nothing else.
 */
import { fork } from 'node:child_process'
import type { Milliseconds } from '../../model/terms.ts'
import type { ParsedSql, ParseSql } from './parsed-sql.ts'

export interface SqlParser {
  readonly parse: ParseSql
  /** Whether the process has failed or ended: every call rejects. */
  readonly hasFailed: () => boolean
  /** Ends the process; pending calls fail. */
  close(): void
}

/** The largest definition takes about 4 seconds; thousands of nested comments take minutes. */
const TIMEOUT_MS: Milliseconds = 60_000

/** @param timeoutMs for each response, after which the parser fails */
export function createSqlParser(timeoutMs = TIMEOUT_MS): SqlParser {
  const child = fork(new URL('./parser-process.js', import.meta.url), {
    // why: trees have more levels than JSON serialization supports
    serialization: 'advanced',
    // why: optimizing WebAssembly costs twice the CPU time of parsing all definitions
    execArgv: ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'],
    env: {},
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  /** In the order in which requests were sent, which is the order of responses. */
  const pending: Array<{ resolve: (parsed: ParsedSql) => void; reject: (error: Error) => void }> =
    []
  let failure: Error | undefined
  let timer: NodeJS.Timeout | undefined
  const fail = (error: Error) => {
    clearTimeout(timer)
    failure ??= error
    for (const { reject } of pending.splice(0)) reject(failure)
  }
  const startTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      fail(new Error(`PostgreSQL's parser has not responded for ${timeoutMs / 1000} s`))
      child.kill('SIGKILL')
    }, timeoutMs)
  }
  // why: an idle parser must not prevent the process from exiting
  const idle = () => (clearTimeout(timer), child.unref(), child.channel?.unref())
  child.on('message', (parsed: ParsedSql) => {
    pending.shift()?.resolve(parsed)
    if (pending.length > 0) startTimer()
    else idle()
  })
  child.on('error', error => fail(new Error("PostgreSQL's parser failed", { cause: error })))
  child.on('exit', (code, signal) =>
    fail(new Error(`PostgreSQL's parser ended with ${signal ?? code}`)),
  )
  idle()
  return {
    parse: async source =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure)
        if (pending.length === 0) startTimer()
        pending.push({ resolve, reject })
        child.ref()
        child.channel?.ref()
        child.send(source)
      }),
    hasFailed: () => failure !== undefined,
    close: () => void child.kill(),
  }
}

interface SharedParser {
  readonly parser: SqlParser
  users: number
}

let shared: SharedParser | undefined

/** @returns the result of `work`; calls at the same time share a process, which ends with the last of them */
export async function withSqlParser<T>(work: (parse: ParseSql) => Promise<T>): Promise<T> {
  if (shared === undefined || shared.parser.hasFailed())
    shared = { parser: createSqlParser(), users: 0 }
  const used = shared
  used.users += 1
  try {
    return await work(used.parser.parse)
  } finally {
    used.users -= 1
    if (used.users === 0) {
      used.parser.close()
      if (shared === used) shared = undefined
    }
  }
}

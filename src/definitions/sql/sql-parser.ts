/**
 * PostgreSQL's parser in a short-lived process: a serving gateway does not hold its 40 MiB of WebAssembly, and a crash
 * of the parser affects nothing else.
 */
import { fork, type ChildProcess } from 'node:child_process'
import type { Milliseconds } from '../../model/terms.ts'
import type { ParsedSql, ParseSql, SqlSource } from './parsed-sql.ts'
import type { ParserResponse } from './parser-process.ts'
import { withIndex } from './syntax-tree.ts'

export interface SqlParser {
  /** Starts the process before the first SQL. */
  start(): void
  readonly parse: ParseSql
  /** Whether the process has failed or ended: every call rejects. */
  readonly hasFailed: () => boolean
  /** Ends the process; pending calls fail. */
  close(): void
}

/** The largest definition takes about 4 seconds; thousands of nested comments take minutes. */
const TIMEOUT_MS: Milliseconds = 90_000

interface Request {
  readonly source: SqlSource
  readonly resolve: (parsed: ParsedSql) => void
  readonly reject: (error: Error) => void
}

/**
 * Starts the process for the first SQL, and another one if an error has damaged it.
 * @param timeoutMs for each response, after which the parser fails
 */
export function createSqlParser(timeoutMs = TIMEOUT_MS): SqlParser {
  /** In the order in which requests were sent, which is the order of responses. */
  const pending: Request[] = []
  let child: ChildProcess | undefined
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
      child?.kill('SIGKILL')
    }, timeoutMs)
  }
  const startChild = () => {
    const started = fork(new URL('./parser-process.js', import.meta.url), {
      // why: trees have more levels than JSON serialization supports
      serialization: 'advanced',
      // why: optimizing WebAssembly costs twice the CPU time of parsing all definitions
      execArgv: ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'],
      env: {},
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    started.on('message', ({ parsed, isIntact }: ParserResponse) => {
      if (started !== child) return
      for (const { tree } of parsed.statements) withIndex(tree)
      pending.shift()?.resolve(parsed)
      if (!isIntact) {
        child = undefined
        started.kill()
        for (const { source } of pending) send(source)
      }
      if (pending.length > 0) return startTimer()
      // why: an idle parser must not prevent the process from exiting
      clearTimeout(timer)
      started.unref()
      started.channel?.unref()
    })
    const end = (error: Error) => started === child && fail(error)
    started.on('error', error => end(new Error("PostgreSQL's parser failed", { cause: error })))
    started.on('exit', (code, signal) =>
      end(new Error(`PostgreSQL's parser ended with ${signal ?? code}`)),
    )
    return started
  }
  const send = (source: SqlSource) => {
    child ??= startChild()
    child.ref()
    child.channel?.ref()
    child.send(source)
  }
  return {
    start() {
      child ??= startChild()
      child.unref()
      child.channel?.unref()
    },
    parse: async source =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure)
        if (pending.length === 0) startTimer()
        pending.push({ source, resolve, reject })
        send(source)
      }),
    hasFailed: () => failure !== undefined,
    close() {
      failure ??= new Error("PostgreSQL's parser is closed")
      child?.kill()
    },
  }
}

let shared: { readonly parser: SqlParser; users: number } | undefined

function sharedParser() {
  if (shared === undefined || shared.parser.hasFailed())
    shared = { parser: createSqlParser(), users: 0 }
  return shared
}

/**
 * Starts the process for the next `withSqlParser`, while modules are loaded.
 * why: it takes 0.2 s until the process parses, and all of that was waiting
 */
export function startSqlParser(): void {
  sharedParser().parser.start()
}

/** @returns the result of `work`; calls at the same time share a process, which ends with the last of them */
export async function withSqlParser<T>(work: (parse: ParseSql) => Promise<T>): Promise<T> {
  const used = sharedParser()
  used.users += 1
  try {
    return await work(used.parser.parse)
  } finally {
    used.users -= 1
    if (used.users === 0) used.parser.close()
  }
}

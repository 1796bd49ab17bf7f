#!/usr/bin/env node
/** The process: executes the command line and exits with its code. No other file reads arguments or the environment. */
import { setFlagsFromString } from 'node:v8'
import { executeCommandLine } from './command-line.ts'
import { EXIT } from './model/command-error.ts'
import { guardOutputs, printUnexpected } from './command/output.ts'

// why: without a listener, this signal opens a debugger on a port that every user of the machine can reach
process.on('SIGUSR1', () => {})
// why: buffers are external memory, for which V8 marks its whole heap, on helper threads too. Cold reports of 10,000 rows,
// CPU of all threads, in alternation (2026-11-25, Node 20.20): 0.64 -> 0.41 of the plain program's, with gzip 0.81 -> 0.41;
// 400 is not better than 200, and idle memory is equal
setFlagsFromString('--heap-growing-percent=200')
// why: without it pg creates a Response to detect another runtime, for which Node 20 loads its HTTP client: 15 ms, 3 MiB
if (!('navigator' in globalThis))
  Object.assign(globalThis, { navigator: { userAgent: `Node.js/${process.versions.node}` } })
guardOutputs()
const exitCode = await executeCommandLine(process.argv.slice(2), process.env).catch(
  (error: unknown) => {
    // why: Node prints all fields of an error, and one may be a URL with a password
    printUnexpected(error)
    return EXIT.findings
  },
)
// why: an event-loop monitor of prom-client prevents the process from ending (prom-client#494), so `exit` is necessary;
// it discards buffered output, so streams are flushed first
await Promise.all([process.stdout, process.stderr].map(flush))
process.exit(exitCode)

function flush(stream: NodeJS.WriteStream): Promise<void> {
  // why: a file on a full disk rejects even an empty write, whose failure would replace the exit code
  if (stream.writableLength === 0) return Promise.resolve()
  return new Promise(resolve => {
    stream.write('', () => resolve())
  })
}

#!/usr/bin/env node
/** The process: reads the arguments and the environment, which happens here alone, and ends with the exit code. */
import { runCommandLine } from './command-line.ts'
import { EXIT } from './serve/command-line/exit.ts'
import { guardOutputs, sayUnexpected } from './serve/command-line/output.ts'

guardOutputs()
const exitCode = await runCommandLine(process.argv.slice(2), process.env).catch(
  (error: unknown) => {
    // why: Node would print all fields of the error, of which one may be a URL with its password
    sayUnexpected(error)
    return EXIT.findings
  },
)
// why: prom-client keeps an event-loop monitor alive (prom-client#494), so the end has to be said;
// what a pipe has not taken yet would be lost, so it goes first
await Promise.all([process.stdout, process.stderr].map(flushed))
process.exit(exitCode)

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise(resolve => {
    stream.write('', () => resolve())
  })
}

/** The `svodka` command line. The module of a command is loaded when the command is used. */
import { Command, CommanderError } from 'commander'
import { describeAuthorCommands } from './author/commands/author-commands.ts'
import type { FinishCommand } from './command/command.ts'
import { versionOfPackage } from './config/build-info.ts'
import { CommandError, EXIT } from './model/command-error.ts'
import { describeServingCommands } from './serving-commands.ts'

const DESCRIPTION = `svodka serves hand-tuned SQL reports from a read-only PostgreSQL replica, and helps to write them.
Settings are environment variables; config/README.md lists them.`

const EXAMPLES = `Examples:
  svodka check                             check all definitions
  svodka run profit_loss --org business    show a report in the terminal
  svodka explain operations --org large    show its plan and what to look at first
  svodka diff profit_loss                  compare its results and cost with the last commit
  svodka new finance/expenses_by_day       create a definition and its oracle
  svodka watch                             serve, and reload definitions when they are saved
`

const CODES = `Exit codes: 0 ok, 1 findings, 2 usage error, 3 environment error, such as no database or a port in use.
`

/** @returns the exit code; errors are printed on stderr */
export async function executeCommandLine(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  let exitCode: number = EXIT.ok
  const program = createProgram(environment, async code => void (exitCode = await code))
  try {
    if (args.length === 0) program.help({ error: true })
    await program.parseAsync(withHelpOfKnown(args, program), { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    if (!(error instanceof CommandError)) throw error
    process.stderr.write(`${error.message}\n`)
    return error.exitCode
  }
  return exitCode
}

/** Replaces `help nope` by `nope`, which commander rejects with the likely spelling. */
function withHelpOfKnown(args: readonly string[], { commands }: Command): string[] {
  const [first, name, ...others] = args
  if (first !== 'help' || name === undefined || name.startsWith('-')) return [...args]
  if (name === 'help') return ['--help']
  return commands.some(command => command.name() === name) ? [...args] : [name, ...others]
}

/** @param end receives the exit code of the command that is executed */
export function createProgram(environment: NodeJS.ProcessEnv, end: FinishCommand): Command {
  const program = new Command('svodka')
    .description(DESCRIPTION)
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', `\n${CODES}`)
    .helpCommand('help [command]', 'show the help of a command')
    .showHelpAfterError('(--help shows examples and all options)')
    .version(versionOfPackage())
    .exitOverride()
  describeAuthorCommands(program, environment, end)
  describeServingCommands(program, environment, end)
  return program
}

/** `svodka` as a command line. Each command lies in a file that is loaded when it is asked for. */
import { Command, CommanderError } from 'commander'
import { describeAuthorCommands } from './author/commands/author-commands.ts'
import type { End } from './serve/command-line/described.ts'
import { CommandError, EXIT } from './serve/command-line/exit.ts'
import { describeServingCommands } from './serving-commands.ts'
import { versionOfPackage } from './serve/command-line/version.ts'

const DESCRIPTION = `svodka serves hand-tuned SQL reports from a read-only PostgreSQL replica, and helps to write them.
Settings are environment variables; the README lists them.`

const EXAMPLES = `Examples:
  svodka check                                  all definitions: all that is wrong with them
  svodka run profit_loss --org business         a report in the terminal
  svodka explain operations --org large         what PostgreSQL does for it, and what to look at first
  svodka new finance/expenses_by_day              a definition and its oracle, ready to fill in
  svodka watch                                  serve, and reload definitions as they are saved
`

const CODES = `Exit codes: 0 ok, 1 findings, 2 wrong use, 3 no database, a port that is taken and the like.
`

/** @returns the exit code; whatever ends a command early has been said on stderr */
export async function runCommandLine(
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

/** `help nope` as `nope`, which is refused with the likely spelling. */
function withHelpOfKnown(args: readonly string[], { commands }: Command): string[] {
  const [first, wanted, ...others] = args
  if (first !== 'help' || wanted === undefined || wanted.startsWith('-')) return [...args]
  if (wanted === 'help') return ['--help']
  return commands.some(command => command.name() === wanted) ? [...args] : [wanted, ...others]
}

/** All commands, described; what is asked for hands its exit code to `end`. */
export function createProgram(environment: NodeJS.ProcessEnv, end: End): Command {
  const program = new Command('svodka')
    .description(DESCRIPTION)
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', `\n${CODES}`)
    .helpCommand('help [command]', 'the help of a command')
    .showHelpAfterError('(--help shows examples and all options)')
    .version(versionOfPackage())
    .exitOverride()
  describeAuthorCommands(program, environment, end)
  describeServingCommands(program, environment, end)
  return program
}

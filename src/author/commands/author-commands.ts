/** Commands for whoever writes and tunes definitions: `check`, `run`, `explain`, `list`, `new`. */
import { InvalidArgumentError, Option, type Command } from 'commander'
import { REPORT_FORMATS } from '../../model/terms.ts'
import type { CheckOptions } from './check.ts'
import { examples, type End } from '../../serve/command-line/described.ts'
import type { ExplainOptions } from './explain.ts'
import type { RunOptions } from './run.ts'

export function describeAuthorCommands(
  program: Command,
  environment: NodeJS.ProcessEnv,
  end: End,
): void {
  program
    .command('check')
    .argument('[codes...]', 'definitions, such as profit_loss or metrics/finance; all without any')
    .summary('all that is wrong with definitions')
    .description(
      'Says all that is wrong with definitions, one finding a line: file:line: what, expected what. With a database it also runs them there.',
    )
    .addHelpText(
      'before',
      examples(
        'svodka check',
        'svodka check profit_loss metrics/finance',
        'svodka check --demo --json',
      ),
    )
    .option(
      '--org <id>',
      'an organization to ask for, once for each; those with a nickname by default',
      collected,
    )
    .option('--json', 'findings as JSON: [{ file, line, message }]')
    .addOption(demoOption())
    .action((codes: string[], options: CheckOptions) =>
      end(import('./check.ts').then(({ check }) => check(codes, options, environment))),
    )

  asking(program.command('run'))
    .summary('the answer of a report or of a file of metrics, in the terminal')
    .description(
      'Runs a definition on the replica for an organization, as the API would, and shows the answer.',
    )
    .option('--json', "the API's own body, byte for byte")
    .addOption(
      new Option('--format <name>', "a report's bytes as the API gives them in this format")
        .choices(REPORT_FORMATS)
        .conflicts(['json', 'psql']),
    )
    .addOption(
      new Option('--psql', 'what to paste into psql to run its SQL there').conflicts('json'),
    )
    .addHelpText(
      'before',
      examples(
        'svodka run profit_loss --org business',
        'svodka run debts --org large --from 2026-01-01 --to 2026-03-31 --json',
        'svodka run operations --org business --format xlsx >operations.xlsx',
        'svodka run finance --key-file key.txt',
        'svodka run cash_flow --org business --psql',
      ),
    )
    .action((code: string, options: RunOptions) =>
      end(import('./run.ts').then(({ run }) => run(code, options, environment))),
    )

  asking(program.command('explain'))
    .summary('what PostgreSQL does for a definition, and what to look at first')
    .description(
      'Runs a definition as the gateway does, twice, and shows the plan of the second run: its cost, its suspects by what they cost, the tree.',
    )
    .option('--json', 'figures, suspects and the plan, for a machine')
    .option('--html <file>', 'a page with the drawn plan too; it needs no network')
    .addHelpText(
      'before',
      examples(
        'svodka explain operations --org large',
        'svodka explain profit_loss --org business --from 2026-01-01 --to 2026-03-31',
        'svodka explain metrics/finance --org large --html plan.html',
      ),
    )
    .action((code: string, options: ExplainOptions) =>
      end(import('./explain.ts').then(({ explain }) => explain(code, options, environment))),
    )

  program
    .command('list')
    .summary('all definitions: code, title, group, fresh times, budget, when it was tuned')
    .description(
      'Lists all definitions, reports first. Fresh times are those of a period that runs and of one that is over; a budget begins with its buffers per thousand rows.',
    )
    .option('--json', 'an array of objects')
    .addHelpText('before', examples('svodka list', 'svodka list --json'))
    .action((options: { readonly json?: boolean }) =>
      end(import('./list.ts').then(({ list }) => list(options, environment))),
    )

  program
    .command('new')
    .argument(
      '<group/code>',
      'the folder under reports, or metrics for a file of metrics, and the file name without .sql',
    )
    .summary('a report or a file of metrics that works and its oracle, ready to fill in')
    .description(
      'Makes sql/reports/<group>/<code>.sql, or sql/metrics/<code>.sql, and its oracle from the templates of sql/new.',
    )
    .addHelpText(
      'before',
      examples('svodka new finance/expenses_by_day', 'svodka new metrics/expenses'),
    )
    .action((name: string) =>
      end(import('./new.ts').then(({ newDefinition }) => newDefinition(name, environment))),
    )
}

/** Arguments and options of a question to one organization. */
function asking(command: Command): Command {
  return command
    .argument(
      '<code>',
      "a report's code, or a file of metrics, as in metrics/finance; a path does too",
    )
    .option(
      '--org <id>',
      'the organization, by id or by a nickname of sql/access/organizations.sql',
      once,
    )
    .option('--key-file <file>', 'or a file with its API key; - is stdin', once)
    .option('--from <date>', 'first day of the period; the current year by default', once)
    .option('--to <date>', 'its last day', once)
    .addOption(demoOption())
}

function demoOption(): Option {
  return new Option('--demo', 'ask the demo; start its servers if it does not run')
}

function once(value: string, before: string | undefined): string {
  if (before === undefined) return value
  throw new InvalidArgumentError(`It was "${before}" before: expected it once.`)
}

function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

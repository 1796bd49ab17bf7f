/** Command line of the commands for authors of definitions: `check`, `run`, `kit`, ... */
import { Argument, Option, type Command } from 'commander'
import { REPORT_FORMATS } from '../../model/terms.ts'
import { examples, type FinishCommand } from '../../command/command.ts'
import { KIT_TOOLS } from '../../kit/tools.ts'
import type { KitToolName } from '../../kit/tools.ts'
import type { CheckOptions } from './check.ts'
import type { DiffOptions } from './diff.ts'
import type { ExplainCommandOptions } from './explain.ts'
import type { KitOptions } from './kit.ts'
import type { NewOptions } from './new.ts'
import type { RunOptions } from './run.ts'

const DEFINITIONS = 'definitions, such as profit_loss or metrics/finance; all by default'
const DEFINITION = "a report's code, a file of metrics such as metrics/finance, or a path"
const SET = 'the value of a parameter, such as warehouse=12; may be repeated'
const ORGANIZATIONS = 'an organization; may be repeated; by default all with a nickname'
const NEW_CODE =
  'the folder under reports, or metrics for a file of metrics; and the name of the new file'

export function describeAuthorCommands(
  program: Command,
  environment: NodeJS.ProcessEnv,
  end: FinishCommand,
): void {
  const describe = (name: string, description: string, ...lines: string[]) =>
    program
      .command(name)
      .description(description)
      .addHelpText('before', examples(...lines))

  describe(
    'check',
    'check definitions, also on the replica: prints file:line: level: found, expected [id]',
    'svodka check',
    'svodka check profit_loss metrics/finance',
    'svodka check --demo --strict --notes',
    'svodka check --rules',
  )
    .argument('[codes...]', DEFINITIONS)
    .option('--org <id>', ORGANIZATIONS, collect)
    .option('--from <date>', 'first day of the period; by default a period that has data')
    .option('--to <date>', 'last day of the period')
    .option('--strict', 'fail with exit code 1 on warnings, too, not on errors alone')
    .option('--notes', 'print notes, too')
    .option('--json', 'findings as JSON: [{ file, line, level, id, message }]')
    .option('--no-experiments', 'no executions over other rows, beside production')
    .option('--rules', 'print each kind of findings with a bad and a good line')
    .addOption(demoOption())
    .action((codes: string[], options: CheckOptions) =>
      end(import('./check.ts').then(({ check }) => check(codes, options, environment))),
    )

  const run = describe(
    'run',
    'execute a report or a file of metrics, and show the result in the terminal',
    'svodka run profit_loss --org business',
    'svodka run debts --org large --from 2026-01-01 --to 2026-03-31 --json',
    'svodka run operations --org business --format xlsx >operations.xlsx',
    'svodka run finance --key-file key.txt',
    'svodka run cash_flow --org business --psql',
    'svodka run operations --org business --set kind=income',
  )
  addQuestion(run)
    .option('--json', "the API's response body, byte for byte")
    .addOption(
      new Option('--format <name>', "the API's response body in this format, for a report")
        .choices(REPORT_FORMATS)
        .conflicts(['json', 'psql']),
    )
    .addOption(new Option('--psql', 'a script that executes its SQL in psql').conflicts('json'))
    .action((code: string, options: RunOptions) =>
      end(import('./run.ts').then(module => module.run(code, options, environment))),
    )

  const explain = describe(
    'explain',
    "show PostgreSQL's plan of a definition, and what to look at first",
    'svodka explain operations --org large',
    'svodka explain profit_loss --org business --from 2026-01-01 --to 2026-03-31',
    'svodka explain metrics/finance --org large --json',
  )
  addQuestion(explain)
    .option('--json', 'figures, what to look at first and the plan as JSON')
    .action((code: string, options: ExplainCommandOptions) =>
      end(import('./explain.ts').then(module => module.explain(code, options, environment))),
    )

  describe(
    'diff',
    "compare a definition's results and cost with those of another version, on the replica",
    'svodka diff profit_loss',
    'svodka diff metrics/finance --base main --org large --org empty',
    'svodka diff debts --base /tmp/debts.sql --from 2026-01-01 --to 2026-03-31',
    'svodka diff debts --oracle',
  )
    .argument('<code>', DEFINITION)
    .option('--base <ref|file>', 'the other version: a commit, or a file', 'HEAD')
    .addOption(
      new Option('--oracle', 'or naive SQL for the same columns: CODE.oracle.sql').conflicts(
        'base',
      ),
    )
    .option('--org <id>', ORGANIZATIONS, collect)
    .option('--from <date>', 'first day of the period; by default six periods around today')
    .option('--to <date>', 'last day of the period')
    .option('--set <name=value>', SET, collect)
    .addOption(demoOption())
    .action((code: string, options: DiffOptions) =>
      end(import('./diff.ts').then(module => module.diff(code, options, environment))),
    )

  describe(
    'list',
    'list all definitions: code, title, group, fresh times, budget, date of tuning',
    'svodka list',
    'svodka list --json',
  )
    .option('--json', 'as a JSON array')
    .action((options: { readonly json?: boolean }) =>
      end(import('./list.ts').then(({ list }) => list(options, environment))),
    )

  describe(
    'openapi',
    'print the OpenAPI 3.1 document of the API with these definitions',
    'svodka openapi > openapi.json',
  ).action(() => end(import('./openapi.ts').then(({ openapi }) => openapi(environment))))

  describe(
    'kit',
    'print a script that loads reports into another tool',
    'svodka kit python operations --url https://reports.example.com > svodka_load.py',
    'svodka kit airbyte --from 2026-01-01 > manifest.yaml',
    'svodka kit python operations --set kind=income > svodka_load.py',
  )
    .addArgument(new Argument('<tool>', 'the tool').choices(KIT_TOOLS))
    .argument('[code]', "a report's code; by default the script is for any or for all reports")
    .option('--url <url>', 'the address of the gateway', 'http://127.0.0.1:8080')
    .option('--from <date>', 'first day; by default 1 January of the current year')
    .option('--to <date>', 'last day; by default 31 December when the script is executed')
    .option('--set <name=value>', SET, collect)
    .action((tool: KitToolName, code: string | undefined, options: KitOptions) =>
      end(import('./kit.ts').then(({ printKit }) => printKit(tool, code, options, environment))),
    )

  describe(
    'tenancy',
    'propose whose rows the tables are: prints tenancy.yaml from the catalog',
    'svodka tenancy',
    'svodka tenancy --demo',
  )
    .addOption(demoOption())
    .action((options: { readonly demo?: boolean }) =>
      end(import('./tenancy.ts').then(({ tenancy }) => tenancy(options, environment))),
    )

  describe(
    'new',
    'create a working report or file of metrics to edit; in this checkout, with its oracle',
    'svodka new finance/expenses_by_day',
    'svodka new metrics/expenses',
    'SQL_DIR=../shop/sql svodka new sales/orders --table orders',
  )
    .argument('<group/code>', NEW_CODE)
    .option('--table <name>', 'the table whose rows it counts')
    .action((name: string, options: NewOptions) =>
      end(
        import('./new.ts').then(({ newDefinition }) => newDefinition(name, options, environment)),
      ),
    )
}

/** Arguments and options of a definition for one organization. */
function addQuestion(command: Command): Command {
  const keyFile = new Option('--key-file <file>', 'or a file with its API key; - for stdin')
  return command
    .argument('<code>', DEFINITION)
    .option('--org <id>', 'the organization: an id, or a nickname of access/organizations.sql')
    .addOption(keyFile.conflicts('org'))
    .option('--from <date>', 'first day of the period; by default the current year')
    .option('--to <date>', 'last day of the period')
    .option('--set <name=value>', SET, collect)
    .addOption(demoOption())
}

function demoOption(): Option {
  return new Option('--demo', 'use the demo database; start it if necessary')
}

function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value]
}

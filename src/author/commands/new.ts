/**
 * `svodka new GROUP/CODE`: creates a working definition from the folder's templates (`new/`), and in this checkout its
 * oracle. Without templates, the definition counts rows of a table, and missing access files are created.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CODE, CODE_EXPECTED, ORACLE_ENDING } from '../../definitions/folder.ts'
import { DEFAULT_PRODUCT, parseProduct, PRODUCT_FILE } from '../../definitions/product.ts'
import { NAME, NAME_EXPECTED } from '../../definitions/source-file.ts'
import { TENANCY_FILE } from '../../definitions/tenancy.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import { withNoDatabase } from '../../config/other-databases.ts'
import { NO_DATABASE, withDatabases } from './databases.ts'
import { ACCESS_FILES, definitionText, NO_TABLE, template } from './definition-template.ts'
import { readAuthorSettings } from './load-what-loads.ts'
import { findStartingTable, type Start, type StartingTable } from './starting-table.ts'
import { withProposal } from './tenancy.ts'
import { HEAD, proposedText } from '../tenancy/proposed-file.ts'
import { aligned } from '../terminal/columns.ts'
import { messageOf, print, printLine, displayPath } from '../../command/output.ts'
import { CHECKOUT } from '../../demo/start-demo.ts'

/** The group name for files of metrics. */
const METRICS = 'metrics'

/** By kind: the oracle in TypeScript in `new/`, and the placeholder for the code in its files. */
const TEMPLATES = {
  report: { oracle: 'oracle.ts', called: 'new_report' },
  metrics: { oracle: 'metrics-oracle.ts', called: 'new_metrics' },
} as const

interface NewName {
  readonly kind: keyof typeof TEMPLATES
  readonly code: string
  /** Relative to the folder of definitions or of oracles, without an extension. */
  readonly path: string
}

interface NewFile {
  readonly path: string
  readonly text: string
}

export interface NewOptions {
  /** The table whose rows it counts; templates are not used then. */
  readonly table?: string | undefined
}

/** Prints paths of new files on stdout and next steps on stderr. @throws CommandError */
export async function newDefinition(
  name: string,
  options: NewOptions,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const parsed = parseName(name)
  const { SQL_DIR: directory = '' } = environment
  // why: the settings expect it to exist
  if (directory.trim() !== '') makeFolder(directory.trim())
  const { sqlDir } = readAuthorSettings(withNoDatabase(environment))
  const usesTemplates = options.table === undefined && hasTemplates(parsed, sqlDir)
  const start = usesTemplates ? undefined : await findStart(options, sqlDir, environment)
  const paths = makeDefinition(name, sqlDir, CHECKOUT, start)
  await print(paths.map(path => `${displayPath(path)}\n`).join(''))
  if (start !== undefined) printLine(tableNote(start.table, sqlDir))
  printLine(nextSteps(parsed, sqlDir, paths))
  return EXIT.ok
}

/** Without a name, any suitable table; then the database is optional. @throws CommandError */
function findStart(
  { table }: NewOptions,
  sqlDir: string,
  environment: NodeJS.ProcessEnv,
): Promise<Start> {
  const path = join(sqlDir, TENANCY_FILE)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : HEAD
  const starting = withDatabases(environment, {}, config =>
    withProposal(
      config,
      async proposed =>
        findStartingTable(proposed, table) ?? startWithout(proposed.text ?? proposedText(proposed)),
    ),
  )
  return starting.catch((error: unknown) => {
    if (table !== undefined || !(error instanceof CommandError)) throw error
    if (!error.message.startsWith(NO_DATABASE)) printLine(error.message)
    return startWithout(text)
  })
}

/** @param text of `tenancy.yaml` */
function startWithout(text: string): Start {
  const { tenancyLine } = NO_TABLE
  return {
    table: undefined,
    tenancyText: text.includes(tenancyLine) ? undefined : `${text.trimEnd()}\n${tenancyLine}`,
  }
}

/**
 * @param start used instead of the folder's templates
 * @returns the paths of new files @throws CommandError
 */
export function makeDefinition(
  name: string,
  sqlDir: string,
  checkout: string,
  start?: Start,
): string[] {
  const parsed = parseName(name)
  const files =
    start === undefined
      ? filesOf(parsed, sqlDir, checkout)
      : startingFiles(parsed, sqlDir, start.table)
  const paths = files.map(({ path }) => path)
  const existing = [...paths, ...sameCodes(parsed, sqlDir)].find(path => existsSync(path))
  if (existing !== undefined) {
    throw new CommandError(
      EXIT.usage,
      `${displayPath(existing)} already exists, expected a new code.`,
    )
  }
  for (const { path, text } of files) {
    makeFolder(dirname(path))
    orCommandError(path, () => writeFileSync(path, text, { flag: 'wx' }))
  }
  if (start?.tenancyText === undefined) return paths
  const path = join(sqlDir, TENANCY_FILE)
  orCommandError(path, () => writeFileSync(path, start.tenancyText!))
  return [...paths, path]
}

function parseName(name: string): NewName {
  const [group = '', code = '', ...rest] = name.split('/')
  if (rest.length > 0 || !CODE.test(group) || !CODE.test(code)) {
    throw new CommandError(
      EXIT.usage,
      `Found "${name}", expected GROUP/CODE such as finance/expenses_by_day: the folder under reports, or metrics, and the file's name; ${CODE_EXPECTED}.`,
    )
  }
  if (group !== METRICS) return { kind: 'report', code, path: join('reports', group, code) }
  // why: codes of metrics are column names that begin with the file's code
  if (NAME.test(`${code}_operations`)) return { kind: 'metrics', code, path: join(METRICS, code) }
  throw new CommandError(EXIT.usage, `Found the file of metrics "${code}", ${NAME_EXPECTED}.`)
}

/** Where a report with the same code may be. */
function sameCodes({ kind, code }: NewName, sqlDir: string): string[] {
  const reports = join(sqlDir, 'reports')
  if (kind !== 'report' || !existsSync(reports)) return []
  return readdirSync(reports).map(group => join(reports, group, `${code}.sql`))
}

function hasTemplates({ kind }: NewName, sqlDir: string): boolean {
  return existsSync(join(sqlDir, 'new', `${kind}.sql`))
}

const ENDINGS = ['.sql', ORACLE_ENDING]

/** Only this checkout's definitions have oracles in TypeScript. */
function filesOf({ kind, code, path }: NewName, sqlDir: string, checkout: string): NewFile[] {
  const { oracle, called } = TEMPLATES[kind]
  const fill = (file: string) => readFileSync(file, 'utf8').replaceAll(called, () => code)
  const templateOf = (ending: string) => join(sqlDir, 'new', `${kind}${ending}`)
  const made = ENDINGS.filter(ending => existsSync(templateOf(ending))).map(ending => ({
    path: join(sqlDir, `${path}${ending}`),
    text: fill(templateOf(ending)),
  }))
  if (sqlDir !== join(checkout, 'sql')) return made
  const inTypeScript = join(checkout, 'test', 'sql', 'oracles', `${path}.ts`)
  return [...made, { path: inTypeScript, text: fill(join(sqlDir, 'new', oracle)) }]
}

function languageOf(sqlDir: string): string {
  const path = join(sqlDir, PRODUCT_FILE)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return (parseProduct(text, PRODUCT_FILE).product ?? DEFAULT_PRODUCT).language
}

/** Without a key look-up, missing access files are added, because no definition can be executed without it. */
function startingFiles(name: NewName, sqlDir: string, table: StartingTable | undefined): NewFile[] {
  const { kind, code, path } = name
  const made = ENDINGS.map(ending => ({
    path: join(sqlDir, `${path}${ending}`),
    text: definitionText(`${kind}${ending}`, code, languageOf(sqlDir), table),
  }))
  if (existsSync(join(sqlDir, 'access', 'organization_by_key.sql'))) return made
  const access = ACCESS_FILES.map(file => ({
    path: join(sqlDir, 'access', file),
    text: template(file),
  }))
  return [...made, ...access.filter(({ path: one }) => !existsSync(one))]
}

function makeFolder(path: string): void {
  orCommandError(path, () => mkdirSync(path, { recursive: true }))
}

/** @throws CommandError */
function orCommandError(path: string, make: () => unknown): void {
  try {
    make()
  } catch (error) {
    const { code = messageOf(error) } = error as NodeJS.ErrnoException
    throw new CommandError(
      EXIT.environment,
      `${displayPath(path)} cannot be created (${code}): expected a short name in a writable folder.`,
    )
  }
}

function tableNote(table: StartingTable | undefined, sqlDir: string): string {
  if (table !== undefined) {
    return `It counts rows of ${table.name} by ${table.dateColumn}.`
  }
  return `No table of organizations with a date was found: fill in the names of your tables in ${displayPath(sqlDir)}; or set DATABASE_URL, fill in ${displayPath(join(sqlDir, 'access'))} and use --table.`
}

function nextSteps(
  { kind, code, path }: NewName,
  sqlDir: string,
  paths: readonly string[],
): string {
  const name = kind === 'metrics' ? path : code
  const access = paths.filter(each => each.startsWith(join(sqlDir, 'access')))
  const steps = [
    ...access.map(each => [displayPath(each), 'fill in the names of your tables']),
    ['npx svodka watch', 'serve it, and reload it on each save'],
    [`npx svodka run ${name} --org <id>`, 'show its result'],
    [`npx svodka explain ${name} --org <id>`, 'show its cost and its plan'],
    [`npx svodka check ${name}`, 'find its faults'],
    ...(paths.some(each => each.endsWith(ORACLE_ENDING))
      ? [[`npx svodka diff ${name} --oracle`, 'compare it with its oracle']]
      : []),
  ]
  if (paths.some(each => each.endsWith('.ts'))) {
    steps.push(
      [
        `make tuned REPORT=${name}`,
        'print the comment on its cost, to insert below the front matter',
      ],
      ['sql/product/README.md', 'add a row for it'],
      [`make test ONLY=${name}`, 'compare it with its oracle'],
    )
  }
  return ['Next:', ...aligned(steps).map(line => `  ${line}`)].join('\n')
}

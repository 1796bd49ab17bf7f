/**
 * `svodka new GROUP/CODE`: creates a working definition and its oracle from the folder's templates (`new/`), or from the
 * built-in ones, which count rows of a table. Missing access files and `tenancy.yaml` are created with the latter.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CODE, CODE_EXPECTED, ORACLE_ENDING } from '../../definitions/folder.ts'
import { DEFAULT_PRODUCT, parseProduct, PRODUCT_FILE } from '../../definitions/product.ts'
import { NAME, NAME_EXPECTED } from '../../definitions/source-file.ts'
import { TENANCY_FILE } from '../../definitions/tenancy.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import { withNoDatabase } from '../../config/other-databases.ts'
import { textsIn } from '../../texts/texts.ts'
import { readAuthorSettings } from './load-what-loads.ts'
import { findStart, NAMES_TO_FILL_IN, type Start } from './starting-table.ts'
import { aligned } from '../terminal/columns.ts'
import { print, printLine, displayPath } from '../../command/output.ts'
import { CHECKOUT } from '../../demo/start-demo.ts'

/** The group name for files of metrics. */
const METRICS = 'metrics'
const BUILT_IN = fileURLToPath(new URL('../templates', import.meta.url))
/** For key look-up and `--org`. */
const ACCESS_FILES = ['access/organization_by_key.sql', 'access/organizations.sql'] as const

export interface NewOptions {
  /** The table whose rows it counts; the folder's templates are not used then. */
  readonly table?: string | undefined
}

/** Prints paths of new files on stdout and next steps on stderr. @throws CommandError */
export async function newDefinition(
  name: string,
  { table }: NewOptions,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const { kind, code, path } = parseName(name)
  const directory = environment['SQL_DIR']?.trim() ?? ''
  // why: the settings expect it to exist
  if (directory !== '') orCommandError(directory, () => mkdirSync(directory, { recursive: true }))
  const { sqlDir } = readAuthorSettings(withNoDatabase(environment))
  const start = table === undefined ? undefined : await findStart(table, environment)
  const paths = makeDefinition(name, sqlDir, CHECKOUT, start)
  await print(paths.map(each => `${displayPath(each)}\n`).join(''))
  const called = kind === METRICS ? path : code
  const steps = [
    ...paths
      .filter(each => each.startsWith(join(sqlDir, 'access')))
      .map(each => [displayPath(each), 'fill in the names of your tables']),
    ['npx svodka watch', 'serve it, and reload it on each save'],
    [`npx svodka run ${called} --org <id>`, 'show its result'],
    [`npx svodka explain ${called} --org <id>`, 'show its cost and its plan'],
    [`npx svodka check ${called}`, 'find its faults'],
    [`npx svodka diff ${called} --oracle`, 'compare it with its oracle'],
  ]
  printLine(['Next:', ...aligned(steps).map(line => `  ${line}`)].join('\n'))
  return EXIT.ok
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
  const { kind, code, path } = parseName(name)
  const own = join(sqlDir, 'new')
  const hasOwn = start === undefined && existsSync(join(own, `${kind}.sql`))
  const folder = hasOwn ? own : BUILT_IN
  const { tenancyText, ...names } = start ?? NAMES_TO_FILL_IN
  const values = { ...(hasOwn ? {} : { ...wordsIn(sqlDir), ...names }), code }
  const filled = (template: string) => fill(readFileSync(join(folder, template), 'utf8'), values)
  // why: only this checkout's definitions have oracles in TypeScript
  const ofCheckout = sqlDir === join(checkout, 'sql') ? ['.ts'] : []
  const files = ['.sql', ORACLE_ENDING, ...ofCheckout]
    .filter(ending => existsSync(join(folder, kind + ending)))
    .map(ending => {
      const root = ending === '.ts' ? join(checkout, 'test/sql/oracles') : sqlDir
      return { target: join(root, path + ending), text: filled(kind + ending) }
    })
  if (!hasOwn) {
    // why: no definition can be executed without the first
    const access = existsSync(join(sqlDir, ACCESS_FILES[0])) ? [] : ACCESS_FILES
    const others = access.map(file => ({ file, text: filled(file.replace('access/', '')) }))
    for (const { file, text } of [...others, { file: TENANCY_FILE, text: tenancyText }])
      if (!existsSync(join(sqlDir, file))) files.push({ target: join(sqlDir, file), text })
  }
  for (const { target, text } of files)
    orCommandError(target, () => {
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, text, { flag: 'wx' })
    })
  return files.map(({ target }) => target)
}

/** Templates have the code as `new_report`, `new_metrics` or `{code}`. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  const tokens = /new_(?:report|metrics)|\{(\w+)\}/g
  return text.replaceAll(tokens, (token, key = 'code') => values[key] ?? token)
}

/** Titles and the summary, in the product's language. */
function wordsIn(sqlDir: string): Readonly<Record<string, string>> {
  const path = join(sqlDir, PRODUCT_FILE)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const { language } = parseProduct(text, PRODUCT_FILE).product ?? DEFAULT_PRODUCT
  return textsIn(language).bodies.starting
}

/** @returns the path relative to the folder of definitions or of oracles, without an extension */
function parseName(name: string) {
  const [group = '', code = '', ...rest] = name.split('/')
  if (rest.length > 0 || !CODE.test(group) || !CODE.test(code)) {
    throw new CommandError(
      EXIT.usage,
      `Found "${name}", expected GROUP/CODE such as finance/expenses_by_day: the folder under reports, or metrics, and the file's name; ${CODE_EXPECTED}.`,
    )
  }
  if (group !== METRICS) return { kind: 'report', code, path: join('reports', group, code) }
  // why: codes of metrics are column names that begin with the file's code
  if (NAME.test(`${code}_operations`)) return { kind: METRICS, code, path: join(METRICS, code) }
  throw new CommandError(EXIT.usage, `Found the file of metrics "${code}", ${NAME_EXPECTED}.`)
}

/** @throws CommandError */
function orCommandError(path: string, make: () => unknown): void {
  try {
    make()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new CommandError(
        EXIT.usage,
        `${displayPath(path)} already exists, expected a new code.`,
      )
    throw new CommandError(
      EXIT.environment,
      `${displayPath(path)} cannot be created (${code}): expected a short name in a writable folder.`,
    )
  }
}

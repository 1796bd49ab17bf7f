/** `svodka new GROUP/CODE`: a definition that works and its oracle, from the templates beside the definitions. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CODE, CODE_EXPECTED, listFolder } from '../../definitions/folder.ts'
import { NAME, NAME_EXPECTED } from '../../definitions/source-file.ts'
import { CommandError, EXIT } from '../../serve/command-line/exit.ts'
import { withNoDatabase } from '../../serve/command-line/load-all.ts'
import { readAuthorSettings } from './load-what-loads.ts'
import { messageOf, print, say } from '../../serve/command-line/output.ts'
import { shownFile, shownPath } from '../../serve/command-line/shown-path.ts'
import { CHECKOUT } from '../../demo/start-demo.ts'

/** The group that is none: its definitions are files of metrics. */
const METRICS = 'metrics'

/** Of each kind its templates beside the definitions, and what they call what is made. */
const TEMPLATES = {
  report: { definition: 'report.sql', oracle: 'oracle.ts', called: 'new_report' },
  metrics: { definition: 'metrics.sql', oracle: 'metrics-oracle.ts', called: 'new_metrics' },
} as const

interface NewName {
  readonly group: string
  readonly code: string
}

interface NewFile {
  readonly path: string
  readonly text: string
}

/** Paths of what was made go to stdout, what is to be done next to stderr. @throws CommandError */
export async function newDefinition(name: string, environment: NodeJS.ProcessEnv): Promise<number> {
  const paths = makeDefinition(name, environment, CHECKOUT)
  await print(paths.map(path => `${shownPath(path)}\n`).join(''))
  say(nextSteps(parseName(name), paths.length > 1))
  return EXIT.ok
}

/** @returns the paths of what was made @throws CommandError where nothing was */
export function makeDefinition(
  name: string,
  environment: NodeJS.ProcessEnv,
  checkout: string,
): string[] {
  const parsed = parseName(name)
  const { sqlDir } = readAuthorSettings(withNoDatabase(environment))
  refuseTaken(parsed, sqlDir)
  const files = filesOf(parsed, sqlDir, checkout)
  for (const { path } of files) {
    if (!existsSync(path)) continue
    throw new CommandError(EXIT.usage, `${shownPath(path)} is there already, expected a new code.`)
  }
  writeAll(files)
  return files.map(({ path }) => path)
}

function parseName(name: string): NewName {
  const [group = '', code = '', ...rest] = name.split('/')
  if (rest.length > 0 || !CODE.test(group) || !CODE.test(code)) {
    throw new CommandError(
      EXIT.usage,
      `Found "${name}", expected GROUP/CODE such as finance/expenses_by_day: the folder under reports, or metrics, and the file's name; ${CODE_EXPECTED}.`,
    )
  }
  // why: codes of metrics are names of columns, and begin with the file's
  if (group !== METRICS || NAME.test(`${code}_operations`)) return { group, code }
  throw new CommandError(EXIT.usage, `Found the file of metrics "${code}", ${NAME_EXPECTED}.`)
}

/** By its file, which may be broken: a report's code is one in all groups. */
function refuseTaken({ group, code }: NewName, sqlDir: string): void {
  if (group === METRICS) return
  const place = { parent: dirname(sqlDir), name: basename(sqlDir) }
  const { reports } = listFolder(place, () => {})
  const other = reports.find(({ file }) => basename(file, '.sql') === code)
  if (other === undefined) return
  throw new CommandError(
    EXIT.usage,
    `${shownFile(other.file, sqlDir)} has the code "${code}" already, expected another.`,
  )
}

/** The oracle belongs to this checkout's own definitions: another product's are proved elsewhere. */
function filesOf({ group, code }: NewName, sqlDir: string, checkout: string): NewFile[] {
  const kind = group === METRICS ? 'metrics' : 'report'
  const { definition, oracle } = TEMPLATES[kind]
  const place = kind === 'metrics' ? join(METRICS, code) : join('reports', group, code)
  const made = {
    path: join(sqlDir, `${place}.sql`),
    text: template(sqlDir, kind, definition, code),
  }
  if (sqlDir !== join(checkout, 'sql')) return [made]
  const path = join(checkout, 'test', 'sql', 'oracles', `${place}.ts`)
  return [made, { path, text: template(sqlDir, kind, oracle, code) }]
}

function template(
  sqlDir: string,
  kind: keyof typeof TEMPLATES,
  name: string,
  code: string,
): string {
  const path = join(sqlDir, 'new', name)
  const { called } = TEMPLATES[kind]
  try {
    return readFileSync(path, 'utf8').replaceAll(called, () => code)
  } catch (error) {
    const what =
      kind === 'report' ? 'one that works, whose code is' : 'some that work, whose file is'
    const found =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : messageOf(error)
    throw new CommandError(
      EXIT.environment,
      `${shownPath(path)}: ${found}, expected the template of new ${kind === 'report' ? 'reports' : 'metrics'}: ${what} ${called}.`,
    )
  }
}

/** All of them or none. @throws CommandError */
function writeAll(files: readonly NewFile[]): void {
  const made: string[] = []
  for (const { path, text } of files) {
    try {
      const folder = mkdirSync(dirname(path), { recursive: true })
      if (folder !== undefined) made.push(folder)
      writeFileSync(path, text, { flag: 'wx' })
      made.push(path)
    } catch (error) {
      for (const each of made) rmSync(each, { recursive: true, force: true })
      const { code = messageOf(error) } = error as NodeJS.ErrnoException
      throw new CommandError(
        EXIT.environment,
        `${shownPath(path)} cannot be made (${code}), and nothing was: expected a short name in a folder that may be written.`,
      )
    }
  }
}

function nextSteps({ group, code }: NewName, hasOracle: boolean): string {
  const name = group === METRICS ? `${METRICS}/${code}` : code
  const ours = group === METRICS ? 'Our metrics' : 'Our reports'
  const steps = [
    ['make watch', 'serve it, and reload it whenever you save'],
    [`npx svodka run ${name} --org business`, 'what it answers'],
    [`npx svodka explain ${name} --org large`, 'what it costs, and why'],
    [`npx svodka check ${name}`, 'what is wrong with it'],
    ...(hasOracle
      ? [
          [`make tuned REPORT=${name}`, 'the comment on its cost, to put under the front matter'],
          ['sql/README.md', `a row of its own under "${ours}"`],
          [`make test ONLY=${name}`, 'whether its oracle agrees'],
        ]
      : []),
  ]
  const width = Math.max(...steps.map(([command = '']) => command.length))
  return `Next:\n${steps.map(([command = '', what]) => `  ${command.padEnd(width)}  ${what}`).join('\n')}`
}

// Small folders of definitions, which commands read quickly.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BAD as BAD_DEFINITIONS } from '../check/bad-definitions.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { writeFiles } from '../harness/write-files.ts'

/** Titles in the tables of bad definitions, by file name. */
const BAD: Readonly<Record<string, string>> = {
  'bracket-open': 'a bracket is not closed',
  'column-misspelt': 'deals.amount_kopeck as amount',
  now: 'operations.paid_on >= :period_start and operations.paid_on < least(:period_end, now())',
}

/**
 * The shipped access files, tenancy.yaml and some definitions: shipped ones as `reports/finance/debts`, bad ones as
 * `bad/null-compared`.
 * @returns `SQL_DIR`
 */
export function sqlFolder(...definitions: string[]): string {
  const directory = join(temporaryFolder(), 'sql')
  cpSync('sql/access', join(directory, 'access'), { recursive: true })
  cpSync('sql/tenancy.yaml', join(directory, 'tenancy.yaml'))
  for (const name of definitions) {
    const [, bad] = name.split('bad/')
    if (bad === undefined) cpSync(`sql/${name}.sql`, join(directory, `${name}.sql`))
    else writeFiles(directory, { [`reports/${name}.sql`]: textOf(bad) })
  }
  return directory
}

/** Bad definitions of the corpus, by file name. */
const OF_CORPUS: Readonly<Record<string, string>> = {
  'null-compared': 'null-comparison-4',
  'session-day': 'session-day-21',
}

function textOf(name: string): string {
  const file = OF_CORPUS[name]
  if (file !== undefined)
    return readFileSync(`test/check/corpus/bad/${file}.sql`, 'utf8').replace(/ -- expect: .*/, '')
  const title = BAD[name] ?? name
  const found = BAD_DEFINITIONS.find(definition => definition.title === title)
  if (found === undefined) throw new Error(`there is no bad definition "${title}"`)
  return found.text
}

/** @throws Error if the file has no such text. */
export function replaceIn(path: string, found: string | RegExp, replaced: string): void {
  const text = readFileSync(path, 'utf8')
  const changed = text.replace(found, () => replaced)
  if (changed === text) throw new Error(`${path} does not contain ${found}`)
  writeFileSync(path, changed)
}

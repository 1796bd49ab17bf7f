// Small folders of definitions, which commands read quickly.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { corpusText } from '../check/corpus.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { writeFiles } from '../harness/write-files.ts'

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

/** Of the corpus, by the names that tests use. */
const OF_CORPUS: Readonly<Record<string, string>> = {
  'null-compared': 'bad/null-comparison-4',
  'session-day': 'bad/session-day-21',
  'bracket-open': 'load/payments-bad-1',
  'column-misspelt': 'demo/new_deals-bad-13',
  now: 'load/payments-bad-15',
}

function textOf(name: string): string {
  const text = corpusText(`${OF_CORPUS[name]!}.sql`)
  return text.replace(/ -- expect: .*/, '')
}

/** @throws Error if the file has no such text. */
export function replaceIn(path: string, found: string | RegExp, replaced: string): void {
  const text = readFileSync(path, 'utf8')
  const changed = text.replace(found, () => replaced)
  if (changed === text) throw new Error(`${path} does not contain ${found}`)
  writeFileSync(path, changed)
}

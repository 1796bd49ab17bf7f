/**
 * Bad definitions in `bad/`: each has one fault, written as a change of the correct definition of its name in `good/`.
 *
 *     an order inside                  the title: the fault
 *       - from paid                    text that occurs once in the correct definition
 *       + from (select * from paid)    its replacement
 *       = select 1                     the whole statement
 *       load 16: no order by           the line and words of the finding; without such a line none is expected
 *     @ instead of maxRows: 10000      from here on the title is the change: it goes `instead of`, `behind` or
 *     maxRows: 5                       `before` this text of the good definition, up to a lone @
 *       12: found 9 rows
 *
 * `load`: found by loading, too; `text`: only without a replica; `replica`: only with one.
 */
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { checkFile, readToCheck, type AskReplica } from '../../src/author/check/check.ts'
import type { CheckFinding } from '../../src/author/check/kinds.ts'
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import { DefinitionErrors, describeFinding } from '../../src/definitions/findings.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { NO_TENANCY, parseTenancy, type Tenancy } from '../../src/definitions/tenancy.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { writeFiles } from '../harness/write-files.ts'

interface BadDefinition {
  readonly title: string
  /** `reports/bad/payments.sql` */
  readonly file: string
  readonly text: string
  readonly expected: readonly Expected[]
}

interface Expected {
  readonly by: 'load' | 'text' | 'replica' | undefined
  /** `sql/reports/bad/payments.sql:12: ` */
  readonly place: string
  /** A part of the message. */
  readonly words: string
}

function badDefinitionsOf(base: string): BadDefinition[] {
  const good = goodDefinition(base)
  const file = /^metrics:/m.test(good) ? `metrics/${base}.sql` : `reports/bad/${base}.sql`
  let section = ''
  return readFileSync(`test/check/bad/${base}.txt`, 'utf8')
    .split(/^(?=\S)/m)
    .flatMap(row => {
      if (row.startsWith('@')) section = row.trimEnd()
      return row.startsWith('@') ? [] : [definitionOf(file, good, section, row)]
    })
}

function definitionOf(file: string, good: string, section: string, row: string): BadDefinition {
  const [title = '', ...lines] = row.trimEnd().split('\n')
  const expected = lines.filter(line => !/^ {2}[-+=]/.test(line))
  return {
    title,
    file,
    text: patched(inSection(good, section, title), row),
    expected: expected.map(line => expectedOf(line, file)),
  }
}

function inSection(good: string, section: string, title: string): string {
  const [, where, found = ''] = /^@ (instead of|behind|before) (.*)$/.exec(section) ?? []
  const text = found.replaceAll('\\n', '\n')
  if (where === 'instead of') return replaced(good, text, title)
  if (where === 'behind') return replaced(good, text, `${text} ${title}`)
  if (where === 'before') return replaced(good, text, `${title}\n${text}`)
  return good
}

export function goodDefinition(name: string): string {
  return readFileSync(`test/check/good/${name}.sql`, 'utf8')
}

/**
 * @param matter a further line of its front matter
 * @returns the report of accounts with another statement, on line 9 of its file; 10 with such a line
 */
export async function loaded(
  statement: string,
  tenancy?: string,
  matter = '',
): Promise<ReportDefinition> {
  const [head] = goodDefinition('accounts').split('---*/')
  const text = `${head}${matter}---*/\n${statement.trim()}\n`
  const directory = folderOf({ 'reports/bad/accounts.sql': text }, tenancy)
  const report = (await loadCatalog(directory, parseSql)).reports.get('accounts')
  if (report === undefined) throw new Error('the report of accounts was not loaded')
  return report
}

function patched(text: string, row: string): string {
  const changes = row.matchAll(/((?: {2}- .*\n)*)((?: {2}\+.*\n)+)|((?: {2}=.*\n)+)/g)
  return Array.from(changes).reduce((changed, change) => {
    const [, out, into = '', whole] = Array.from(change, lines =>
      lines?.replaceAll(/^ {2}[-+=] ?/gm, '').replace(/\n$/, ''),
    )
    if (out !== undefined) return replaced(changed, out, into)
    return `${changed.split('---*/')[0]}---*/\n${whole}\n`
  }, text)
}

function replaced(text: string, out: string, into: string): string {
  const [before, after, ...more] = text.split(out)
  if (after === undefined || more.length > 0) throw new Error(`expected once in it: ${out}`)
  return `${before}${into}${after}`
}

function expectedOf(line: string, file: string): Expected {
  const [, by, number, words = ''] = /^ {2}(?:(load|text|replica) )?(\d+): (.*)$/.exec(line) ?? []
  if (number === undefined) throw new Error(`no place of a finding: ${line}`)
  return { by: by as Expected['by'], place: `sql/${file}:${number}: `, words }
}

/** The demo's, and the tables of `good/sales.sql`. */
const OUR_TENANCY = `${readFileSync('sql/tenancy.yaml', 'utf8')}
gifts: organization_id
goods: organization_id
kinds: organization_id
shops: organization_id
sold_out: organization_id
`

/** @returns what a text of tenancy.yaml declares, by default ours */
export function tenancyIn(text = OUR_TENANCY): Tenancy {
  return parseTenancy(text, 'sql/tenancy.yaml').tenancy ?? NO_TENANCY
}

/** @returns a folder of definitions with these files, our access files, and by default our tenancy.yaml */
export function folderOf(files: Readonly<Record<string, string>>, tenancy = OUR_TENANCY): string {
  const directory = join(temporaryFolder(), 'sql')
  cpSync('sql/access', join(directory, 'access'), { recursive: true })
  return writeFiles(directory, { 'tenancy.yaml': tenancy, ...files })
}

/** The findings of `svodka check` without a database in one definition of a product with any tables. */
export async function checkedFindings(text: string): Promise<CheckFinding[]> {
  const isOfMetrics = /^metrics:/m.test(text)
  const file = isOfMetrics ? 'metrics/example.sql' : 'reports/a/example.sql'
  const folder = await readToCheck(folderOf({ [file]: text }), parseSql)
  const found = await Promise.all(folder.files.map(one => checkFile(one, folder)))
  // why: loading needs the tables in tenancy.yaml, which the rules do not
  return found.flat().filter(({ id }) => id !== 'load')
}

/** The output of `svodka check` for a folder. */
export async function checked(directory: string, ask?: AskReplica): Promise<string[]> {
  const folder = await readToCheck(directory, parseSql)
  const { files, findings } = folder
  const all = await Promise.all(files.map(file => checkFile(file, folder, ask)))
  return [...findings, ...all.flat()].map(describeFinding)
}

/** The findings that prevent the gateway's start. */
export async function refused(directory: string): Promise<string[]> {
  try {
    await loadCatalog(directory, parseSql)
    return []
  } catch (error) {
    if (error instanceof DefinitionErrors) return error.findings.map(describeFinding)
    throw error
  }
}

/** Expects each finding at its line, and no others. */
export function expectFindings(findings: readonly string[], expected: readonly Expected[]): void {
  const all = expected.map(({ place, words }) => place + words)
  // why: which of the years has such a row depends on the day
  const found = findings.map(text => {
    const finding = text.replace(/, (?:this|last) year\)/, ', a year)')
    const known = expected.findIndex(
      ({ place, words }) => finding.startsWith(place) && finding.includes(words),
    )
    return all[known] ?? finding
  })
  expect(found).to.have.members(all)
}

export const GOOD = ['payments', 'new_deals', 'won_deals', 'done_tasks', 'sales', 'accounts']

export const BAD = GOOD.flatMap(badDefinitionsOf)

/** Bad definitions that load, of the demo's tables: only these are checked on a replica. */
export const LOADABLE = BAD.filter(
  ({ file, expected }) =>
    file !== 'reports/bad/sales.sql' && expected.every(({ by }) => by !== 'load'),
)

/**
 * Bad definitions: each has one fault, and is told as what it changes in one of the good definitions in `good/`.
 *
 *     an order inside                  what is wrong
 *       - from paid                    what the good definition has, once
 *       + from (select * from paid)    what stands there instead
 *       = select 1                     the whole statement
 *       load 16: no order by           where it is found, and words of the message; no such line where all is well
 *     @ instead of maxRows: 10000      from here on a title is what is changed: it stands `instead of`, `behind` or
 *     maxRows: 5                       `before` this text of the good definition, up to a lone @
 *       12: found 9 rows
 *
 * `load` is found by loading too, `text` only where no replica is asked, `replica` only where one is.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { checkFile, readToCheck, type AskReplica } from '../../src/author/check/check.ts'
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import { DefinitionErrors, describeFinding } from '../../src/definitions/findings.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

export interface BadDefinition {
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

/** A tag for the rows of a table, which are taken as they are written. @param base a file in `good/` */
export function table(base: string) {
  return ({ raw }: TemplateStringsArray): BadDefinition[] => {
    const good = goodDefinition(base)
    const file = /^metrics:/m.test(good) ? `metrics/${base}.sql` : `reports/bad/${base}.sql`
    let section = ''
    return raw
      .join('')
      .split(/^(?=\S)/m)
      .filter(row => row.trim() !== '')
      .flatMap(row => {
        if (row.startsWith('@')) section = row.trimEnd()
        return row.startsWith('@') ? [] : [definitionOf(file, good, section, row)]
      })
  }
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

/** @returns the report of accounts with another statement, on line 8 of its file */
export function loaded(statement: string): ReportDefinition {
  const [head] = goodDefinition('accounts').split('---*/')
  const text = `${head}---*/\n${statement.trim()}\n`
  const report = loadCatalog(folderOf({ 'reports/bad/accounts.sql': text })).reports.get('accounts')
  if (report === undefined) throw new Error('the report of accounts is not there')
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

/** @returns a folder of definitions with these files and our access files */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const directory = join(temporaryFolder(), 'sql')
  cpSync('sql/access', join(directory, 'access'), { recursive: true })
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, file)), { recursive: true })
    writeFileSync(join(directory, file), text)
  }
  return directory
}

/** What `svodka check` prints of a folder. */
export async function checked(directory: string, ask?: AskReplica): Promise<string[]> {
  const { files, drafts, findings } = readToCheck(directory)
  const all = await Promise.all(files.map(file => checkFile(file, drafts, ask)))
  return [...findings, ...all.flat()].map(describeFinding)
}

/** What keeps a gateway from starting. */
export function refused(directory: string): string[] {
  try {
    loadCatalog(directory)
    return []
  } catch (error) {
    if (error instanceof DefinitionErrors) return error.findings.map(describeFinding)
    throw error
  }
}

/** Each is found at its place, and nothing else is. */
export function expectFindings(findings: readonly string[], expected: readonly Expected[]): void {
  const all = expected.map(({ place, words }) => place + words)
  const found = findings.map(finding => {
    const known = expected.findIndex(
      ({ place, words }) => finding.startsWith(place) && finding.includes(words),
    )
    return all[known] ?? finding
  })
  expect(found).to.have.members(all)
}

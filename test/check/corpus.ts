/**
 * The corpus: definitions whose comments name their findings.
 *
 *     and sales.note = null -- expect: null-comparison     a finding of this line; `# expect:` in front matter
 *     -- expect: no-key                                    on a line of its own: a finding of any line
 *     and ... -- missed: union                             a fault that no rule finds
 *     -- 12: load: no column "incom"                       at the end: a finding of line 12, and words of its message
 *
 *     -- of: good/sales-1.sql                              that definition, with other lines:
 *     - summary: Sold {amount}.                            instead of this line (one place of it)
 *     + summary: Sold {amount} %.                          these
 *
 * `bad` and `good` are for the rules, without a database; `load` has what loading refuses; `executed` is checked on the
 * product `shop`, `demo` on the demo. Files with `right` in their name have no finding.
 */
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkFile, readToCheck, type AskReplica } from '../../src/author/check/check.ts'
import type { CheckFinding } from '../../src/author/check/kinds.ts'
import { NO_TENANCY, parseTenancy, type Tenancy } from '../../src/definitions/tenancy.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { writeFiles } from '../harness/write-files.ts'

interface CorpusFile {
  readonly name: string
  readonly text: string
  /** Marks with their lines, such as `12: null-comparison`; line 0 is any. */
  readonly marks: (word: string) => string[]
  /** Findings with words of their messages. */
  readonly expected: ReadonlyArray<{ readonly id: string; readonly words: string }>
}

export function corpus(folder: string): CorpusFile[] {
  return readdirSync(`test/check/corpus/${folder}`).map(file => {
    const text = corpusText(`${folder}/${file}`)
    const expected = Array.from(
      text.matchAll(/^-- (\d+: [a-z-]+): (.*)$/gm),
      ([, id = '', words = '']) => ({ id, words }),
    )
    return { name: `${folder}/${file}`, text, marks: word => marksIn(text, word), expected }
  })
}

/** A file of the corpus as a definition. @param file such as `bad/star-1.sql` */
export function corpusText(file: string): string {
  const text = readFileSync(`test/check/corpus/${file}`, 'utf8')
  const [, base] = /^-- of: (.+)\n/.exec(text) ?? []
  if (base === undefined) return text
  let changed = `\n${corpusText(base)}`
  for (const [, from, to] of text.matchAll(/((?:^-(?: .*)?\n)+)((?:^\+(?: .*)?\n)*)/gm)) {
    const [old, other] = [from, to].map((lines = '') => `\n${lines.replaceAll(/^[-+] ?/gm, '')}`)
    if (!changed.includes(old!)) throw new Error(`${base} has no lines of ${file}: ${old}`)
    changed = changed.replace(old!, () => other!)
  }
  return changed.slice(1) + text.replaceAll(/^(?:-- of: .*|[-+](?: .*)?)\n/gm, '')
}

function marksIn(text: string, word: string): string[] {
  return text.split('\n').flatMap((content, at) => {
    const line = /^(?:--|#) (?:expect|missed):/.test(content) ? 0 : at + 1
    const marks = content.matchAll(new RegExp(`(?:--|#) ${word}: ([a-z-]+(?:, [a-z-]+)*)`, 'g'))
    return [...marks].flatMap(([, ids = '']) => ids.split(', ').map(id => `${line}: ${id}`))
  })
}

/** The demo's, and the tables of the corpus. */
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

/** The findings of `svodka check` in one definition. @param ask by default without a database */
export async function findingsIn(
  text: string,
  ask?: AskReplica,
  tenancy?: string,
): Promise<CheckFinding[]> {
  const file = /^metrics:/m.test(text) ? 'metrics/example.sql' : 'reports/a/example.sql'
  const folder = await readToCheck(folderOf({ [file]: text }, tenancy), parseSql)
  const found = await Promise.all(folder.files.map(one => checkFile(one, ask)))
  return found.flat().filter(({ level }) => level !== 'note')
}

/** Findings as the corpus names them: with the words of the expected ones, so that others are shown whole. */
export function named(findings: readonly CheckFinding[], { expected }: CorpusFile): string[] {
  return findings.map(({ line, id, message }) => {
    const found = `${line}: ${id}`
    const words = expected.find(one => one.id === found && message.includes(one.words))?.words
    return `${found}: ${words ?? message}`
  })
}

export const expectedNames = ({ expected }: CorpusFile): string[] =>
  expected.map(({ id, words }) => `${id}: ${words}`)

/**
 * Tables of examples by their findings:
 *
 *     right                          no findings
 *       select a from t where b is null
 *     1: = null is never true        the line and words of a finding; so many findings, so many of these lines
 *       select case when b = null
 *         then 1 end from t          the next line of the same example
 */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'

export interface Example {
  readonly text: string
  readonly findings: readonly string[]
}

export function examplesIn(table: string): Example[] {
  return [...table.matchAll(/((?:^\S.*\n)+)((?: {2}.*\n)+)/gm)].flatMap(
    ([, head = '', body = '']) =>
      body
        .split(/^ {2}(?! {2})/m)
        .slice(1)
        .map(example => ({
          text: example.trimEnd().replaceAll('\n    ', '\n'),
          findings: head.split('\n').filter(line => !['', 'right'].includes(line)),
        })),
  )
}

/** A test for each example: it has these findings, in any order, and no others. */
export function findingsTable(
  table: string,
  findingsIn: (text: string) => Promise<string[]>,
): void {
  for (const { text, findings } of examplesIn(table)) {
    it(`${findings.length === 0 ? 'right' : 'wrong'}: ${text.replaceAll(/\s+/g, ' ')}`, async () => {
      const found = (await findingsIn(text)).map(finding => {
        const isOf = (one: string): boolean => {
          const [line = '', words = ''] = one.split(/: (.*)/)
          return finding.startsWith(`${line}: `) && finding.includes(words)
        }
        return findings.find(isOf) ?? finding
      })
      expect(found).to.have.members(findings)
    })
  }
}

/** The same for a file of SQL, in which the lines of findings are comments, and examples are not indented. */
export function findingsFile(path: string, findingsIn: (text: string) => Promise<string[]>): void {
  const table = readFileSync(path, 'utf8').replaceAll(/^(?:-- )?/gm, head =>
    head === '' ? '  ' : '',
  )
  findingsTable(table, findingsIn)
}

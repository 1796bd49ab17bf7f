/** Tables of SQL for load-time rules: rejected SQL is followed by its findings. */
import { expect } from 'chai'
import { it } from 'mocha'
import { PLACEHOLDERS } from '../../../src/definitions/definition.ts'
import { checkStatement, type SqlPolicy } from '../../../src/definitions/rules/check-sql.ts'

import { parseSql } from '../../harness/parse-sql.ts'

/** `2: message` for each. */
export async function faultsIn(text: string, policy: SqlPolicy = {}): Promise<string[]> {
  const sql = await parseSql({ text, placeholders: PLACEHOLDERS })
  return checkStatement(sql, policy).map(({ line, message }) => `${line}: ${message}`)
}

/** A test for each row: SQL, followed by indented lines with its findings, if any. */
export function expectFaults(
  rows: string,
  faultsOf: (sql: string) => Promise<string[]> = sql => faultsIn(sql),
): void {
  for (const row of rows.trim().split(/\n(?=\S)/)) {
    const lines = row.split('\n')
    const isFinding = (line: string) => /^ {2}\d+: /.test(line)
    const sql = lines.filter(line => !isFinding(line)).join('\n')
    const expected = lines.filter(isFinding).map(line => line.trim())
    it(`${expected.length === 0 ? 'accepts' : 'rejects'} ${sql}`, async () => {
      const found = await faultsOf(sql)
      expect(found.length, found.join('\n')).to.equal(expected.length)
      for (const [at, start] of expected.entries()) expect(found[at]).to.contain(start)
    })
  }
}

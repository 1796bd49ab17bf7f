/** Findings of load-time rules. */
import { PLACEHOLDERS } from '../../../src/definitions/definition.ts'
import { checkStatement, type SqlPolicy } from '../../../src/definitions/rules/check-sql.ts'
import { parseSql } from '../../harness/parse-sql.ts'

/** `2: message` for each. */
export async function faultsIn(text: string, policy: SqlPolicy = {}): Promise<string[]> {
  const sql = await parseSql({ text, placeholders: PLACEHOLDERS })
  return checkStatement(sql, policy).map(({ line, message }) => `${line}: ${message}`)
}

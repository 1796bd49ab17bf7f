/** Rows of other organizations that break whoever reads them. */
import { readFileSync } from 'node:fs'
import { escapeLiteral } from 'pg'

export const NO_INDEXES =
  'set local enable_indexscan = off; set local enable_indexonlyscan = off; set local enable_bitmapscan = off'

/**
 * SQL with which all columns without a key get values with which arithmetic, casts and patterns fail.
 * @param others by table the condition on its rows
 */
export function poisoned(others: Readonly<Record<string, string>>): string {
  const lines = Object.entries(others).map(line => `(${line.map(escapeLiteral).join(', ')})`)
  return readFileSync('test/isolation/poisoned.sql', 'utf8').replace('<others>', () =>
    lines.join(', '),
  )
}

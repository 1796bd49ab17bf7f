/** Rules for read-only statements: no writes, no locks, no sampling. */
import { onEachNode } from './sql-rule.ts'

const LOCKS: Readonly<Record<string, string>> = {
  LCS_FORUPDATE: 'for update',
  LCS_FORNOKEYUPDATE: 'for no key update',
  LCS_FORSHARE: 'for share',
  LCS_FORKEYSHARE: 'for key share',
}
const EXPECTED = 'expected a statement that only reads'

export const READ_ONLY_RULES = [
  onEachNode('CommonTableExpr', ({ ctequery }) => {
    const [, word] =
      /^(Insert|Update|Delete|Merge)Stmt$/.exec(Object.keys(ctequery ?? {}).join()) ?? []
    return word === undefined ? undefined : [`${word.toLowerCase()} writes, ${EXPECTED}`, ctequery]
  }),
  onEachNode('IntoClause', ({ rel }) => [`select ... into makes a table, ${EXPECTED}`, rel]),
  onEachNode('LockingClause', ({ strength = '' }, { text, tokens }) => {
    const clause = LOCKS[strength] ?? 'for'
    // why: the syntax tree has no location for this clause
    const code = tokens.filter(({ kind }) => kind !== 'comment')
    const words = code.map(({ start, end }) => text.slice(start, end).toLowerCase())
    const count = clause.split(' ').length
    const first = words.findIndex((_, at) => words.slice(at, at + count).join(' ') === clause)
    return [`${clause} locks rows, ${EXPECTED}`, code[first]?.start]
  }),
  onEachNode('RangeTableSample', ({ location }) => [
    'tablesample returns different rows each time, expected all rows',
    location,
  ]),
]

import type { SelectStmt } from 'libpg-query'
import { isNull, numberOf } from '../../sql/expressions.ts'
import { isOneRow } from '../statement.ts'
import type { Rule } from './rule.ts'

export const limit: Rule = {
  sentence: '`limit` around the whole statement drops rows silently.',
  bad: 'order by sales.day limit 10',
  good: 'order by sales.day',
  find: ({ query, report, statement }) => {
    const found = limitOf(query.node)
    if (found === undefined || report === undefined || query.selects.every(isOneRow)) return []
    const first = statement.written(found.node)
    const allowed = `, or for a list of the first ones "limit ${first} -- allow: limit because only the first ${first} are shown"`
    const message = `${found.word} on the whole statement drops rows silently, expected all of them: maxRows rejects too many${found.word === 'limit' ? allowed : ''}`
    return [{ line: statement.line(found.node), message }]
  },
}

/** `limit all` and `offset 0` do not limit. */
function limitOf({ limitCount, limitOffset }: SelectStmt) {
  if (limitCount !== undefined && !isNull(limitCount)) return { word: 'limit', node: limitCount }
  const isNone = limitOffset === undefined || isNull(limitOffset) || numberOf(limitOffset) === '0'
  return isNone ? undefined : { word: 'offset', node: limitOffset }
}

/** Where in the SQL a part of its plan comes from, as far as that can be told. Of definitions it knows the lexer alone. */
import { isWord, lex, significant } from '../../definitions/lexer.ts'
import type { Token } from '../../definitions/lexer.ts'
import type { ColumnReference } from './expressions.ts'
import { bodiesAround, matchSources } from './matching.ts'
import { inputs } from './plan.ts'
import type { Plan, PlanNode } from './plan.ts'
import { bodiesOf } from './sources.ts'

/** Lines from 1; undefined where several fit or none, for a wrong line would be worse. */
export interface Lines {
  /** Where what it scans stands in `from` or `join`; of another node that of what it joins, or of its CTE's name. */
  ofNode(node: PlanNode): number | undefined
  ofCall(call: NamedCall): number | undefined
}

export interface NamedCall {
  readonly name: string
  readonly columns: readonly ColumnReference[]
}

/** @param text of the whole file, so that lines are the file's */
export function linesOf(plan: Plan, text: string): Lines {
  const tokens = significant(lex(text))
  const around = bodiesAround(plan, bodiesOf(tokens))
  const matches = matchSources(plan, tokens)

  function ofNode(node: PlanNode): number | undefined {
    if (node.table !== undefined || node.cte !== undefined) return matches.get(node)?.line
    const [first, second] = inputs(node)
    // why: what it groups stands elsewhere than what it reads
    const isOfAll = node.type.endsWith('Append') || node.type === 'Aggregate'
    const from = isOfAll ? undefined : (second ?? first)
    const line = from === undefined ? undefined : ofNode(from)
    return line ?? around(node)[0]?.line
  }

  return { ofNode, ofCall: call => lineOfCall(tokens, call) }
}

function lineOfCall(tokens: readonly Token[], { name, columns }: NamedCall): number | undefined {
  const lines = tokens.flatMap((token, at) => {
    if (!isWord(token, name) || tokens[at + 1]?.text !== '(') return []
    const words = wordsOfCall(tokens, at)
    return columns.every(({ column }) => words.has(column)) ? [token.line] : []
  })
  return lines.length === 1 ? lines[0] : undefined
}

/** In its parentheses and in those of its filter. */
function wordsOfCall(tokens: readonly Token[], at: number): ReadonlySet<string> {
  const found = new Set<string>()
  let depth = 0
  for (let place = at + 1; place < tokens.length; place++) {
    const token = tokens[place]
    if (token?.text === '(') depth++
    else if (token?.text === ')') depth--
    else if (token) found.add(token.text)
    const filtered = isWord(token, 'filter') || isWord(tokens[place + 1], 'filter')
    if (depth === 0 && !filtered) break
  }
  return found
}

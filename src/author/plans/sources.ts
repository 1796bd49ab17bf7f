/** Where SQL names what it reads, and where the bodies of its CTEs and sub-selects lie. It is no parser. */
import { isWord } from '../../definitions/lexer.ts'
import type { Token } from '../../definitions/lexer.ts'

/** A name after `from` or `join`. */
export interface Source {
  readonly name: string
  readonly alias: string | undefined
  /** Place among the tokens. */
  readonly at: number
  readonly line: number
}

/** What stands in parentheses under a name: a CTE's `name as (...)`, a sub-select's `(...) as name`. */
export interface Body {
  readonly name: string
  /** Places of its parentheses among the tokens. */
  readonly from: number
  readonly to: number
  /** Of the name. */
  readonly line: number
}

const NO_ALIAS =
  /^(?:on|using|where|group|order|having|limit|offset|fetch|window|union|intersect|except|join|left|right|full|inner|cross|natural|tablesample|for)$/i

/** @param tokens without comments */
export function sourcesOf(tokens: readonly Token[]): Source[] {
  const starts = startsOf(tokens)
  return tokens.flatMap((token, at) => {
    const qualified = tokens[at - 1]?.text === '.' && starts.has(at - 3)
    if (!isName(token) || !(qualified || starts.has(at - 1))) return []
    // A function, or the schema of what follows.
    if (['(', '.'].includes(tokens[at + 1]?.text ?? '')) return []
    const next = isWord(tokens[at + 1], 'as') ? tokens[at + 2] : tokens[at + 1]
    const alias = isName(next) && !NO_ALIAS.test(next.text) ? nameOf(next) : undefined
    return [{ name: nameOf(token), alias, at, line: token.line }]
  })
}

/** Places of what stands before a source: `from`, `join`, `only`, and a comma in a list of `from`. */
function startsOf(tokens: readonly Token[]): ReadonlySet<number> {
  const starts = new Set<number>()
  let inFrom = false
  const outer: boolean[] = []
  tokens.forEach((token, at) => {
    if (token.text === '(') {
      outer.push(inFrom)
      inFrom = false
    } else if (token.text === ')') inFrom = outer.pop() ?? false
    else if (isWord(token, 'from')) inFrom = !isWord(tokens[at - 1], 'distinct')
    else if (isWord(token, ...AFTER_FROM)) inFrom = false
    const isComma = inFrom && token.text === ','
    if (isComma || isWord(token, 'join', 'only') || (inFrom && isWord(token, 'from')))
      starts.add(at)
  })
  return starts
}

const AFTER_FROM =
  'select where group having window order limit offset fetch union intersect except'.split(' ')

/** @param tokens without comments */
export function bodiesOf(tokens: readonly Token[]): Body[] {
  const open: number[] = []
  return tokens.flatMap((token, to) => {
    if (token.text === '(') open.push(to)
    if (token.text !== ')') return []
    const from = open.pop()
    if (from === undefined || !isWord(tokens[from + 1], 'select', 'with', 'values')) return []
    const name =
      cteName(tokens, from) ?? (isWord(tokens[to + 1], 'as') ? tokens[to + 2] : tokens[to + 1])
    if (!isName(name) || NO_ALIAS.test(name.text)) return []
    return [{ name: nameOf(name), from, to, line: name.line }]
  })
}

/** Before `as (`, `as materialized (` and `as not materialized (`. */
function cteName(tokens: readonly Token[], from: number): Token | undefined {
  let at = from - 1
  while (isWord(tokens[at], 'materialized', 'not')) at--
  return isWord(tokens[at], 'as') ? tokens[at - 1] : undefined
}

function isName(token: Token | undefined): token is Token {
  return token?.kind === 'word' || token?.kind === 'quoted'
}

function nameOf({ kind, text }: Token): string {
  return kind === 'quoted' ? text.slice(1, -1).replaceAll('""', '"') : text.toLowerCase()
}

/** EXPLAIN numbers a name that comes again: `operations_1`. */
export function isNamed(name: string, alias: string): boolean {
  if (alias === name) return true
  return alias.startsWith(`${name}_`) && /^\d+$/.test(alias.slice(name.length + 1))
}

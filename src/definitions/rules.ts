/** What SQL of a definition must be, as far as its tokens tell. Every rule runs; all findings are kept. */
import { readBrackets } from './brackets.ts'
import type { Finding, Rule } from './findings.ts'
import { isWord, type Token } from './lexer.ts'
import { betweenPeriod, floatCast } from './rules-numbers.ts'
import { clockString, lock, refusedCall, sample, write } from './rules-reading.ts'
import { suggest } from './spelling.ts'

export interface StatementRules {
  /** The names that may be bound. */
  readonly placeholders: readonly string[]
  /** The name without which the statement would answer for everybody. */
  readonly required: string | undefined
  /** Whether the order of the rows is part of the answer. */
  readonly ordered: boolean
  /** Whether it may read the server's clock: the key look-up may, whose answers are never kept. */
  readonly clock: boolean
}

/** Findings in one whole statement, given without comments. */
export function checkStatement(tokens: readonly Token[], rules: StatementRules): Finding[] {
  const [first] = tokens
  if (first === undefined) return [{ line: 1, message: 'no SQL, expected one select' }]
  const findings = checkTokens(tokens, rules)
  const find = (token: Token, message: string) => findings.push({ line: token.line, message })
  if (!isWord(first, 'select', 'with') && first.text !== '(') {
    find(first, `begins with ${first.text.slice(0, 40)}, expected select or with`)
  }
  const end = tokens.findIndex(token => token.text === ';')
  const second = end === -1 ? undefined : tokens[end + 1]
  if (second !== undefined) find(second, 'a second statement, expected one in a file')
  const { required } = rules
  if (required !== undefined && !tokens.some(token => token.text === `:${required}`)) {
    find(first, `no :${required}, expected a condition on it`)
  }
  // why: behind a bracket or a quote that does not close, the rest is not what it seems
  const isClosed =
    tokens.every(({ kind }) => kind !== 'unclosed') && unbalanced(tokens).length === 0
  if (rules.ordered && isClosed && !isOrdered(tokens)) {
    find(first, 'no order by around the whole, expected one that ends in a unique key')
  }
  return findings
}

/** Findings in an expression, such as a total, given without comments. */
export function checkTokens(
  tokens: readonly Token[],
  { placeholders, clock }: Pick<StatementRules, 'placeholders' | 'clock'>,
): Finding[] {
  const rules = [...RULES, knownPlaceholders(placeholders), refusedCall(clock)]
  if (!clock) rules.push(clockString)
  const brackets = readBrackets(tokens)
  const findings = tokens.flatMap((token, at) =>
    rules.flatMap(rule => {
      const message = rule(token, at, tokens, brackets)
      return message === undefined ? [] : [{ line: token.line, message }]
    }),
  )
  const isCut = tokens.some(({ kind }) => kind === 'unclosed')
  return isCut ? findings : [...findings, ...unbalanced(tokens)]
}

function knownPlaceholders(placeholders: readonly string[]): Rule {
  const written = placeholders.map(name => `:${name}`)
  return (token, at, tokens) => {
    if (token.kind === 'placeholder' && !written.includes(token.text)) {
      return `unknown placeholder ${token.text}, ${suggest(token.text, written)}`
    }
    const next = tokens[at + 1]
    const isSlice = token.text === ':' && next?.start === token.end
    if (!isSlice || !written.includes(`:${next.text}`)) return undefined
    return `":" here is a slice of an array, expected the placeholder in parentheses: (:${next.text})`
  }
}

function unbalanced(tokens: readonly Token[]): Finding[] {
  const open: Token[] = []
  for (const token of tokens) {
    if (token.kind !== 'operator') continue
    if (token.text === '(' || token.text === '[') open.push(token)
    else if (token.text === ')' || token.text === ']') {
      const opening = open.pop()
      if (opening?.text !== (token.text === ')' ? '(' : '[')) {
        return [
          { line: token.line, message: `"${token.text}" closes nothing, expected its opening` },
        ]
      }
    }
  }
  return open.map(({ line, text }) => ({
    line,
    message: `"${text}" is never closed, expected its end`,
  }))
}

const unclosed: Rule = token => {
  if (token.kind !== 'unclosed') return undefined
  return `${token.text.slice(0, 12).split('\n')[0]} ... is never closed, expected its end`
}

const parameter: Rule = token => {
  if (token.kind !== 'parameter') return undefined
  return `parameter ${token.text}, expected a placeholder by name, such as :organization_id`
}

/** A colon outside of brackets, where no slice can be. */
const strayColon: Rule = (token, at, _tokens, brackets) => {
  if (token.text !== ':' || brackets.isInSquare(at)) return undefined
  return 'a ":" that begins no placeholder, expected a blank before it and a name right behind it'
}

/** An `order by` outside of all parentheses. */
function isOrdered(tokens: readonly Token[]): boolean {
  let depth = 0
  return tokens.some((token, at) => {
    if (token.text === '(') depth++
    else if (token.text === ')') depth--
    return depth === 0 && isWord(token, 'order') && isWord(tokens[at + 1], 'by')
  })
}

const RULES: readonly Rule[] = [
  unclosed,
  parameter,
  strayColon,
  write,
  lock,
  sample,
  floatCast,
  betweenPeriod,
]

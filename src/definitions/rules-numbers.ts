/** Rules against SQL that runs and gives wrong numbers. */
import type { Rule } from './findings.ts'
import { isWord, type Token } from './lexer.ts'
import { FLOAT_TYPES } from './refused.ts'

export const floatCast: Rule = (token, at, tokens, brackets) => {
  if (!isWord(token, ...FLOAT_TYPES)) return undefined
  if (isWord(token, 'double') && !isWord(tokens[at + 1], 'precision')) return undefined
  const before = tokens[at - 1]
  const isInCast = isWord(tokens[brackets.parenthesisAround(at) - 1], 'cast')
  if (before?.text !== '::' && !(isWord(before, 'as') && isInCast)) return undefined
  const name = isWord(token, 'double') ? 'double precision' : token.text.toLowerCase()
  return `a cast to ${name} loses kopecks, expected numeric or bigint`
}

export const betweenPeriod: Rule = (token, at, tokens) => {
  if (!isWord(token, 'between')) return undefined
  const operands = [...operand(tokens, at, -1), ...operand(tokens, at, 1)]
  if (!operands.some(({ kind, text }) => kind === 'placeholder' && text.startsWith(':period_'))) {
    return undefined
  }
  return 'between takes in the day after the period, expected >= :period_start and < :period_end'
}

const ENDS = [
  'between',
  'where',
  'on',
  'when',
  'or',
  'group',
  'order',
  'having',
  'union',
  'limit',
  'window',
  'then',
  'select',
]

// why: operands nest and each is read by itself; without a bound the whole would be quadratic
const MAX_OPERAND_TOKENS = 500

/** The tokens beside `between` that it compares: one operand before it, two behind it. */
function operand(tokens: readonly Token[], at: number, step: 1 | -1): Token[] {
  const found: Token[] = []
  const [opening, closing] = step === 1 ? ['(', ')'] : [')', '(']
  let depth = 0
  let ands = step === 1 ? 1 : 0
  for (let token = tokens[(at += step)]; token !== undefined; token = tokens[(at += step)]) {
    if (token.text === opening) depth++
    else if (token.text === closing && depth-- === 0) break
    if (depth === 0 && (token.text === ',' || token.text === ';' || isWord(token, ...ENDS))) break
    if (depth === 0 && isWord(token, 'and') && ands-- === 0) break
    found.push(token)
    if (found.length === MAX_OPERAND_TOKENS) break
  }
  return found
}

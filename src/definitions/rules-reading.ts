/** Rules that keep a statement to reading: no writes, no locks, no clock but the injected one. */
import type { Rule } from './findings.ts'
import { isWord, type Token } from './lexer.ts'
import {
  CLOCK_STRINGS,
  CLOCK_WORDS,
  OF_SERVER,
  refusalOf,
  SESSION_WORDS,
  TIME_TYPES,
} from './refused.ts'

export const write: Rule = (token, at, tokens) => {
  const next = tokens[at + 1]
  const before = tokens[at - 1]
  const writes =
    (isWord(token, 'insert', 'merge') && isWord(next, 'into')) ||
    (isWord(token, 'delete') && isWord(next, 'from')) ||
    (isWord(token, 'update') &&
      (before === undefined ||
        (before.text === '(' && isWord(tokens[at - 2], 'as', 'materialized'))))
  if (writes) return `${token.text.toLowerCase()} writes, expected a statement that only reads`
  if (isWord(token, 'into') && !isWord(before, 'insert', 'merge')) {
    return 'select ... into makes a table, expected a statement that only reads'
  }
  return undefined
}

export const lock: Rule = (token, at, tokens) => {
  if (!isWord(token, 'for')) return undefined
  const next = tokens.slice(at + 1, at + 4).map(token => token.text.toLowerCase())
  const clause = /^(update|share|no key update|key share)\b/.exec(next.join(' '))?.[1]
  if (clause === undefined) return undefined
  return `for ${clause} locks rows, expected a statement that only reads`
}

export const sample: Rule = token => {
  if (!isWord(token, 'tablesample')) return undefined
  return 'tablesample gives other rows every time, expected all rows'
}

/** @param clock whether the server's clock may be read */
export const refusedCall =
  (clock: boolean): Rule =>
  (token, at, tokens, brackets) => {
    const name = nameOf(token)
    if (name === undefined) return undefined
    const before = tokens[at - 1]
    const foreign = before?.text === '.' && nameOf(tokens[at - 2]) !== 'pg_catalog'
    if (foreign) return undefined
    if (!clock && token.kind === 'word' && CLOCK_WORDS.includes(name)) {
      return `${name} reads the clock, expected :today, :as_of or :now`
    }
    // why: what is called so by `as` is a column like others
    if (token.kind === 'word' && SESSION_WORDS.includes(name) && !isWord(before, 'as')) {
      return `${name} ${OF_SERVER}`
    }
    if (tokens[at + 1]?.text !== '(') return undefined
    const refusal = refusalOf(name)
    if (refusal !== undefined && !(clock && refusal.clock === true)) {
      return `${name}() ${refusal.reason}`
    }
    if (!clock && name === 'age' && brackets.argumentCount(at + 1) === 1) {
      return 'age() of one argument reads the clock, expected age(:today, ...)'
    }
    return undefined
  }

/** The name that a word or a quoted identifier stands for. */
function nameOf(token: Token | undefined): string | undefined {
  if (token?.kind === 'word') return token.text.toLowerCase()
  return token?.kind === 'quoted' ? token.text.slice(1, -1) : undefined
}

export const clockString: Rule = (token, at, tokens) => {
  if (token.kind !== 'string' || !CLOCK_STRINGS.includes(token.text.slice(1, -1).toLowerCase())) {
    return undefined
  }
  const cast = tokens[at + 1]?.text === '::' && isWord(tokens[at + 2], ...TIME_TYPES)
  if (!cast && !isWord(tokens[at - 1], ...TIME_TYPES)) return undefined
  return `${token.text} as a date reads the clock, expected :today, :as_of or :now`
}

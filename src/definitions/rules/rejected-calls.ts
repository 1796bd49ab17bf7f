/** Rules that reject functions by name, in any spelling. */
import type { Node } from 'libpg-query'
import {
  CLOCK_STRINGS,
  CLOCK_WORDS,
  OF_SERVER,
  rejectionOf,
  SESSION_WORDS,
  TIME_TYPES,
} from '../rejected-functions.ts'
import { as, namesOf } from '../sql/syntax-tree.ts'
import { nameOfPostgres, onEachCast, onEachNode } from './sql-rule.ts'

/** The name of a function that is called without parentheses, such as `current_date`. */
function nameOfWord(op = ''): string {
  return op.replace(/^SVFOP_(.*?)(?:_N)?$/, '$1').toLowerCase()
}

const EXPECTED = 'reads the clock, expected :today, :as_of or :now'

export const CALL_RULES = [
  onEachNode('FuncCall', ({ funcname, location }) => {
    const name = nameOfPostgres(funcname)
    if (SESSION_WORDS.includes(name)) return [`${name} ${OF_SERVER}`, location]
    const { reason, clock = false } = rejectionOf(name) ?? {}
    return reason === undefined || clock ? undefined : [`${name}() ${reason}`, location]
  }),
  // why: PostgreSQL reads `(x).f` as `f(x)` if there is no such column
  onEachNode('A_Indirection', ({ indirection }) => {
    for (const name of namesOf(indirection)) {
      const { reason } = rejectionOf(name) ?? {}
      if (reason !== undefined) return [`(...).${name} is ${name}(...), which ${reason}`]
    }
    return undefined
  }),
  onEachNode('SQLValueFunction', ({ op, location }) => {
    const name = nameOfWord(op)
    return CLOCK_WORDS.includes(name) ? undefined : [`${name} ${OF_SERVER}`, location]
  }),
]

/** Not applied to the key look-up, because its result is not cached. */
export const CLOCK_RULES = [
  onEachNode('FuncCall', ({ funcname, args = [], location }) => {
    const name = nameOfPostgres(funcname)
    if (rejectionOf(name)?.clock) return [`${name}() ${EXPECTED}`, location]
    if (name !== 'age' || args.length !== 1) return undefined
    return ['age() of one argument reads the clock, expected age(:today, ...)', location]
  }),
  onEachNode('SQLValueFunction', ({ op, location }) => {
    const name = nameOfWord(op)
    return CLOCK_WORDS.includes(name) ? [`${name} ${EXPECTED}`, location] : undefined
  }),
  // why: `'today'::date`, `timestamp 'now'`: the type's input reads the clock
  onEachCast(({ type, arg }) => {
    if (!TIME_TYPES.includes(type)) return undefined
    const text = stringsIn(arg).find(readsClock)
    return text === undefined ? undefined : [`'${text}' as a date ${EXPECTED}`, arg]
  }),
]

/** A constant, or those of an array. */
function stringsIn(node: Node | undefined): string[] {
  const elements = as(node, 'A_ArrayExpr')?.elements ?? []
  return [as(node, 'A_Const')?.sval?.sval ?? [], elements.flatMap(stringsIn)].flat()
}

/** Whether a type's input function reads the clock for this text. */
function readsClock(text: string): boolean {
  const words = text.toLowerCase().split(/[\s{},"]+/)
  return words.some(word => CLOCK_STRINGS.includes(word))
}

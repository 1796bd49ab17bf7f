/** Turns an error of an execution into a finding in the definition's file, with its line. Knows the errors of pg. */
import type { Definition } from '../../definitions/definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import { DEFAULTS } from '../../definitions/schemas.ts'
import { lineOfName, lineOfPosition } from '../../definitions/source-lines.ts'
import { Problem, type ProblemCode } from '../../model/errors.ts'
import { classifyError } from './classify-error.ts'

/** Problems that the definition does not cause. */
const UNRELATED_PROBLEMS: ReadonlySet<ProblemCode> = new Set(['replica_unavailable', 'overloaded'])

/** Whether the definition is at fault, not the database or the network. */
export function isFaultOfDefinition(error: unknown): boolean {
  return !(error instanceof Problem && UNRELATED_PROBLEMS.has(error.code))
}

/**
 * @param error a Problem, or what pg or a check of the result threw
 * @param idType the id type of the statement's text
 */
export function faultOf(error: unknown, definition: Definition, idType: string): FileFinding {
  const cause = error instanceof Problem ? (error.cause ?? error) : error
  const found = (line: number | undefined, message: string): FileFinding => ({
    file: definition.file,
    line,
    message,
  })
  const { lineOf, matter } = definition.source
  if (classifyError(error).code === 'report_timeout') {
    const { timeout = `${definition.timeoutMs / 1000}s` } = matter as { timeout?: string }
    return found(lineOf(['timeout']), `timed out, expected a result within ${timeout}`)
  }
  if (cause instanceof Problem && cause.code === 'result_too_large') {
    const { maxRows = DEFAULTS.maxRows } = matter as { maxRows?: number }
    return found(lineOf(['maxRows']), `found more rows, expected at most maxRows, ${maxRows}`)
  }
  const { position, code = '' } = cause as { position?: string; code?: string }
  // why: SQLSTATE class 42 rejects the statement itself, not its execution
  const isPlan = position !== undefined || code.startsWith('42')
  const message = refusedWords(cause, isPlan ? CAN_BE_PLANNED : 'a result for every organization')
  if (position !== undefined) {
    return found(lineOfPosition(definition, idType, Number(position)), message)
  }
  const [, quoted, before] = /column "(\w+)"|^(\w+): /.exec(message) ?? []
  const name = quoted ?? before
  return found(name === undefined ? undefined : lineOfName(definition, name), message)
}

/** The expectation for a statement that PostgreSQL rejects. */
export const CAN_BE_PLANNED = 'what the database can plan'

/** `column "x" does not exist, expected what the database can plan. Perhaps you meant ...` */
export function refusedWords(error: unknown, expected: string): string {
  const { message, detail, hint } = error as Partial<Record<'message' | 'detail' | 'hint', unknown>>
  const words = typeof message === 'string' && message !== '' ? message : wordsOf(error)
  const advice = [detail, hint].filter(text => typeof text === 'string' && text !== '')
  const found = words.includes(', expected ') ? words : `${words}, expected ${expected}`
  return [found, ...advice].join('. ')
}

/** PostgreSQL's message with its detail and hint. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, detail, hint, code } = error as Error &
    Partial<Record<'detail' | 'hint' | 'code', string>>
  const words = message === '' ? (code ?? error.name) : message
  return [words, detail, hint].filter(text => text !== undefined && text !== '').join('; ')
}

/** @throws the error with the database's name as `replica`: errors of pg have an address at most */
export async function named<T>(name: string, result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { replica: name }) : error
  }
}

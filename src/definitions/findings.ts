/** What is wrong with definitions: collected, never thrown one by one. */
import type { Brackets } from './brackets.ts'
import type { Token } from './lexer.ts'

/** One thing that is wrong at a line of one file: what was found, what was expected. */
export interface Finding {
  readonly line: number
  readonly message: string
}

/** What is wrong with one file, or with a line of it. */
export interface FileFinding {
  /** As messages name it: `sql/reports/finance/x.sql`. */
  readonly file: string
  /** Undefined where the file itself is what is wrong. */
  readonly line: number | undefined
  readonly message: string
}

/** What becomes of a file: a value where there are no findings. */
export interface Parsed<T> {
  readonly findings: readonly Finding[]
  readonly value?: T
}

/** What is wrong with the token at a place among tokens without comments, or undefined. */
export type Rule = (
  token: Token,
  at: number,
  tokens: readonly Token[],
  brackets: Brackets,
) => string | undefined

/** All that is wrong with all files. */
export class DefinitionErrors extends Error {
  override readonly name = 'DefinitionErrors'
  readonly findings: readonly FileFinding[]

  constructor(findings: readonly FileFinding[]) {
    const count = findings.length === 1 ? '1 problem' : `${findings.length} problems`
    super(`${count} in the definitions:\n${findings.map(describeFinding).join('\n')}`)
    this.findings = findings
  }
}

/** `sql/reports/finance/x.sql:12: what, expected what`. */
export function describeFinding({ file, line, message }: FileFinding): string {
  return `${file}${line === undefined ? '' : `:${line}`}: ${message}`
}

/** Findings of one file, in the order of the file, none twice. */
export function findingsOf(file: string, findings: readonly Finding[]): FileFinding[] {
  const sorted = findings.toSorted((a, b) => a.line - b.line)
  const unique = new Map(
    sorted.map(({ line, message }) => [`${line}: ${message}`, { line, message }]),
  )
  return [...unique.values()].map(({ line, message }) => ({ file, line, message }))
}

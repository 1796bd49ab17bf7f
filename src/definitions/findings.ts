/** What is wrong with definitions: collected, never thrown one by one. */
import type { Token } from './lexer.ts'

/** One thing that is wrong at a line of one file: what was found, what was expected. */
export interface Finding {
  readonly line: number
  readonly message: string
}

/** What becomes of a file: a value where there are no findings. */
export interface Parsed<T> {
  readonly findings: readonly Finding[]
  readonly value?: T
}

/** What is wrong with the token at a place among tokens without comments, or undefined. */
export type Rule = (token: Token, at: number, tokens: readonly Token[]) => string | undefined

/** All that is wrong with all files, each as `sql/reports/finance/x.sql:12: what, expected what`. */
export class DefinitionErrors extends Error {
  override readonly name = 'DefinitionErrors'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
    super(`${count} in the definitions:\n${problems.join('\n')}`)
    this.problems = problems
  }
}

/** Findings of one file as lines of text, in the order of the file, none twice. */
export function describeFindings(file: string, findings: readonly Finding[]): string[] {
  const sorted = findings.toSorted((a, b) => a.line - b.line)
  return [...new Set(sorted.map(({ line, message }) => `${file}:${line}: ${message}`))]
}

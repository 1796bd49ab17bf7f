/** Errors in definitions: collected and reported together. */

/** An error at a line of a file: what was found, what was expected. */
export interface Finding {
  readonly line: number
  readonly message: string
}

/** An error in a file. */
export interface FileFinding {
  /** As messages name it: `sql/reports/finance/x.sql`. */
  readonly file: string
  /** Undefined if the error concerns the whole file. */
  readonly line: number | undefined
  readonly message: string
}

/** The result of parsing a file: it has a value if there are no findings. */
export interface Parsed<T> {
  readonly findings: readonly Finding[]
  readonly value?: T
}

/** All findings of all files. */
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

/** As a log line shows it. */
export function errorOf(finding: FileFinding): Error {
  return new Error(describeFinding(finding))
}

/** Of one file; more are not shown. */
export const MAX_FINDINGS = 100

/** Findings of one file, by line, without duplicates. */
export function findingsOf<Found extends Finding>(
  file: string,
  findings: readonly Found[],
): Array<Found & FileFinding> {
  const unique = new Map(
    findings.map(finding => [`${finding.line}: ${finding.message}`, { ...finding, file }]),
  )
  const sorted = [...unique.values()].toSorted((a, b) => a.line - b.line)
  const [next] = sorted.splice(MAX_FINDINGS)
  const message = `more findings, of which the first ${MAX_FINDINGS} are shown`
  return next === undefined ? sorted : [...sorted, { ...next, message }]
}

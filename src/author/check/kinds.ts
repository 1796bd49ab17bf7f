/** What findings of `svodka check` have besides their place: an id, and a level. */
import type { FileFinding, Finding } from '../../definitions/findings.ts'

/**
 * error: the figure is wrong or the execution fails; warning: probably wrong; note: a thing to know. Only what no author
 * can mean is an error.
 */
export type Level = 'error' | 'warning' | 'note'

/** One kind of findings, as `check --rules` and sql/README.md print it. */
export interface Kind {
  /** As in `-- allow: null-comparison because ...`. */
  readonly id: string
  readonly level: Level
  /** What is wrong with it, as one sentence. */
  readonly sentence: string
  /** A line with the fault: a condition (`and ...`), a column (`, ...`), a key of front matter or a statement. */
  readonly bad: string
  /** The same line without it. */
  readonly good: string
}

export interface CheckFinding extends FileFinding, Pick<Kind, 'id' | 'level'> {}

/** A finding in the file that is checked. */
export type KindFinding = Finding & Pick<Kind, 'id' | 'level'>

/** Adds what is wrong with a result. @param id of the kind */
export type AddFault = (id: string, line: number, found: string, expected: string) => void

/** `sql/reports/finance/x.sql:12: error: what, expected what [null-comparison]`, which editors read. */
export function describeCheckFinding({ file, line, level, message, id }: CheckFinding): string {
  return `${file}${line === undefined ? '' : `:${line}`}: ${level}: ${message} [${id}]`
}

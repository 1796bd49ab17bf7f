/** What every kind of definition takes from its file. */
import { createHash } from 'node:crypto'
import type { Seconds } from '../model/terms.ts'
import { budgetOf } from './budget.ts'
import type { Definition, DefinitionSource, Statement } from './definition.ts'
import { durationMs } from './durations.ts'
import type { Finding } from './findings.ts'
import type { MatterPath } from './front-matter.ts'
import type { Token } from './lexer.ts'
import { DEFAULTS, MAX_TIMEOUT, MIN_MAX_LAG, type CommonMatter } from './schemas.ts'

export interface SourceFile {
  /** As messages name it: `sql/reports/finance/profit_loss.sql`. */
  readonly file: string
  /** The file's name without `.sql`. */
  readonly code: string
  readonly text: string
  readonly version: string
}

/** 64 bits of SHA-256: two versions of one file never meet by chance. */
export function versionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

/** The one statement of a file, from its first token to its last, without a final semicolon. */
export function statementSql(text: string, tokens: readonly Token[]): string {
  const last = tokens.at(-1)?.text === ';' ? tokens.at(-2) : tokens.at(-1)
  return text.slice(tokens[0]?.start, last?.end)
}

export function commonOf(
  { file, version }: SourceFile,
  matter: CommonMatter,
): Pick<
  Definition,
  'file' | 'version' | 'freshSeconds' | 'staleSeconds' | 'maxLagMs' | 'timeoutMs' | 'budget'
> {
  return {
    file,
    version,
    freshSeconds: {
      open: secondsOf(matter.fresh?.open ?? DEFAULTS.fresh.open),
      closed: secondsOf(matter.fresh?.closed ?? DEFAULTS.fresh.closed),
    },
    staleSeconds: secondsOf(matter.stale ?? DEFAULTS.stale),
    maxLagMs: matter.maxLag === undefined ? undefined : durationMs(matter.maxLag),
    timeoutMs: durationMs(matter.timeout ?? DEFAULTS.timeout),
    budget: matter.budget === undefined ? undefined : budgetOf(matter.budget),
  }
}

/** @param tokens of the statement, without comments */
export function writtenAs<Matter>(
  { text }: SourceFile,
  matter: Matter,
  lineOf: (path: MatterPath) => number,
  statement: Statement,
  [first]: readonly Token[],
  bringsTotals: boolean,
): DefinitionSource<Matter> {
  const { start = 0, line: firstLine = 1 } = first ?? {}
  return { text, matter, lineOf, statement, start, firstLine, bringsTotals }
}

function secondsOf(duration: string): Seconds {
  return durationMs(duration) / 1000
}

export function checkCommon(matter: CommonMatter, lineOf: (path: MatterPath) => number): Finding[] {
  const { timeout = DEFAULTS.timeout, maxLag = MIN_MAX_LAG } = matter
  const findings: Finding[] = []
  const timeoutMs = durationMs(timeout)
  if (timeoutMs <= 0 || timeoutMs > durationMs(MAX_TIMEOUT)) {
    const message = `timeout: found ${timeout}, expected more than 0 and at most ${MAX_TIMEOUT}`
    findings.push({ line: lineOf(['timeout']), message })
  }
  if (durationMs(maxLag) < durationMs(MIN_MAX_LAG)) {
    const message = `maxLag: found ${maxLag}, expected at least ${MIN_MAX_LAG}`
    findings.push({ line: lineOf(['maxLag']), message })
  }
  return findings
}

/** Names that are columns of SQL and keys of an answer. */
export const NAME = /^[a-z_][a-z0-9_]{0,62}$/
export const NAME_EXPECTED = 'expected a-z, 0-9 and _, at most 63, no digit first'

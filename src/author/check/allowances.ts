/** Allowances of findings: `-- allow: star because ...` on the line, `# allow: ...` in front matter for the file. */
import { nearest } from '../../model/spelling.ts'
import { lineAt } from '../../definitions/sql/text-positions.ts'
import { findingsOfKind } from './evidence.ts'
import type { CheckFinding, Kind } from './kinds.ts'
import type { Draft } from './rules/draft.ts'

interface Allowance {
  readonly id: string
  readonly reason: string | undefined
  readonly line: number
  /** Whether it is for this line. */
  readonly covers: (line: number | undefined) => boolean
}

/**
 * @param findings of the draft
 * @param kinds all that can be allowed
 * @param isExpected whether findings of the id would be among these, so that without one the allowance has no effect
 * @returns the findings that are not allowed, and those on allowances
 */
export function withoutAllowed(
  draft: Draft,
  findings: readonly CheckFinding[],
  kinds: readonly Kind[],
  isExpected: (id: string) => boolean,
): CheckFinding[] {
  const allowances = allowancesIn(draft)
  const used = new Set<Allowance>()
  const remaining = findings.filter(({ id, line }) => {
    const found = allowances.filter(one => one.id === id && one.covers(line))
    for (const one of found) used.add(one)
    return !found.some(({ reason }) => reason !== undefined)
  })
  const ids = kinds.map(({ id }) => id)
  const faults = allowances.flatMap(one => {
    const { id, reason, line } = one
    const fault = !ids.includes(id)
      ? `"${id}" is no id that can be allowed, ${likely(id, ids)}`
      : reason === undefined
        ? `no reason, expected "allow: ${id} because ..."`
        : !used.has(one) && isExpected(id)
          ? `there is no finding ${id} here, expected no such comment`
          : undefined
    return fault === undefined ? [] : [{ file: draft.file, line, message: `allow: ${fault}` }]
  })
  return [...remaining, ...findingsOfKind('allowance', faults)]
}

function likely(id: string, ids: readonly string[]): string {
  const found = nearest(id, ids)
  return found === undefined ? 'expected one that check --rules prints' : `did you mean "${found}"?`
}

function allowancesIn({ text, statement: { sql } }: Draft): Allowance[] {
  const end = text.indexOf('---*/')
  const head = text.slice(0, Math.max(0, end)).split('\n')
  const ofFile = head.flatMap((content, at) => {
    const allowed = allowedBy(/(?:^|\s)#(.*)$/.exec(content)?.[1])
    return allowed === undefined ? [] : [{ ...allowed, line: at + 1, covers: () => true }]
  })
  const ofLines = sql.tokens.flatMap(token => {
    const comment = token.kind === 'comment' ? text.slice(token.start, token.end) : ''
    const allowed = allowedBy(/^--(.*)/.exec(comment)?.[1])
    if (allowed === undefined) return []
    const line = lineAt(text, token.start)
    const before = text.slice(text.lastIndexOf('\n', token.start) + 1, token.start)
    // why: a comment on a line of its own is for the next one
    const covered = before.trim() === '' ? line + 1 : line
    return [{ ...allowed, line, covers: (of: number | undefined) => of === covered }]
  })
  return [...ofFile, ...ofLines]
}

function allowedBy(comment = ''): Pick<Allowance, 'id' | 'reason'> | undefined {
  const [, id, reason] = /^\s*allow:\s*(\S*)(?:\s+because\s+(\S.*))?/.exec(comment) ?? []
  return id === undefined ? undefined : { id, reason }
}

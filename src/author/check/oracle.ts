/** Compares a definition with its oracle, cell by cell, over organizations and periods. */
import { basename } from 'node:path'
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { classifyError } from '../../serve/database/classify-error.ts'
import { makeReportRequest } from '../../serve/report/report-request.ts'
import { faultOf } from '../../serve/start/fault.ts'
import { readTable, type ResultTable } from '../versions/result-table.ts'
import { tableDifferences } from '../versions/table-differences.ts'
import type { Oracle } from '../versions/other-version.ts'
import { OF_EXECUTION } from './evidence.ts'
import { findingsOfKind, type CheckFinding } from './kinds.ts'
import type { CheckedOrganization, Question } from './questions.ts'
import { isBug } from './session.ts'
import type { Subject } from './subject.ts'

/** Naive SQL may be slow for a large organization. */
const MAX_MS: Milliseconds = 2000

interface Compared {
  /** The first, of the definition or of the oracle. */
  readonly findings: readonly CheckFinding[]
  readonly unproved: readonly string[]
}

export async function checkOracle(
  { definition: oracle, file }: Oracle,
  { definition, session, idType }: Subject,
  questions: readonly Question[],
): Promise<Compared> {
  const name = basename(file)
  const unproved: string[] = []
  const slow = new Set<CheckedOrganization>()
  const end = (...findings: FileFinding[]): Compared => {
    return { findings: findingsOfKind(OF_EXECUTION.oracle, findings), unproved }
  }
  if (oracle === undefined) return end()
  const tableOf = (
    { organization, bindings }: Question,
    version: AnyDefinition,
    maxMs?: number,
  ) => {
    const nowMs = Date.parse(bindings.now)
    const request = makeReportRequest(organization, version, bindings.period, nowMs)
    return readTable(request, session, maxMs)
  }
  for (const question of questions) {
    const { label, organization } = question
    if (slow.has(organization)) continue
    let expected: ResultTable | undefined
    try {
      expected = await tableOf(question, oracle, MAX_MS)
      const [difference] = tableDifferences(expected, await tableOf(question, definition))
      if (difference === undefined) continue
      const message = `differs from ${name} (${label}): ${difference}`
      return end({ file: definition.file, line: definition.source.firstLine, message })
    } catch (error) {
      const { code, cause } = classifyError(error)
      if (code === 'replica_unavailable' || isBug(cause)) throw error
      // why: other findings report an error of the definition
      if (expected !== undefined) return end()
      if (code !== 'report_timeout') return end(faultOf(error, oracle, idType))
      slow.add(organization)
      unproved.push(`what ${name} says (no result within ${MAX_MS / 1000} s for ${label})`)
    }
  }
  return end()
}

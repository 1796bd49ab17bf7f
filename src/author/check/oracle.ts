/** Compares a definition with its oracle, cell by cell, over organizations and periods. */
import { basename } from 'node:path'
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { faultOf } from '../../serve/start/fault.ts'
import { tableOf } from '../versions/result-table.ts'
import { tableDifferences } from '../versions/table-differences.ts'
import type { ReplicaFindings } from './check.ts'
import { findingsOfKind } from './evidence.ts'
import type { CheckedOrganization, Question } from './questions.ts'
import { isRefusal, orRefusal, QUERY_CANCELED, type QueryResult } from './session.ts'
import type { Subject } from './subject.ts'

/** Naive SQL may be slow for a large organization. */
const MAX_MS: Milliseconds = 2000

/** @param executed the results of the definition @returns the first finding, of the definition or of the oracle */
export async function checkOracle(
  { definition, draft, session, idType }: Subject,
  executed: ReadonlyMap<Question, QueryResult>,
): Promise<Pick<ReplicaFindings, 'findings' | 'unproved'>> {
  const { definition: oracle, file = '' } = draft.oracle ?? {}
  const name = basename(file)
  const unproved: string[] = []
  const slow = new Set<CheckedOrganization>()
  const end = (...findings: FileFinding[]) => {
    return { findings: findingsOfKind('oracle', findings), unproved }
  }
  if (oracle === undefined) return end()
  const { statement } = oracle
  for (const [{ label, organization, bindings }, found] of executed) {
    if (slow.has(organization)) continue
    const query = { text: statement.text(idType), values: statement.values(bindings) }
    const expected = await orRefusal(session.query({ ...query, timeoutMs: MAX_MS }))
    if (isRefusal(expected)) {
      if (expected.code !== QUERY_CANCELED) return end(faultOf(expected, oracle, idType))
      slow.add(organization)
      unproved.push(`what ${name} says (no result within ${MAX_MS / 1000} s for ${label})`)
      continue
    }
    const tableIn = (version: AnyDefinition, result: QueryResult) =>
      tableOf(version, organization, bindings, result)
    const tables = [tableIn(oracle, expected), tableIn(definition, found)] as const
    const [difference] = tableDifferences(...tables, true)
    if (difference === undefined) continue
    const message = `differs from ${name} (${label}): ${difference.text}`
    return end({ file: definition.file, line: definition.source.firstLine, message })
  }
  return end()
}

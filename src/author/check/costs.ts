/** Checks the cost of an execution, as its plan shows it, against the definition's budget. */
import { escapeIdentifier } from 'pg'
import type { Finding } from '../../definitions/findings.ts'
import { count, mebibytes } from '../plans/figures.ts'
import { BLOCK_BYTES, buffersPerThousandRows, FEWEST_ROWS } from '../plans/plan.ts'
import type { Plan, PlanNode } from '../plans/plan.ts'
import type { Question } from './questions.ts'
import { unlessRefused } from './session.ts'
import { queryOf, type Subject } from './subject.ts'

/** Uses the execution that scanned most rows: an empty result says little about the cost. */
export async function checkBudget(
  subject: Subject,
  questions: readonly Question[],
): Promise<Finding[]> {
  const { definition, session } = subject
  const { budget, source } = definition
  if (budget === undefined) return []
  let most: { plan: Plan; label: string } | undefined
  for (const question of questions) {
    const plan = await unlessRefused(session.explain(queryOf(subject, question)))
    if (plan && plan.baseRows > (most?.plan.baseRows ?? -1)) most = { plan, label: question.label }
  }
  if (most === undefined) return []
  const { plan, label } = most
  const { buffersPerThousandRows: mostBuffers, seqScanMaxBytes, spillMaxBytes } = budget
  const scans = plan.nodes.filter(({ type, loops }) => type === 'Seq Scan' && loops > 0)
  const values = [JSON.stringify(scans.map(tableOf))]
  const sizes = new Map((await session.rows({ text: SIZES, values })) as Array<[string, string]>)
  const faults: Finding[] = []
  const add = (key: string, found: string, expected: string) => {
    const message = `budget: found ${found}, expected ${expected} (${label})`
    faults.push({ line: source.lineOf(['budget', key]), message })
  }
  const buffers = buffersPerThousandRows(plan)
  if (buffers > mostBuffers) {
    const few = plan.baseRows < FEWEST_ROWS ? `, taken as ${count(FEWEST_ROWS)}` : ''
    const figures = `${count(plan.buffers)} for ${count(plan.baseRows)} rows${few}`
    const found = `${Math.ceil(buffers)} buffers per thousand rows (${figures})`
    add('buffersPerThousandRows', found, `at most ${mostBuffers}`)
  }
  for (const node of scans) {
    const bytes = Number(sizes.get(tableOf(node)) ?? 0)
    if (bytes <= seqScanMaxBytes) continue
    const found = `a sequential scan of ${node.table}, ${mebibytes(bytes)}`
    add('seqScan', found, `none of a table above ${mebibytes(seqScanMaxBytes)}`)
  }
  // why: a temporary block is written and read, and both are counted
  const spilled = Math.ceil(plan.spilledBlocks / 2) * BLOCK_BYTES
  if (spilled > spillMaxBytes) {
    const expected = spillMaxBytes === 0 ? 'none' : `at most ${mebibytes(spillMaxBytes)}`
    add('spill', `${mebibytes(spilled)} of temporary files`, expected)
  }
  return faults
}

/** Without indexes and TOAST. */
const SIZES = `select name, pg_relation_size(to_regclass(name))::text
  from (select distinct name from jsonb_array_elements_text($1::jsonb) as name) as tables`

function tableOf({ schema = '', table = '' }: PlanNode): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`
}

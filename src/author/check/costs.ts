/** Checks the cost of an execution, as its plan shows it, against the definition's budget. */
import type { Finding } from '../../definitions/findings.ts'
import { count, mebibytes } from '../plans/figures.ts'
import { BLOCK_BYTES, buffersPerThousandRows, FEWEST_ROWS, type Plan } from '../plans/plan.ts'
import { tableOf, tableSizes } from '../plans/table-sizes.ts'
import type { Question } from './questions.ts'
import { unlessRefused } from './session.ts'
import { queryOf, type PreparedSubject } from './subject.ts'

/** Uses the execution that scanned most rows: an empty result says little about the cost. */
export async function checkBudget(
  subject: PreparedSubject,
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
  const sizes = await tableSizes(plan, (text, values) => session.rows(text, values))
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
  for (const node of plan.nodes) {
    const bytes = sizes.get(tableOf(node) ?? '') ?? 0
    if (node.type !== 'Seq Scan' || node.loops === 0 || bytes <= seqScanMaxBytes) continue
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

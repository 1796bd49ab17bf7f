/** Checks the cost of an execution, as its plan shows it, against the definition's budget. */
import type { Budget } from '../../definitions/budget.ts'
import type { Finding } from '../../definitions/findings.ts'
import { count, mebibytes } from '../plans/figures.ts'
import { BLOCK_BYTES, buffersPerThousandRows, FEWEST_ROWS, type Plan } from '../plans/plan.ts'
import { tableOf, tableSizes, type TableSizes } from '../plans/table-sizes.ts'
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
  const sizes = await tableSizes(plan, (text, values) => session.rows(text, values))
  const messagesByKey = {
    buffersPerThousandRows: checkBuffers(budget, plan),
    seqScan: checkScans(budget, plan, sizes),
    spill: checkSpill(budget, plan),
  }
  return Object.entries(messagesByKey).flatMap(([key, messages]) =>
    messages.map(message => ({
      line: source.lineOf(['budget', key]),
      message: `budget: ${message} (${label})`,
    })),
  )
}

function checkBuffers({ buffersPerThousandRows: most }: Budget, plan: Plan) {
  const buffers = buffersPerThousandRows(plan)
  if (buffers <= most) return []
  const few = plan.baseRows < FEWEST_ROWS ? `, taken as ${count(FEWEST_ROWS)}` : ''
  const figures = `${count(plan.buffers)} for ${count(plan.baseRows)} rows${few}`
  return [
    `found ${Math.ceil(buffers)} buffers per thousand rows (${figures}), expected at most ${most}`,
  ]
}

function checkScans({ seqScanMaxBytes }: Budget, { nodes }: Plan, sizes: TableSizes): string[] {
  return nodes
    .filter(({ type, loops }) => type === 'Seq Scan' && loops > 0)
    .map(node => ({ table: node.table, bytes: sizes.get(tableOf(node) ?? '') ?? 0 }))
    .filter(({ bytes }) => bytes > seqScanMaxBytes)
    .map(
      ({ table, bytes }) =>
        `found a sequential scan of ${table}, ${mebibytes(bytes)}, expected none of a table above ${mebibytes(seqScanMaxBytes)}`,
    )
}

function checkSpill({ spillMaxBytes }: Budget, { spilledBlocks }: Plan) {
  // why: a temporary block is written and read, and both are counted
  const bytes = Math.ceil(spilledBlocks / 2) * BLOCK_BYTES
  if (bytes <= spillMaxBytes) return []
  const most = spillMaxBytes === 0 ? 'none' : `at most ${mebibytes(spillMaxBytes)}`
  return [`found ${mebibytes(bytes)} of temporary files, expected ${most}`]
}

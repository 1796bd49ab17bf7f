/** What a run costs, as its plan shows: sums of rows that a join has multiplied, and whether it stays within its budget. */
import type { Budget } from '../../definitions/budget.ts'
import type { Finding } from '../../definitions/findings.ts'
import { isWord, lex, significant } from '../../definitions/lexer.ts'
import { linesOf } from '../plans/lines.ts'
import { multipliedSums } from '../plans/multiplied-sums.ts'
import { BLOCK_BYTES, buffersPerThousandRows, FEWEST_ROWS, type Plan } from '../plans/plan.ts'
import { tableKey } from './product-tables.ts'
import type { Question } from './questions.ts'
import type { Prepared, Subject } from './subject.ts'
import { everyList, flat, isSign, nest, type Nodes } from './text/nodes.ts'
import type { Written } from './written.ts'

export interface PlannedRun {
  readonly question: Question
  /** Of a run, not of planning alone. */
  readonly plan: Plan
}

/** One for each join that multiplies. */
export function checkSums(
  { definition, written }: Pick<Subject, 'definition' | 'written'>,
  runs: readonly PlannedRun[],
): Finding[] {
  const found = new Map<number, Finding>()
  for (const { question, plan } of runs) {
    const lines = linesOf(plan, definition.source.text)
    for (const sum of multipliedSums(plan)) {
      const { by, join, ownRows, joinedRows, columns } = sum
      if (isShared(sum.call, columns, written)) continue
      const call = asInFile(sum.call, definition.source.text)
      const line = lines.ofNode(by) ?? lines.ofNode(join) ?? lines.ofCall(sum) ?? written.firstLine
      const what = columns[0]?.alias.replace(/_\d+$/, '') ?? 'the rows'
      const message = `this join multiplies rows of ${what}, ${count(ownRows)} become ${count(joinedRows)} (${question.said}), and ${call} adds each of them, expected them added up before the join`
      if (!found.has(line)) found.set(line, { line, message })
    }
  }
  return [...found.values()]
}

/** Whether each row gives its part alone: `amount / count(*) over (partition by deal)`. */
function isShared(
  call: string,
  columns: ReadonlyArray<{ readonly column: string }>,
  { everyItem }: Pick<Written, 'everyItem'>,
): boolean {
  if (dividesByCount(nest(significant(lex(call))) ?? [], new Set())) return true
  const counts = new Set(
    everyItem.flatMap(({ name, expression }) =>
      name !== undefined && flat(expression).some(token => isWord(token, 'count')) ? [name] : [],
    ),
  )
  return columns.some(({ column }) =>
    everyItem.some(({ name, expression }) => name === column && dividesByCount(expression, counts)),
  )
}

function dividesByCount(nodes: Nodes, counts: ReadonlySet<string>): boolean {
  return everyList(nodes).some(list => {
    const at = list.findIndex(node => isSign(node, '/'))
    if (at === -1) return false
    return flat(list.slice(at + 1)).some(
      token => isWord(token, 'count') || counts.has(token.text.toLowerCase()),
    )
  })
}

/** EXPLAIN numbers a name that comes again, and `report` is what the gateway calls the statement. */
function asInFile(expression: string, text: string): string {
  return expression
    .replaceAll(/\breport(?:_\d+)?\./g, found => (text.includes(found) ? found : ''))
    .replaceAll(/\b(\w+)_\d+\./g, (found, name: string) =>
      text.includes(found) ? found : `${name}.`,
    )
}

/** Of the run that scanned most: fewer rows would be judged by what an empty answer costs. */
export function checkBudget(
  { definition, product }: Pick<Prepared, 'definition' | 'product'>,
  runs: readonly PlannedRun[],
): Finding[] {
  const { budget, source } = definition
  const [most] = runs.toSorted((a, b) => b.plan.baseRows - a.plan.baseRows)
  if (budget === undefined || most === undefined) return []
  const find = (key: string, message: string): Finding => ({
    line: source.lineOf(['budget', key]),
    message: `budget: ${message}`,
  })
  const { plan, question } = most
  return [
    ...checkBuffers(budget, plan, question).map(message => find('buffersPerThousandRows', message)),
    ...checkScans(budget, plan, question, product).map(message => find('seqScan', message)),
    ...checkSpill(budget, plan, question).map(message => find('spill', message)),
  ]
}

function checkBuffers({ buffersPerThousandRows: most }: Budget, plan: Plan, { said }: Question) {
  const found = buffersPerThousandRows(plan)
  if (found <= most) return []
  const few = plan.baseRows < FEWEST_ROWS ? `, which count as ${count(FEWEST_ROWS)}` : ''
  const figures = `${count(plan.buffers)} for ${count(plan.baseRows)} rows${few}`
  return [
    `found ${Math.ceil(found)} buffers per thousand rows (${figures}), expected at most ${most} (${said})`,
  ]
}

function checkScans(
  { seqScanMaxBytes }: Budget,
  { nodes }: Plan,
  { said }: Question,
  { sizes }: Prepared['product'],
): string[] {
  const tables = nodes
    .filter(({ type, loops }) => type === 'Seq Scan' && loops > 0)
    .map(({ schema, table }) => ({ table, bytes: sizes.get(tableKey(schema, table)) ?? 0 }))
    .filter(({ bytes }) => bytes > seqScanMaxBytes)
  const messages = tables.map(
    ({ table, bytes }) =>
      `found a sequential scan of ${table}, ${inMiB(bytes)}, expected none of a table above ${inMiB(seqScanMaxBytes)} (${said})`,
  )
  return [...new Set(messages)]
}

function checkSpill({ spillMaxBytes }: Budget, { spilledBlocks }: Plan, { said }: Question) {
  // why: what is written is read again, and both are counted
  const bytes = Math.ceil(spilledBlocks / 2) * BLOCK_BYTES
  if (bytes <= spillMaxBytes) return []
  const most = spillMaxBytes === 0 ? 'none' : `at most ${inMiB(spillMaxBytes)}`
  return [`found ${inMiB(bytes)} of temporary files, expected ${most} (${said})`]
}

function inMiB(bytes: number): string {
  const mib = bytes / 2 ** 20
  return mib < 0.1 ? `${Math.ceil(bytes / 1024)} KiB` : `${mib.toFixed(1)} MiB`
}

function count(number: number): string {
  return number.toLocaleString('en')
}

/** A plan as a person reads it on a terminal: figures, what to look at first, the tree. Knows no definition. */
import { count, counted, duration, mebibytes } from './figures.ts'
import { nodeName } from './node-name.ts'
import { BLOCK_BYTES, buffersPerThousandRows, FEWEST_ROWS } from './plan.ts'
import type { Plan, PlanNode } from './plan.ts'
import type { Suspect } from './suspect.ts'

export interface DescribeOptions {
  readonly colour: boolean
  /** Of the terminal in characters; conditions are cut to it. */
  readonly width: number
  /** Where a suspect lies: `sql/reports/finance/x.sql:12`, or the file alone. */
  readonly placeOf: (suspect: Suspect) => string
  /** Buffers per thousand rows that the definition may take; undefined where it is held to none. */
  readonly budget: number | undefined
}

type Paint = (text: string) => string

/** Ends with a line break. */
export function describePlan(
  plan: Plan,
  suspects: readonly Suspect[],
  { colour, width, placeOf, budget }: DescribeOptions,
): string {
  const paint = (code: number): Paint =>
    colour ? text => (text === '' ? '' : `\u001B[${code}m${text}\u001B[0m`) : text => text
  const [bold, dim, loud] = [paint(1), paint(2), paint(33)]
  const marks = new Map<PlanNode, number[]>()
  const said = suspects.map((suspect, at) => {
    marks.set(suspect.node, [...(marks.get(suspect.node) ?? []), at + 1])
    const number = loud(`${at + 1}.`.padStart(4))
    return `${number} ${bold(`${placeOf(suspect)}:`)} ${suspect.message}`
  })
  const first = said.length > 0 ? [bold('Look at first'), ...said] : ['Nothing stands out.']
  const tree = treeOf(plan, { marks, width, bold, dim, loud })
  return [...header(plan, budget), '', ...first, '', ...tree, ''].join('\n')
}

function header(plan: Plan, budget: number | undefined): string[] {
  const { ms, planningMs, buffers, baseRows, spilledBlocks } = plan
  const per = buffersPerThousandRows(plan)
  const spilled =
    spilledBlocks === 0
      ? 'none'
      : `${mebibytes(spilledBlocks * BLOCK_BYTES)} of temporary files written and read`
  return [
    `time       ${duration(ms)}, and ${duration(planningMs)} to plan it`,
    `buffers    ${count(buffers)} (${mebibytes(buffers * BLOCK_BYTES)}), ${per < 10 ? per.toFixed(1) : count(per)} per thousand base rows${budget === undefined ? '' : `, of ${budget} in the budget`}`,
    `base rows  ${counted(baseRows, 'row')} read from tables${baseRows < FEWEST_ROWS ? `, which count as ${count(FEWEST_ROWS)}` : ''}`,
    `spill      ${spilled}`,
  ]
}

interface TreeOptions {
  readonly marks: ReadonlyMap<PlanNode, readonly number[]>
  readonly width: number
  readonly bold: Paint
  readonly dim: Paint
  readonly loud: Paint
}

const HEAD = ['', 'ms', 'buffers', 'expected', 'rows', 'loops'] as const

/** Figures of a node alone, in columns that line up, and the node indented as deep as it lies. */
function treeOf({ root }: Plan, { marks, width, bold, dim, loud }: TreeOptions): string[] {
  const lines = branch(root, 0)
  const rows = lines.map(({ node }) => cellsOf(node, marks))
  const widths = HEAD.map((head, at) =>
    Math.max(head.length, ...rows.map(cells => cells[at]?.length ?? 0)),
  )
  const padded = (cells: readonly string[]) =>
    cells.map((cell, at) => cell.padStart(widths[at] ?? 0))
  const indent = widths.reduce((sum, column) => sum + column + 2, 0)
  const tree = lines.map(({ node, depth }, at) => {
    const [mark = '', ...cells] = padded(rows[at] ?? [])
    const inset = '  '.repeat(depth)
    const title = node.subplan === undefined ? '' : `${node.subplan}: `
    const under = node.details.map(({ kind, text }) => {
      const line = `${' '.repeat(indent)}${inset}    ${kind}: ${plain(text)}`
      return `\n${dim(line.length > width ? `${line.slice(0, width - 1)}…` : line)}`
    })
    return `${loud(mark)}  ${cells.join('  ')}  ${inset}${title}${nodeName(node)}${under.join('')}`
  })
  return [bold(`${padded(HEAD).join('  ')}  node`), ...tree]
}

/** Without what EXPLAIN says of the types of constants, and with the beginning of a UUID. */
function plain(text: string): string {
  return text
    .replaceAll(/('(?:[^']|'')*')::[a-z]+(?: [a-z]+)*(?:\[\])?/g, '$1')
    .replaceAll(/'([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'/g, "'$1…'")
}

function branch(node: PlanNode, depth: number): { node: PlanNode; depth: number }[] {
  return [{ node, depth }, ...node.children.flatMap(child => branch(child, depth + 1))]
}

function cellsOf(node: PlanNode, marks: TreeOptions['marks']): string[] {
  const mark = (marks.get(node) ?? []).join(',')
  if (node.loops === 0) return [mark, '', '', count(node.estimatedRows), 'never', '']
  return [
    mark,
    node.ms === undefined ? '' : node.ms.toFixed(node.ms < 9.95 ? 1 : 0),
    count(node.buffers),
    count(node.estimatedRows),
    count(node.rows),
    count(node.loops),
  ]
}

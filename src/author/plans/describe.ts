/** Prints a plan for a terminal: figures, then the tree. Knows no definition. */
import { count, counted, duration, mebibytes } from './figures.ts'
import { nodeName } from './node-name.ts'
import { BLOCK_BYTES, buffersPerThousandRows, FEWEST_ROWS } from './plan.ts'
import type { Plan, PlanNode } from './plan.ts'

export interface DescribeOptions {
  readonly colour: boolean
  /** Width of the terminal in characters; longer conditions are truncated. */
  readonly width: number
  /** The definition's limit of buffers per thousand rows; undefined without a budget. */
  readonly budget: number | undefined
}

/** Ends with a line break. */
export function describePlan(plan: Plan, { colour, width, budget }: DescribeOptions): string {
  const paint = (code: number) => (text: string) =>
    colour && text !== '' ? `\u001B[${code}m${text}\u001B[0m` : text
  const [bold, dim] = [paint(1), paint(2)]
  const nodes = branch(plan.root, 0)
  const [head = [], ...rows] = inColumns([
    ['ms', 'buffers', 'expected', 'rows', 'loops'],
    ...nodes.map(({ node }) => figuresOf(node)),
  ])
  const tree = nodes.map(({ node, depth }, at) => {
    const cells = rows[at] ?? []
    const title = node.subplan === undefined ? '' : `${node.subplan}: `
    const inset = '  '.repeat(depth)
    const indent = ' '.repeat(head.join('  ').length + 2) + inset
    const under = node.details.map(({ kind, text }) => {
      const line = `${indent}    ${kind}: ${shorten(text)}`
      return `\n${dim(line.length > width ? `${line.slice(0, width - 1)}…` : line)}`
    })
    return `${cells.join('  ')}  ${inset}${title}${nodeName(node)}${under.join('')}`
  })
  const headline = bold(`${head.join('  ')}  node`)
  return [...header(plan, budget), '', headline, ...tree, ''].join('\n')
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
    `base rows  ${counted(baseRows, 'row')} read from tables${baseRows < FEWEST_ROWS ? `, taken as ${count(FEWEST_ROWS)}` : ''}`,
    `spill      ${spilled}`,
  ]
}

/** Pads cells to the width of their column. */
function inColumns(rows: readonly (readonly string[])[]): string[][] {
  const widthOf = (at: number) => Math.max(...rows.map(cells => cells[at]?.length ?? 0))
  return rows.map(cells => cells.map((cell, at) => cell.padStart(widthOf(at))))
}

/** Without the casts that EXPLAIN adds to constants, and with shortened UUIDs. */
function shorten(text: string): string {
  return text
    .replaceAll(/('(?:[^']|'')*')::[a-z]+(?: [a-z]+)*(?:\[\])?/g, '$1')
    .replaceAll(/'([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'/g, "'$1…'")
}

function branch(node: PlanNode, depth: number): { node: PlanNode; depth: number }[] {
  return [{ node, depth }, ...node.children.flatMap(child => branch(child, depth + 1))]
}

/** The node's own figures, without its children. */
function figuresOf({ loops, ms, buffers, rows, estimatedRows }: PlanNode): string[] {
  if (loops === 0) return ['', '', count(estimatedRows), 'never', '']
  return [
    ms.toFixed(ms < 9.95 ? 1 : 0),
    ...[buffers, estimatedRows, rows, loops].map(figure => count(figure)),
  ]
}

/** Computes each node's own figures: those of EXPLAIN include its children. */
import type { PlanNode } from './plan.ts'

/**
 * The figures of a CTE or InitPlan are included in those of the nodes that read it, not in those of its parent. If
 * several nodes read it, EXPLAIN does not show the shares: the node with the largest figure is charged first.
 * @param nodes of a whole plan, each before its children
 */
export function nodeFigures(
  nodes: readonly PlanNode[],
  figure: 'buffers' | 'ms' | 'spilledBlocks',
): Map<PlanNode, number> {
  const left = new Map(
    nodes.map(node => {
      const inside = node.children.filter(child => !isApart(child))
      return [node, inside.reduce((rest, child) => rest - child[figure], node[figure])]
    }),
  )
  const leftOf = (node: PlanNode) => Math.max(0, left.get(node) ?? 0)
  for (const host of nodes) {
    for (const apart of host.children.filter(isApart)) {
      let rest = apart[figure]
      const users = usersOf(apart, host, nodes).toSorted((a, b) => leftOf(b) - leftOf(a))
      for (const node of [...users, host]) {
        const taken = Math.min(rest, leftOf(node))
        left.set(node, leftOf(node) - taken)
        rest -= taken
      }
    }
  }
  return new Map(nodes.map(node => [node, leftOf(node)]))
}

function isApart({ relationship }: PlanNode): boolean {
  return relationship === 'InitPlan'
}

function usersOf(apart: PlanNode, host: PlanNode, nodes: readonly PlanNode[]): PlanNode[] {
  const name = apart.subplan ?? ''
  if (name.startsWith('CTE ')) return nodes.filter(({ cte }) => `CTE ${cte}` === name)
  // Since PostgreSQL 17 expressions name it `(InitPlan 1)`; before, by its parameters.
  const marks = /\(returns (.*)\)$/.exec(name)?.[1]?.split(',') ?? [`(${name})`]
  const uses = ({ details, output }: PlanNode) => {
    const texts = output.concat(details.map(({ text }) => text))
    return texts.some(text => marks.some(mark => text.includes(mark)))
  }
  // The nodes above the first user only pass its value on. A Gather evaluates it before it starts processes.
  const first = (node: PlanNode): PlanNode[] => {
    if (node === apart) return []
    const deeper = node.children.flatMap(first)
    if (node.type.startsWith('Gather') && deeper.length > 0) return [node]
    return deeper.length === 0 && uses(node) ? [node] : deeper
  }
  return first(host)
}

/** What each node of a plan cost by itself: EXPLAIN has a node's figures contain those of its children. */
import { allOf, conditionsOf } from './explained.ts'
import type { Explained } from './explained.ts'

export interface OwnFigures {
  readonly buffers: number
  readonly ms: number | undefined
  readonly spilledBlocks: number
}

export function ownFigures(root: Explained): (node: Explained) => OwnFigures {
  const processes = processesOf(root)
  const timed = root['Actual Total Time'] !== undefined
  const buffers = alone(root, sharedBlocks)
  const spilled = alone(root, temporaryBlocks)
  const ms = alone(root, node => {
    // why: in parallel an average is of all processes that took part, and they ran at the same time
    const loops = (node['Actual Loops'] ?? 0) / (processes.get(node) ?? 1)
    return (node['Actual Total Time'] ?? 0) * loops
  })
  return node => ({
    buffers: buffers.get(node) ?? 0,
    ms: timed ? (ms.get(node) ?? 0) : undefined,
    spilledBlocks: spilled.get(node) ?? 0,
  })
}

export function sharedBlocks(node: Explained): number {
  return (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0)
}

export function temporaryBlocks(node: Explained): number {
  return (node['Temp Read Blocks'] ?? 0) + (node['Temp Written Blocks'] ?? 0)
}

/**
 * A CTE or an InitPlan hangs under one node and runs while another one waits for its rows: its figures are in those
 * of the nodes that use it, and only through them in those of the node that it hangs under. Several share it: the one
 * with the largest figure has the most of it.
 */
function alone(root: Explained, figure: (node: Explained) => number): Map<Explained, number> {
  const nodes = allOf(root)
  const left = new Map(
    nodes.map(node => {
      const inside = (node.Plans ?? []).filter(child => !isApart(child)).map(figure)
      return [node, figure(node) - inside.reduce((sum, number) => sum + number, 0)]
    }),
  )
  const leftOf = (node: Explained) => Math.max(0, left.get(node) ?? 0)
  for (const host of nodes) {
    for (const apart of (host.Plans ?? []).filter(isApart)) {
      let rest = figure(apart)
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

function isApart(node: Explained): boolean {
  return node['Parent Relationship'] === 'InitPlan'
}

function usersOf(apart: Explained, host: Explained, nodes: readonly Explained[]): Explained[] {
  const name = apart['Subplan Name'] ?? ''
  if (name.startsWith('CTE ')) return nodes.filter(node => `CTE ${node['CTE Name']}` === name)
  // Since PostgreSQL 17 expressions name it `(InitPlan 1)`; before, by its parameters.
  const marks = /\(returns (.*)\)$/.exec(name)?.[1]?.split(',') ?? [`(${name})`]
  const uses = (node: Explained) =>
    [...conditionsOf(node).map(({ text }) => text), ...(node.Output ?? [])].some(text =>
      marks.some(mark => text.includes(mark)),
    )
  // What is above the first that uses it only hands its value on. A Gather asks for it before its processes start.
  const first = (node: Explained): Explained[] => {
    if (node === apart) return []
    const deeper = (node.Plans ?? []).flatMap(first)
    if (node['Node Type'].startsWith('Gather') && deeper.length > 0) return [node]
    return deeper.length === 0 && uses(node) ? [node] : deeper
  }
  return first(host)
}

/** How many processes ran a node, where it was more than one. */
function processesOf(root: Explained): ReadonlyMap<Explained, number> {
  const found = new Map<Explained, number>()
  for (const gather of allOf(root)) {
    if (!gather['Node Type'].startsWith('Gather')) continue
    for (const child of gather.Plans ?? []) {
      if (isApart(child)) continue
      const started = (child['Actual Loops'] ?? 0) / Math.max(1, gather['Actual Loops'] ?? 1)
      for (const node of allOf(child)) found.set(node, Math.max(1, started))
    }
  }
  return found
}

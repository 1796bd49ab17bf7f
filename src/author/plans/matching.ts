/** Which scan of a plan reads which source of its SQL, where a table is named more than once. */
import type { Token } from '../../definitions/lexer.ts'
import type { Plan, PlanNode } from './plan.ts'
import { bodiesOf, isNamed, sourcesOf } from './sources.ts'
import type { Body, Source } from './sources.ts'
import { likeness, termsInPlan, termsInSql } from './terms-of-source.ts'

/** The bodies of CTEs and sub-selects around a node, the nearest first. */
export type Around = (node: PlanNode) => readonly Body[]

export function bodiesAround({ nodes }: Plan, bodies: readonly Body[]): Around {
  const parents = new Map(nodes.flatMap(node => node.children.map(child => [child, node])))
  return node => {
    const found: Body[] = []
    for (let at: PlanNode | undefined = node; at !== undefined; at = parents.get(at)) {
      const cte = cteOf(at)
      const name = cte ?? (at !== node && at.type === 'Subquery Scan' ? at.alias : undefined)
      const named = name === undefined ? [] : bodies.filter(body => isNamed(body.name, name))
      if (named.length === 1) found.push(...named)
      if (cte !== undefined) break
    }
    return found
  }
}

/** What a node is the root of. */
function cteOf({ subplan }: PlanNode): string | undefined {
  return /^CTE (.*)/.exec(subplan ?? '')?.[1]
}

/** The surest first; what is taken is no other's. Those that cannot be told apart are left out. */
export function matchSources(plan: Plan, tokens: readonly Token[]): ReadonlyMap<PlanNode, Source> {
  const bodies = bodiesOf(tokens)
  const around = bodiesAround(plan, bodies)
  const sources = sourcesOf(tokens)
  const scans = plan.nodes.filter(({ table, cte }) => table !== undefined || cte !== undefined)
  const apart = bodies.filter(({ name }) => plan.nodes.some(node => cteOf(node) === name))
  const open = new Map(
    scans.map(scan => {
      const said = termsInPlan(plan.nodes, scan)
      const near = around(scan)
      const fitting = narrowed(sources.filter(isOf(scan)), near, apart)
      return [
        scan,
        fitting
          .map(source => ({ source, likeness: likeness(termsInSql(tokens, source, bodies), said) }))
          .toSorted((a, b) => b.likeness - a.likeness),
      ]
    }),
  )
  const found = new Map<PlanNode, Source>()
  for (;;) {
    const taken = new Set(found.values())
    const sure = [...open].flatMap(([scan, all]) => {
      const [best, next] = all.filter(({ source }) => !taken.has(source))
      if (best === undefined) return []
      return [{ scan, source: best.source, by: best.likeness - (next?.likeness ?? -Infinity) }]
    })
    const [surest] = sure.toSorted((a, b) => b.by - a.by)
    if (surest === undefined || surest.by <= 0) return found
    found.set(surest.scan, surest.source)
    open.delete(surest.scan)
  }
}

function isOf({ table, cte, alias }: PlanNode): (source: Source) => boolean {
  const name = table ?? cte ?? ''
  return source => source.name === name && isNamed(source.alias ?? name, alias ?? name)
}

/** What stands in a CTE that runs apart is nowhere else in the plan; what is nearer comes before what is further. */
function narrowed(
  sources: readonly Source[],
  around: readonly Body[],
  apart: readonly Body[],
): readonly Source[] {
  let fitting = sources.filter(({ at }) =>
    apart.every(
      body =>
        !holds(body, at) || around.includes(body) || around.some(({ from }) => holds(body, from)),
    ),
  )
  for (const body of around) {
    const inside = fitting.filter(({ at }) => holds(body, at))
    if (inside.length > 0) fitting = inside
  }
  return fitting
}

function holds({ from, to }: Body, at: number): boolean {
  return at > from && at < to
}

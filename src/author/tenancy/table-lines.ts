/** The tables that definitions read, in one line per kind of tenancy. */
import type { Draft } from '../check/rules/draft.ts'
import { everySelect } from '../sql/query.ts'
import type { Tenancies } from './tenancy.ts'

export function tableLines(drafts: readonly Draft[], tenancies: Tenancies): string[] {
  const kinds = new Map<string, Set<string>>()
  const add = (kind: string, name: string) =>
    kinds.set(kind, (kinds.get(kind) ?? new Set()).add(name))
  const reads = drafts.flatMap(({ query }) => everySelect(query)).flatMap(one => one.relations)
  for (const relation of reads) {
    const found = relation.kind === 'table' ? tenancies.of(relation) : undefined
    if (found === undefined) continue
    const { key, tenancy, table } = found
    const nameOf = (written: string) => {
      const { table } = tenancies.ofKey(written) ?? {}
      return table?.isVisible === true ? table.name : written
    }
    const name = table === undefined ? key : nameOf(key)
    if (tenancy.kind === 'tenant') add(`tenant (${tenancy.column})`, name)
    else if (tenancy.kind === 'shared') add('shared', name)
    else if (tenancy.kind === 'unknown') add('not known', name)
    else add('child', `${name} via ${nameOf(tenancy.links[0]?.parent ?? '')}`)
  }
  return [...kinds]
    .map(([kind, names]) => `${kind}: ${[...names].toSorted().join(', ')}`)
    .toSorted()
}

/** Tenant isolation of a definition: each table that it reads is bound to the organization or declared as shared. */
import type { Finding } from '../../definitions/findings.ts'
import { partsOf, type Draft } from '../check/rules/draft.ts'
import { callsIn } from '../sql/expressions.ts'
import { namesOf } from '../../definitions/sql/syntax-tree.ts'
import { createConditions } from './conditions.ts'
import { createProof } from './proof.ts'
import type { Tenancies } from './tenancy.ts'
import { createTerms, type Source } from './terms.ts'
import { createUnboundReader, type TableRead } from './unbound.ts'

export interface Isolation {
  readonly findings: readonly Finding[]
  /** Facts that could not be proved, shown to the author. */
  readonly unproved: readonly string[]
}

export function checkIsolation(draft: Draft, tenancies: Tenancies): Isolation {
  const { placeholders } = draft.statement.sql
  // why: loading reports unknown and missing placeholders; a misspelt one may be in the tenant condition
  if (!draft.knowsPlaceholders || !placeholders.some(({ name }) => name === 'organization_id'))
    return { findings: [], unproved: [] }
  const terms = createTerms(partsOf(draft), tenancies)
  const conditions = createConditions(terms)
  const proof = createProof(terms, conditions)
  const unbound = createUnboundReader(terms, conditions, tenancies)
  const reads = terms.sources.flatMap(source => {
    const { relation, table, part } = source
    return relation && table ? [{ ...table, source, relation, part }] : []
  })
  const findings: Finding[] = []
  const unproved = new Set(functionsOf(draft, tenancies))
  const find = ({ part, relation }: TableRead, message: string, offset = relation.offset) => {
    const where = part === draft.statement ? '' : 'in a total '
    findings.push({ line: part.line(offset), message: where + message })
  }

  const undeclared = new Set<string>()
  const loose: TableRead[] = []
  for (const read of reads) {
    const { key, tenancy, source } = read
    if (tenancy.kind === 'shared') continue
    if (tenancy.kind !== 'unknown') {
      if (proof.isBound(source)) continue
      if (proof.isAborted()) unproved.add(`that ${key} is bound, which takes too many steps`)
      else loose.push(read)
    } else if (tenancies.isOfDatabase) {
      // why: PostgreSQL itself reports a table that may not be read
      if (!undeclared.has(key) && read.table?.columns.length !== 0)
        find(read, unbound.undeclared(read))
      undeclared.add(key)
    } else if (!unbound.mayBeBound(read)) {
      find(read, unbound.unnamed(read))
    }
  }
  // why: if tables are bound only to each other, the cause alone is reported: parents come before children
  const tenantsFirst = loose.toSorted((a, b) => rank(a) - rank(b))
  const reported = new Set<Source>()
  for (const read of tenantsFirst) {
    if (proof.isBound(read.source, reported)) continue
    reported.add(read.source)
    const { message, offset, isUnproved } = unbound.why(read)
    if (isUnproved) unproved.add(message)
    else if (message !== '') find(read, message, offset)
  }
  return { findings, unproved: [...unproved] }
}

function rank({ tenancy }: TableRead): number {
  return tenancy.kind === 'tenant' ? 0 : 1
}

/** Calls of the product's own functions, which may read any table. */
function functionsOf(draft: Draft, { ownFunctions }: Tenancies): string[] {
  return partsOf(draft).flatMap(({ root }) =>
    callsIn(root).flatMap(({ name, node }) => {
      const isSystem = namesOf(node.funcname)[0] === 'pg_catalog'
      return ownFunctions.has(name) && !isSystem ? [`whose rows ${name}() reads`] : []
    }),
  )
}

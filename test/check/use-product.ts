/** A product in a database of its own, and the check of its definitions. */
import type { DatabaseClient } from '../../src/serve/database/database-client.ts'
import type { ReplicaFindings } from '../../src/author/check/check.ts'
import { createReplicaCheck, type ReplicaCheck } from '../../src/author/check/on-replica.ts'
import type { AnyDefinition } from '../../src/definitions/any-definition.ts'
import type { Period } from '../../src/model/terms.ts'
import { connectTo, createTestDatabase } from '../harness/test-database.ts'
import { tenancyIn } from './corpus.ts'
import { definitionDraft } from './definition-draft.ts'

interface Product {
  readonly database: string
  readonly schema: string
  /** The demo's by default. */
  readonly tenancy?: string
  readonly ids?: readonly string[]
  readonly idType?: string
  /** Of the session. */
  readonly options?: string
}

/** Findings are `line: message`. */
type Found = Omit<ReplicaFindings, 'findings'> & { readonly findings: string[] }

/** Registers hooks. */
export function useProduct({ database, schema, tenancy, ids, idType, options }: Product) {
  let client: DatabaseClient

  before(async () => {
    client = await connectTo((await createTestDatabase(database, schema)).replicaUrl, options)
  })
  after(() => client?.end())

  const createCheck = (period?: Period, of = ids ?? ['1', '2']): Promise<ReplicaCheck> =>
    createReplicaCheck({
      clients: [client],
      organizations: of.map(id => ({
        id,
        idType: idType ?? 'bigint',
        timeZone: 'Europe/Moscow',
        entitled: true,
      })),
      tenancy: tenancyIn(tenancy),
      period,
      now: () => Date.parse('2026-11-21T09:00:00Z'),
    })

  return {
    createCheck,
    found: async (definition: AnyDefinition, check?: ReplicaCheck): Promise<Found> => {
      const draft = await definitionDraft(definition)
      const { findings, ...rest } = await (check ?? (await createCheck()))(definition, draft, [])
      return { ...rest, findings: findings.map(({ line, message }) => `${line}: ${message}`) }
    },
    /** The client of the session, when the hooks have run. */
    session: (): DatabaseClient => client,
  }
}

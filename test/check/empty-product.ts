// The demo's product without rows: check has only synthetic rows there.
import { readFileSync } from 'node:fs'
import { createReplicaCheck, type ReplicaCheck } from '../../src/author/check/on-replica.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { connectTo, createTestDatabase } from '../harness/test-database.ts'
import { tenancyIn } from './bad-definitions.ts'

const DATABASE = 'svodka_empty'
const NOON = Date.parse('2026-11-21T09:00:00Z')

export interface EmptyProduct {
  readonly ask: ReplicaCheck
  readonly close: () => Promise<void>
}

export async function askEmptyProduct(): Promise<EmptyProduct> {
  const schema = readFileSync('sql/product/schema.sql', 'utf8')
  const client = await connectTo((await createTestDatabase(DATABASE, schema)).replicaUrl)
  const ask = await createReplicaCheck({
    client,
    organizations: [],
    tenancy: tenancyIn(),
    parse: parseSql,
    now: () => NOON,
  })
  return { ask, close: () => client.end() }
}

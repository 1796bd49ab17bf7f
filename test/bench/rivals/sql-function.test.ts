// A definition as an SQL function, on a real primary.
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { loadCatalog } from '../../../src/definitions/load-catalog.ts'
import { withClient } from '../../../src/demo/connection.ts'
import { sharedCluster } from '../../support/cluster.ts'
import { argumentsOf, createFunction, SCHEMA } from './sql-function.ts'

const sql = fileURLToPath(new URL('../../../../sql', import.meta.url))

describe('a definition as an SQL function', function () {
  this.timeout(30_000)

  it('gives the rows of its statement, and is inlined into the query', async () => {
    const definition = loadCatalog(sql).reports.get('expenses_by_category')
    if (definition === undefined) throw new Error('there is no such report')
    const values = ['5d0a0000-0000-4000-8000-000000000001', '2026-01-01', '2027-01-01', 'UTC']
    const { primaryUrl } = await sharedCluster()
    await withClient(primaryUrl, async client => {
      // Rolled back: the tables of the shared servers stay as they were.
      await client.query(`begin; create schema ${SCHEMA}`)
      await createFunction(client, definition)
      const call = `select * from ${SCHEMA}.expenses_by_category($1, $2, $3, $4)`
      const called = await client.query(call, values)
      const plan = await client.query<{ 'QUERY PLAN': string }>(`explain ${call}`, values)
      const run = await client.query(definition.statement.text('uuid'), values)
      await client.query('rollback')
      expect(argumentsOf(definition)).to.deep.equal([
        'organization_id',
        'period_start',
        'period_end',
        'time_zone',
      ])
      expect(run.rows.length).to.be.greaterThan(1)
      expect(called.rows).to.deep.equal(run.rows)
      expect(plan.rows.map(row => row['QUERY PLAN']).join('\n')).not.to.contain('Function Scan')
    })
  })
})

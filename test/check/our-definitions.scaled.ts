// The shipped definitions: in the text, some of them on the standby for one organization, and in the proof all of them for
// all organizations of the demo.
import { expect } from 'chai'
import { checkFile, readToCheck } from '../../src/author/check/check.ts'
import { IS_PROOF } from '../harness/is-proof.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { useStandbyCheck } from './standby-check.ts'

/** Of each area, for seconds of `make test`. */
const ON_REPLICA = new Set([
  'profit_loss',
  'sales_funnel',
  'stock_balance',
  'requests_by_channel',
  'tasks_by_month',
  'metrics/finance',
])

// why: mocha needs the files before it runs tests
const shipped = await readToCheck('sql', parseSql)

describe('our definitions', () => {
  const standby = useStandbyCheck(IS_PROOF ? undefined : ['business'])
  const { files, findings } = shipped

  it('are all read without findings', () => expect(findings).to.deep.equal([]))

  for (const file of files) {
    it(`have no finding: ${file.name}`, async () => {
      const ask = IS_PROOF || ON_REPLICA.has(file.name) ? standby.ask : undefined
      const found = await checkFile(file, ask)
      // why: no stock moves in the future, but on this clock's day; sql/demo compares on the real one
      expect(found.filter(({ id }) => id !== 'oracle')).to.deep.equal([])
    })
  }
})

// A product without rows: faults are found on synthetic rows, which are made from types and constraints.
import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import type { ReplicaCheck, ReplicaFindings } from '../../src/author/check/on-replica.ts'
import { checkFile, readToCheck, type AskReplica } from '../../src/author/check/check.ts'
import { describeFinding } from '../../src/definitions/findings.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { folderOf, LOADABLE } from './bad-definitions.ts'
import { useProduct } from './use-product.ts'

/** By title of the bad definition, the line and words of its finding. */
const FAULTS = {
  'a key that two rows have': '9: key: two rows have created_on',
  'an instant of another name that becomes a day': 'depends on the session time zone',
  'deals.amount_kopecks / (deals.amount_kopecks - deals.amount_kopecks) as amount':
    '19: a division by zero',
  'order by created_on': '27: two rows tie',
  'the last row of each, by an instant only': '9: column "name" depends on the physical row order',
  'a key that is a name': '6: key: two rows have name "Beta"',
}

describe('a product without rows', () => {
  const product = useProduct({
    database: 'svodka_empty',
    schema: readFileSync('sql/product/schema.sql', 'utf8'),
    ids: [],
  })
  let check: ReplicaCheck
  let replicaFindings: ReplicaFindings | undefined
  before(async () => (check = await product.createCheck()))

  async function found(directory: string): Promise<string[]> {
    const folder = await readToCheck(directory, parseSql)
    const [file] = folder.files
    const ask: AskReplica = async (...args) => (replicaFindings = await check(...args))
    return (await checkFile(file!, folder, ask)).map(describeFinding)
  }

  for (const [title, words] of Object.entries(FAULTS)) {
    it(`shows the fault: ${title}`, async () => {
      const { file, text } = LOADABLE.find(definition => definition.title === title)!
      const findings = await found(folderOf({ [file]: text }))
      expect(findings).to.have.length(1)
      expect(findings[0]).to.contain(words)
      expect(findings[0]).to.contain('of synthetic rows')
      expect(replicaFindings?.hasRows).to.equal(false)
    })
  }

  for (const name of ['sales_funnel', 'stock_balance', 'metrics/tasks']) {
    it(`has no finding for a correct definition: ${name}`, async () => {
      const shipped = await readToCheck('sql', parseSql)
      const file = shipped.files.find(file => file.name === name)
      if (file === undefined) throw new Error(`there is no ${name}`)
      expect(await checkFile(file, shipped, check)).to.deep.equal([])
    })
  }
})

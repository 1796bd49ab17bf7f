// Each condition on the organization in the shipped definitions is required: without it there is one finding.
import { expect } from 'chai'
import { readToCheck } from '../../src/author/check/check.ts'
import { draftOf } from '../../src/author/check/rules/draft.ts'
import { checkIsolation } from '../../src/author/tenancy/tenant-isolation.ts'
import { parseSql } from '../harness/parse-sql.ts'

const CONDITION = /(\w+)\.organization_id = :organization_id/g

const INSTEAD: ReadonlyArray<(condition: string) => string> = [
  () => 'true',
  () => ':organization_id = :organization_id',
  condition => `(${condition} or true)`,
  condition => condition.replace(/= (.*)/, 'in ($1, null)'),
  condition => condition.replace('=', '<>'),
]

describe('the conditions on the organization in the shipped definitions', () => {
  it('are each required, whatever replaces them', async function () {
    this.timeout(60_000)
    const { drafts, tenancies } = await readToCheck('sql', parseSql)
    const changed = drafts.flatMap(({ file, text, report }) =>
      Array.from(text.matchAll(CONDITION), ({ 0: condition, index }, at) => {
        const other = INSTEAD[at % INSTEAD.length]!(condition)
        const sql = text.slice(0, index) + other + text.slice(index + condition.length)
        return { source: { file, code: other, version: '', text: sql }, report }
      }),
    )
    expect(changed).to.have.length.greaterThan(100)
    for (const { source, report } of changed) {
      const draft = await draftOf(source, report === undefined ? 'metrics' : 'report', parseSql)
      const { findings } = checkIsolation(draft!, tenancies)
      expect(findings, `${source.file}: ${source.code}`).to.have.length(1)
    }
  })
})

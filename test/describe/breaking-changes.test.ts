// Within v1 nothing is removed, renamed or given another type. With each release:
// svodka openapi | gzip -9n > test/describe/released.json.gz
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { PREFIX } from '../../src/model/api-prefix.ts'
import { createOpenApi, type OpenApi } from '../../src/serve/describe/openapi.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { breakingChanges } from './breaking-changes.ts'

describe('the OpenAPI document of our definitions', () => {
  const released = JSON.parse(
    gunzipSync(readFileSync('test/describe/released.json.gz')).toString(),
  ) as OpenApi
  let current: OpenApi

  before(async () => {
    current = createOpenApi(await loadCatalog('sql', parseSql), PREFIX)
  })

  it('takes nothing away from that of the last release', () => {
    expect(breakingChanges(released, current)).to.deep.equal([])
  })

  const changes: ReadonlyArray<readonly [what: string, from: string, to: string, change: RegExp]> =
    [
      [
        'a report that is gone',
        '"/reports/deals":',
        '"/reports/deal":',
        /^\/reports\/deals is gone$/,
      ],
      ['a column that is gone', '"won_amount":', '"amount_won":', /won_amount is gone$/],
      ['a format that is gone', '"text/csv":', '"text/tsv":', /text\/csv is gone$/],
      [
        'a header that is gone',
        '"Data-As-Of":{"$ref"',
        '"As-Of":{"$ref"',
        /header Data-As-Of is gone$/,
      ],
      [
        'another type',
        '"income":{"title":"Доход","type":["integer"',
        '"income":{"title":"Доход","type":["string"',
        /income: type was/,
      ],
      [
        'a parameter that is gone',
        'parameters/preset"',
        'parameters/variant"',
        /parameter preset is gone$/,
      ],
    ]
  for (const [what, from, to, change] of changes) {
    it(`would not pass with ${what}`, () => {
      const text = JSON.stringify(current)
      expect(text).to.contain(from)
      const other = JSON.parse(text.replaceAll(from, to)) as OpenApi
      const found = breakingChanges(current, other)
      expect(
        found.some(line => change.test(line)),
        found.slice(0, 3).join('; '),
      ).to.equal(true)
    })
  }

  it('would pass with additions', () => {
    const { components, paths } = structuredClone(current)
    const deals = components['schemas']!['deals_row'] as { properties: Record<string, object> }
    deals.properties['added'] = { type: 'string' }
    const other = { ...current, components, paths: { ...paths, '/added': paths['/ping']! } }
    expect(breakingChanges(current, other)).to.deep.equal([])
  })
})

// On every day, each report of the three larger demo organizations has rows in the last twelve months.
import { expect } from 'chai'
import { productBodies } from '../contract/product-bodies.ts'
import { OF_LAST_TWELVE_MONTHS } from '../harness/last-twelve-months.ts'
import { ourCatalog } from '../sql/subject.ts'

describe('the last twelve months', () => {
  const { fetchBody } = productBodies()

  for (const key of ['sk_demo_business', 'sk_demo_vladivostok', 'sk_demo_large'])
    it(`have rows in each report of ${key}`, async () => {
      const empty: string[] = []
      for (const code of ourCatalog().reports.keys()) {
        const { rows } = JSON.parse((await fetchBody(code, OF_LAST_TWELVE_MONTHS, key)).toString())
        if (rows.length === 0) empty.push(code)
      }
      expect(empty).to.deep.equal([])
    })
})

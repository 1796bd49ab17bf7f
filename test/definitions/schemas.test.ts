import { Ajv } from 'ajv'
import { expect } from 'chai'
import { load as parse } from 'js-yaml'
import { matchesSchema, schemaErrors } from '../../src/definitions/matter-schema.ts'
import {
  METRICS_SCHEMA,
  PRODUCT_SCHEMA,
  REPORT_SCHEMA,
  TENANCY_SCHEMA,
} from '../../src/definitions/schemas.ts'

/** With a valid value, and paths in it that are replaced. */
const SCHEMAS = {
  report: [
    REPORT_SCHEMA,
    `{ title: a, columns: { b: { title: c, type: text, total: none, hidden: true, unit: d, aggregation: { rows: sum } } },
       key: [b, e], facts: {}, summary: f, position: 1, fresh: { open: 1s, closed: 1h }, maxRows: 1, keywords: [g], dateBasis: state,
       deprecated: { since: 2026-12-01 }, chart: { kind: bars, measures: [b], label: c }, budget: { buffersPerThousandRows: 0.5, seqScan: any }, shared: false,
       parameters: { a: { title: b, type: text, required: true, default: 1, minimum: true, values: { c: d } } } }`,
  ],
  metrics: [
    METRICS_SCHEMA,
    '{ metrics: { a: { title: b, format: money } }, timeout: 5s, maxLag: 2s }',
  ],
  product: [
    PRODUCT_SCHEMA,
    '{ language: ru, currency: { code: UGX, digits: 2 }, total: a, keys: b, tier: c }',
  ],
  tenancy: [
    TENANCY_SCHEMA,
    '{ a: b, "c()": shared, d: { tenancy: shared, because: e, columns: [f] } }',
  ],
} as const

const OTHERS = [
  null,
  '',
  'x',
  'text',
  0,
  -1,
  0.5,
  7,
  1e9,
  true,
  [],
  ['b', 'b'],
  ['a', 'b', 'c', 'd', 'e'],
  [''],
  [1],
  {},
  { x: 'y' },
]

/** The value, with one part replaced, added or left out. */
function* changed(value: unknown): Generator {
  yield* OTHERS
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return
  yield { ...value, constructor: 'x' }
  for (const [key, part] of Object.entries(value)) {
    yield Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
    for (const one of changed(part)) yield { ...value, [key]: one }
  }
}

describe('JSON schemas', () => {
  for (const [name, [schema, text]] of Object.entries(SCHEMAS)) {
    // why: schemas are not validated when they are compiled
    it(`of ${name} is valid`, () => {
      const ajv = new Ajv()
      expect(ajv.validateSchema(schema), ajv.errorsText()).to.equal(true)
    })

    it(`of ${name} accepts what Ajv accepts`, () => {
      const valid: unknown = parse(text)
      expect(schemaErrors(schema, valid)).to.deep.equal([])
      const accepted = [valid, ...changed(valid)].filter(value => {
        const isAccepted = schemaErrors(schema, value).length === 0
        expect(matchesSchema(schema as object, value), JSON.stringify(value)).to.equal(isAccepted)
        return isAccepted
      })
      expect(accepted.length).to.be.above(4)
    })
  }
})

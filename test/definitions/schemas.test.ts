// Schemas are not validated when they are compiled, which would take a tenth of a command's start time.
import { Ajv } from 'ajv'
import { expect } from 'chai'
import { METRICS_SCHEMA, REPORT_SCHEMA } from '../../src/definitions/schemas.ts'

describe('JSON schemas', () => {
  for (const [name, schema] of Object.entries({
    'of a report': REPORT_SCHEMA,
    'of a file of metrics': METRICS_SCHEMA,
  })) {
    it(`${name} is valid`, () => {
      const ajv = new Ajv()
      expect(ajv.validateSchema(schema), ajv.errorsText()).to.equal(true)
    })
  }
})

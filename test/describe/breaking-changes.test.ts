/*
 * Within v1 nothing is removed, renamed or given another type, and columns are added at the end. With each release, without
 * texts for people:
 *   svodka openapi | node -e '
 *     const isText = (key, value) => /^(title|description|summary|example)$/.test(key) && typeof value === "string"
 *     const document = JSON.parse(fs.readFileSync(0), (key, value) => (isText(key, value) ? undefined : value))
 *     process.stdout.write(zlib.brotliCompressSync(JSON.stringify(document)))' > test/describe/released.json.br
 */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { expect } from 'chai'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { PREFIX } from '../../src/model/terms.ts'
import { openApi } from '../../src/serve/describe/openapi.ts'
import type { OpenApi } from '../harness/documented.ts'
import { parseSql } from '../harness/parse-sql.ts'

type Json = Readonly<Record<string, unknown>>
interface Operation {
  readonly parameters: ReadonlyArray<{ readonly $ref: string }>
  readonly responses: Readonly<Record<string, Json>>
}

/** A line for each operation, parameter, header and media type, for each type of a field, and for each column's place. */
function promisesOf({ components, paths }: OpenApi): Set<string> {
  const promises = new Set<string>()
  const resolved = (value: Json): Readonly<Record<string, Json>> => {
    const [, , kind = '', name = ''] = ((value['$ref'] ?? '') as string).split('/')
    return (name === '' ? value : components[kind]![name]) as Readonly<Record<string, Json>>
  }
  const addSchema = (where: string, of: Json): void => {
    const schema = resolved(of)
    for (const key of ['type', 'format', 'const', 'pattern'])
      promises.add(`${where}: ${key} ${JSON.stringify(schema[key])}`)
    for (const [at, [name, property]] of Object.entries(schema['properties'] ?? {}).entries()) {
      addSchema(`${where} ${name}`, property as Json)
      // why: columns of a comparison follow those of the report, which may be added
      if (where.endsWith(' rows[]') && !where.endsWith(' compare rows[]'))
        promises.add(`${where} ${name}: column ${at}`)
    }
    if (schema['items'] !== undefined) addSchema(`${where}[]`, schema['items'])
  }
  for (const [path, { get }] of Object.entries(paths)) {
    const { parameters, responses } = get as unknown as Operation
    for (const { $ref } of parameters) promises.add(`${path}: ${$ref}`)
    for (const [status, response] of Object.entries(responses)) {
      const { headers = {}, content = {} } = resolved(response)
      promises.add(`${path} ${status}`)
      for (const name of Object.keys(headers)) promises.add(`${path} ${status}: header ${name}`)
      for (const [type, { schema = {} }] of Object.entries(content as Record<string, Json>))
        addSchema(`${path} ${status} ${type}`, schema as Json)
    }
  }
  return promises
}

describe('the OpenAPI document of our definitions', () => {
  const released = brotliDecompressSync(readFileSync('test/describe/released.json.br')).toString()
  const promised = [...promisesOf(JSON.parse(released))]
  const missingIn = (document: OpenApi): string[] => {
    const promises = promisesOf(document)
    return promised.filter(promise => !promises.has(promise))
  }

  it('takes nothing away from that of the last release', async () => {
    const current = JSON.stringify(openApi(await loadCatalog('sql', parseSql), PREFIX))
    expect(missingIn(JSON.parse(current))).to.deep.equal([])
  })

  for (const [from, to, missing] of [
    ['"/reports/deals":', '"/reports/deal":', '/reports/deals 200'],
    ['"won_amount":', '"amount_won":', 'won_amount: type ["integer","null"]'],
    [
      '"opening":',
      '"week_end":{},"opening":',
      '/reports/payment_calendar 200 application/json rows[] opening: column 2',
    ],
    ['"text/csv":', '"text/tsv":', '/reports/deals.csv 200 text/csv: type "string"'],
    ['"Data-As-Of":', '"As-Of":', '/reports/deals 200: header Data-As-Of'],
    [
      'parameters/preset"',
      'parameters/variant"',
      '/reports/deals.csv: #/components/parameters/preset',
    ],
  ] as const) {
    it(`would not pass with ${to} instead of ${from}`, () => {
      const found = missingIn(JSON.parse(released.replaceAll(from, to)))
      expect(found.join('\n')).to.include(missing)
    })
  }
})

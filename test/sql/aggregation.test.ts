// Loaders add up rows and periods as the schema of a report tells them: the declared aggregation must be true.
import { expect } from 'chai'
import type { Client } from 'pg'
import type { ReportDefinition } from '../../src/definitions/definition.ts'
import { falseDeclarations, partsOf } from './aggregation.ts'
import { generatedDatabase } from './generated/database.ts'
import type { Question } from './oracles/oracle.ts'
import { runReport } from './run.ts'
import { connectAsReports, DEMO_ORGANIZATIONS, ourCatalog, questions } from './subject.ts'

const DEMO_PERIODS = new Set(['last year', 'days on both sides of today'])
const MAX_PARTS = 7

/** Each of the 16 periods of generated organizations, in different zones and at different instants. */
const SEEDS = Array.from({ length: 16 }, (_, at) => 3 + at * 16)
const GENERATED_PARTS = 5

const reports = [...ourCatalog().reports.values()]

async function faultsOf(
  client: Client,
  report: ReportDefinition,
  organizationId: string,
  question: Question,
  most: number,
): Promise<readonly string[]> {
  const whole = await runReport(client, report, organizationId, question)
  const parts = []
  for (const period of partsOf(question.period, question.today, most)) {
    parts.push((await runReport(client, report, organizationId, { ...question, period })).totals)
  }
  return falseDeclarations(report, whole, parts)
}

describe('the declared aggregation', function () {
  this.timeout(240_000)

  describe('over the demo', () => {
    let client: Client

    before(async () => {
      client = await connectAsReports()
    })

    after(() => client?.end())

    for (const { name, id, timeZone } of DEMO_ORGANIZATIONS) {
      for (const { name: period, question } of questions(Date.now, timeZone)) {
        if (!DEMO_PERIODS.has(period)) continue
        it(`is true for ${name} over ${period}`, async () => {
          for (const report of reports) {
            const faults = await faultsOf(client, report, id, question, MAX_PARTS)
            expect(faults, report.code).to.deep.equal([])
          }
        })
      }
    }
  })

  it(`is true over ${SEEDS.length} generated organizations`, async () => {
    const database = await generatedDatabase('svodka_aggregation')
    const found: string[] = []
    try {
      for (const seed of SEEDS) {
        await database.withOrganization(seed, async (client, { organizationId, question }) => {
          for (const report of reports) {
            const faults = await faultsOf(client, report, organizationId, question, GENERATED_PARTS)
            found.push(...faults.map(fault => `seed ${seed}, ${report.code}.${fault}`))
          }
        })
      }
    } finally {
      await database.end()
    }
    expect(found).to.deep.equal([])
  })
})

describe('our reports', () => {
  for (const { code, description, dateBasis } of reports) {
    it(`${code} has a description and the date that its period applies to`, () => {
      expect(description).to.match(/^[^.]+\. [^.]+\.$/)
      expect(dateBasis).to.be.a('string')
    })
  }
})

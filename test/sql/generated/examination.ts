/** Compares every definition with its oracle, and checks every identity, over many generated organizations. */
import { AssertionError } from 'chai'
import type { Client } from 'pg'
import type { Catalog } from '../../../src/definitions/definition.ts'
import { asker } from '../ask.ts'
import { expectSameMetrics, expectSameReport } from '../compare.ts'
import { IDENTITIES } from '../identities/all.ts'
import type { Oracles } from '../oracles/all.ts'
import { rawRows } from '../run.ts'
import { insertOrganization } from './insert.ts'
import { generateOrganization } from './organization.ts'
import { questionOf } from './question.ts'

/** What was found of one definition or identity. */
export interface Findings {
  /** Organizations that it was checked over. */
  checked: number
  /** What did not hold: the first few, each with its seed. */
  readonly failures: string[]
}

const MAX_FAILURES = 3

/** Areas of metrics and reports may be called the same. */
export function metricsOf(area: string): string {
  return `metrics/${area}`
}

export class Examination {
  readonly findings = new Map<string, Findings>()
  readonly catalog: Catalog
  readonly oracles: Oracles

  constructor(catalog: Catalog, oracles: Oracles) {
    this.catalog = catalog
    this.oracles = oracles
  }

  of(name: string): Findings {
    const known = this.findings.get(name) ?? { checked: 0, failures: [] }
    this.findings.set(name, known)
    return known
  }

  /** Puts the organization of a seed in, looks at it, and takes it back. */
  async examine(client: Client, organizationId: string, seed: number): Promise<void> {
    const question = questionOf(seed)
    await client.query('begin')
    try {
      const tables = generateOrganization(seed, question)
      await insertOrganization(client, organizationId, question.timeZone, tables)
      const rows = await rawRows(client, organizationId)
      const ask = asker(client, this.catalog, organizationId)
      for (const [code, oracle] of this.oracles.reports) {
        const report = this.catalog.reports.get(code)!
        await this.attempt(code, seed, async () =>
          expectSameReport(report, await ask.report(code, question), oracle(rows, question)),
        )
      }
      for (const [area, oracle] of this.oracles.metrics) {
        const { metrics } = this.catalog.metricsFiles.get(area)!
        await this.attempt(metricsOf(area), seed, async () =>
          expectSameMetrics(metrics, await ask.metrics(area, question), oracle(rows, question)),
        )
      }
      for (const { name, holds, check } of IDENTITIES) {
        if (holds !== undefined && !holds(rows, question)) continue
        await this.attempt(name, seed, () => check(ask, question, rows))
      }
    } finally {
      await client.query('rollback')
    }
  }

  private async attempt(name: string, seed: number, check: () => Promise<void>): Promise<void> {
    const findings = this.of(name)
    findings.checked += 1
    try {
      await check()
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error)
      const failure = `seed ${seed}, ${JSON.stringify(questionOf(seed))}: ${said}`
      // Nothing more can be asked in a transaction whose statement failed.
      if (!(error instanceof AssertionError))
        throw new Error(`${name}: ${failure}`, { cause: error })
      if (findings.failures.length < MAX_FAILURES) findings.failures.push(failure)
    }
  }
}

/**
 * Prints what a nightly load costs the database for the demo's large organization: each report of 25 months, against
 * their fingerprints if nothing has changed.
 */
import type { Client } from 'pg'
import { monthsOf } from '../../../src/definitions/calendar.ts'
import type { Statement } from '../../../src/definitions/definition.ts'
import type { Milliseconds, Period } from '../../../src/model/terms.ts'
import { addDays } from '../oracles/calendar.ts'
import { connected, DEMO_ORGANIZATIONS, ourCatalog, questions } from '../subject.ts'
import { withSeededDemo } from './seeded-demo.ts'

const MONTHS = 25
const ROUNDS = 5
const LARGE = DEMO_ORGANIZATIONS[3]
const [{ question }] = questions(Date.now, LARGE.timeZone) as [ReturnType<typeof questions>[0]]

/** The last months, until this one. */
function lastMonths(): readonly Period[] {
  const end = `${addDays(`${question.today.slice(0, 7)}-01`, 31).slice(0, 7)}-01`
  return monthsOf({ start: '2000-01-01', end }).slice(-MONTHS)
}

async function durationOf(
  client: Client,
  name: string,
  statement: Statement,
  periods: readonly Period[],
): Promise<Milliseconds> {
  const text = statement.text('uuid')
  const startedAt = performance.now()
  for (const period of periods) {
    const values = statement.values({ organizationId: LARGE.id, ...question, period })
    await client.query({ name, text, values, rowMode: 'array', types: AS_PRINTED })
  }
  return performance.now() - startedAt
}

/** why: conversions of values are not the database's time */
const AS_PRINTED = { getTypeParser: () => (value: string) => value }

await withSeededDemo(async (cluster, signal) => {
  const months = lastMonths()
  const whole = { start: months[0]!.start, end: months.at(-1)!.end }
  const client = await connected(cluster.urlFor('svodka_reports', 'replica'))
  const sums = { full: 0, unchanged: 0 }
  const print = (name: string, full: Milliseconds, unchanged: Milliseconds): void => {
    const percent = ((100 * unchanged) / full).toFixed(1)
    const columns = [
      name.padEnd(20),
      full.toFixed(0).padStart(9),
      unchanged.toFixed(0).padStart(10),
    ]
    process.stdout.write(`${columns.join('')}${percent.padStart(8)} %\n`)
  }
  process.stdout.write(`${''.padEnd(20)}  full, ms  unchanged   ratio\n`)
  for (const { code, statement, fingerprint } of ourCatalog().reports.values()) {
    if (fingerprint === undefined) continue
    signal.throwIfAborted()
    const full: Milliseconds[] = []
    const unchanged: Milliseconds[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      full.push(await durationOf(client, code, statement, months))
      unchanged.push(await durationOf(client, `#${code}`, fingerprint.alone, [whole]))
    }
    print(code, Math.min(...full), Math.min(...unchanged))
    sums.full += Math.min(...full)
    sums.unchanged += Math.min(...unchanged)
  }
  print('all', sums.full, sums.unchanged)
  await client.end()
})
